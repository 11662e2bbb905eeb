import { Autocomplete, Checkbox, Select, TextInput } from '@mantine/core'
import { fieldTitle } from '#contract/feeds/values/mapped-fields.ts'
import { type ValueMapping, valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { send } from '#web/api/query.ts'
import { useMappingNames } from '#web/feeds/mappings/use-mapping-names.ts'
import { describeChange, RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { FIELDS, showField, standardValues, valueForm, type ValueValues } from './value-form.ts'

const addMapping = send(valueMappings.add)
const updateMapping = send(valueMappings.update)

/** One data mapping, or a blank form for a new one. */
export function ValueMappingDrawer({ id, onClose }: Pick<RecordDrawerProps, 'id' | 'onClose'>) {
  return (
    <RecordDrawer
      id={id}
      noun="data mapping"
      short="mapping"
      about="Map a feed value to a standard value"
      describe={(mapping) => `${fieldTitle(mapping.field)}, ${describeChange(mapping)}`}
      form={valueForm}
      endpoints={valueMappings}
      save={(input, change) => (change ? updateMapping({ ...input, ...change }) : addMapping(input))}
      remove={{
        endpoint: valueMappings.remove,
        undo: {
          text: ({ raw }) => `Mapping for ${raw} deleted.`,
          run: ({ field, raw, canonical, providerMappingId }) =>
            addMapping({ field, raw, canonical, providerMappingId }),
        },
        label: 'Delete mapping',
      }}
      nameOf={({ raw }) => ({ name: raw })}
      show={showField}
      onClose={onClose}
      onCreated={() => onClose(true)}
    >
      {(record, mapping) => <Fields record={record} mapping={mapping} />}
    </RecordDrawer>
  )
}

type FieldsProps = { record: RecordFormState<ValueValues, ValueMapping>; mapping: ValueMapping | null }

function Fields({ record, mapping }: FieldsProps) {
  const { field, form, isReadOnly } = record
  const { field: of, isIgnored } = form.values
  const providers = useMappingNames(
    mapping && { id: mapping.providerMappingId, name: mapping.providerMapping },
  )
  return (
    <div className="fc-form-fields">
      <Select {...field('field')} className="fc-wide" data={FIELDS} allowDeselect={false} />
      <TextInput
        {...field('raw')}
        {...(mapping === null && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={200}
        autoComplete="off"
        description="As written in the feed. Case and extra spaces are ignored."
      />
      {!isIgnored && (
        <Autocomplete
          {...field('canonical')}
          className="fc-wide"
          required
          maxLength={100}
          data={standardValues(of)}
          limit={100}
        />
      )}
      <Checkbox
        {...form.getInputProps('isIgnored', { type: 'checkbox' })}
        className="fc-wide"
        size="xs"
        label="Ignore this value"
        disabled={isReadOnly}
      />
      {providers.choices.length > 0 && (
        <Select
          {...field('providerMappingId')}
          className="fc-wide"
          data={providers.choices}
          onSearchChange={providers.search}
          nothingFoundMessage="No matching mapping"
          searchable
          clearable
          placeholder="All feeds"
          description="A mapping for one provider takes precedence over one for all feeds."
        />
      )}
    </div>
  )
}
