import { Button, TextInput } from '@mantine/core'
import { customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Channel } from '#contract/inventory/channels/channels.ts'
import { COLUMN_PARTS } from '#contract/inventory/channels/listings/own-columns.ts'
import { EditableList } from '#web/ui/form/EditableList.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { useCustomFields } from '../vehicles/custom-fields/use-custom-fields.ts'
import type { ChannelValues } from './channel-form.ts'

const BLANK_COLUMN = { name: '', value: '' }

/** The columns of a plain file as its receiver wants them: each has a heading and what stands below it. */
export function ColumnFields({ record }: { record: RecordFormState<ChannelValues, Channel> }) {
  const { form, isReadOnly, change } = record
  const { columns } = form.values
  const { fields: own } = useCustomFields()
  return (
    <section className="fc-wide fc-form-section fc-channel-columns" aria-labelledby="channel-columns">
      <h3 id="channel-columns">Columns</h3>
      <p className="fc-small fc-faint">
        A value is text with fields of the vehicle in braces: {'{price}'}, or {'{year} {make}'}.
      </p>
      <EditableList
        record={record}
        name="columns"
        rows={columns}
        blank={BLANK_COLUMN}
        noun="column"
        nameOf={(column) => column.name}
        empty={`Our own ${COLUMN_PARTS.length} columns go out.`}
      >
        {(_column, path) => (
          <>
            <TextInput
              label="Column"
              {...form.getInputProps(`${path}.name`)}
              readOnly={isReadOnly}
              required
              maxLength={80}
              autoComplete="off"
              dir="ltr"
            />
            <TextInput
              label="Value"
              {...form.getInputProps(`${path}.value`)}
              readOnly={isReadOnly}
              maxLength={500}
              autoComplete="off"
              list="channel-column-parts"
              dir="ltr"
            />
          </>
        )}
      </EditableList>
      {columns.length === 0 && !isReadOnly && (
        <Button
          variant="default"
          onClick={() => change({ columns: COLUMN_PARTS.map((name) => ({ name, value: `{${name}}` })) })}
        >
          Begin with our columns
        </Button>
      )}
      <datalist id="channel-column-parts">
        {COLUMN_PARTS.map((name) => (
          <option key={name} value={`{${name}}`}>
            {name.replaceAll('_', ' ')}
          </option>
        ))}
        {own.map((field) => (
          <option key={field.key} value={`{${customFieldName(field)}}`}>
            {field.name}
          </option>
        ))}
      </datalist>
    </section>
  )
}
