import { Autocomplete, Checkbox, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ValueMapping, valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { FormFooter } from '#web/ui/form/FormFooter.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useMappingNames } from '#web/feeds/mappings/use-mapping-names.ts'
import { useRecordForm, type RecordFormState } from '#web/ui/record/use-record-form.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import {
  checkValue,
  FIELD_NAMES,
  FIELDS,
  showField,
  toInput,
  toValues,
  type ValueValues,
  standardValues,
} from './value-form.ts'

type Props = {
  /** Null for a new one. */
  mapping: ValueMapping | null
  /** Initial values of a new one. */
  blank: ValueValues
  onClose: (isSaved: boolean) => void
  /** Called after saving or reloading. */
  onKept?: (mapping: ValueMapping) => void
}

const addMapping = send(valueMappings.add)
const updateMapping = send(valueMappings.update)
const removeMapping = send(valueMappings.remove)

/** The form of one data mapping: saves, deletes with undo, and resolves conflicts with another user's changes. */
export function ValueMappingForm({ mapping, blank, onClose, onKept }: Props) {
  const endpoint = mapping ? valueMappings.update : valueMappings.add
  const record = useRecordForm<ValueValues, ValueMapping>({
    record: mapping,
    blank,
    toValues,
    labels: FIELD_NAMES,
    schema: ValueMapping,
    endpoint,
    check: checkValue,
    save: (values, version) =>
      mapping ? updateMapping({ ...toInput(values), id: mapping.id, version }) : addMapping(toInput(values)),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(valueMappings.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(mapping ? 'Data mapping saved' : 'Data mapping added', saved.raw)
      if (!mapping) onClose(true)
    },
  })
  const remove = useMutation({
    mutationFn: removeMapping,
    onSuccess: () => {
      record.release()
      onClose(true)
      if (mapping === null) return
      const { field, raw, canonical, providerMappingId } = mapping
      offerUndo({
        text: `Mapping for ${raw} deleted.`,
        undo: async () => {
          await addMapping({ field, raw, canonical, providerMappingId })
        },
      })
    },
    onError: (failure) => showError(failure),
  })
  return (
    <RecordForm record={record} isBusy={remove.isPending}>
      <Fields record={record} mapping={mapping} />
      <FormFooter
        record={record}
        for={endpoint}
        save={mapping ? 'Save mapping' : 'Add mapping'}
        onCancel={() => onClose(false)}
      >
        {mapping && (
          <Action
            for={valueMappings.remove}
            variant="subtle"
            className="fc-quiet-danger"
            disabled={record.isSaving || remove.isPending}
            onClick={() => remove.mutate({ id: mapping.id })}
          >
            Delete mapping
          </Action>
        )}
      </FormFooter>
      <StaleDialog record={record} thing="this data mapping" show={showField} />
    </RecordForm>
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
