import { Button, TextInput } from '@mantine/core'
import { customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { Channel } from '#contract/channels/channels/channels.ts'
import { columnParts } from '#contract/channels/listings/custom-columns.ts'
import { feedColumns } from '#contract/channels/listings/listing-row.ts'
import { EditableList } from '#web/ui/record/EditableList.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { useCustomFields } from '#web/vehicles/index.ts'
import type { ChannelValues } from './channel-form.ts'

const BLANK_COLUMN = { name: '', value: '' }

/** The columns of a custom file, each with a heading and a value template. */
export function ChannelColumnFields({ record }: { record: RecordFormState<ChannelValues, Channel> }) {
  const { form, isReadOnly, change } = record
  const { columns, priceMeaning } = form.values
  const parts = columnParts(priceMeaning)
  const { fields: own } = useCustomFields()
  return (
    <section className="fc-wide fc-form-section fc-channel-columns" aria-labelledby="channel-columns">
      <h3 id="channel-columns">Columns</h3>
      <p className="fc-small fc-faint">
        A value is text with vehicle fields in braces, such as {'{price}'} or {'{year} {make}'}.
      </p>
      <EditableList
        record={record}
        name="columns"
        rows={columns}
        blank={BLANK_COLUMN}
        noun="column"
        nameOf={(column) => column.name}
        empty={`The file has the ${feedColumns('csv').length} standard columns.`}
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
          onClick={() => change({ columns: parts.map((name) => ({ name, value: `{${name}}` })) })}
        >
          Start with the standard columns
        </Button>
      )}
      <datalist id="channel-column-parts">
        {parts.map((name) => (
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
