import { Select } from '@mantine/core'
import type { ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import {
  DATE_ORDERS,
  IMPORT_FIELD_NAMES,
  IMPORT_FIELDS,
  type ImportField,
  type ImportMapping,
} from '#contract/carbon/activity/import-mapping.ts'
import { CALORIFIC_BASES } from '#contract/carbon/factors/unit-table.ts'
import { DECIMAL_CHOICES, ORDER_CHOICES } from './import-labels.ts'

const without = (answers: ImportMapping['answers'], id: string): ImportMapping['answers'] =>
  Object.fromEntries(Object.entries(answers).filter(([other]) => other !== id))

type Props = { preview: ImportPreview; isReading: boolean; onMapping: (mapping: ImportMapping) => void }

/** Column mapping, number and date format, and defaults for lines that leave a value out. */
export function ImportColumnFields({ preview, isReading, onMapping }: Props) {
  const { columns, mapping } = preview
  const choices = columns.map(({ title, samples }, place) => ({
    value: String(place),
    label: samples.length === 0 ? title : `${title}: ${samples.join(', ')}`,
  }))
  const setColumn = (field: ImportField, place: string | null) => {
    const { [field]: _, ...others } = mapping.columns
    // A column maps to one field only.
    const free = Object.fromEntries(Object.entries(others).filter(([, other]) => String(other) !== place))
    const chosen = place === null ? free : { ...free, [field]: Number(place) }
    // A column that was chosen by hand replaces an answer about it.
    const isQuantity = field === 'quantity'
    const answers = isQuantity ? without(mapping.answers, 'quantity') : mapping.answers
    onMapping({ ...mapping, columns: chosen, answers, addends: isQuantity ? [] : mapping.addends })
  }
  const { format } = mapping
  return (
    <details className="fc-import-columns" open={preview.ready + preview.open === 0}>
      <summary>Column mapping and formats</summary>
      <div className="fc-import-fields">
        {IMPORT_FIELDS.map((field) => (
          <Select
            key={field}
            label={IMPORT_FIELD_NAMES[field]}
            data={choices}
            value={mapping.columns[field] === undefined ? null : String(mapping.columns[field])}
            placeholder="Not mapped"
            clearable
            searchable
            disabled={isReading}
            onChange={(place) => setColumn(field, place)}
          />
        ))}
        <Select
          label="Number format"
          data={[...DECIMAL_CHOICES]}
          value={format.decimal}
          allowDeselect={false}
          disabled={isReading}
          onChange={(value) => {
            const decimal = DECIMAL_CHOICES.find((one) => one.value === value)?.value
            if (decimal)
              onMapping({
                ...mapping,
                format: { ...format, decimal },
                answers: { ...mapping.answers, decimal },
              })
          }}
        />
        <Select
          label="Date format"
          data={[...ORDER_CHOICES]}
          value={format.order}
          allowDeselect={false}
          disabled={isReading}
          onChange={(value) => {
            const order = DATE_ORDERS.find((one) => one === value)
            if (order)
              onMapping({ ...mapping, format: { ...format, order }, answers: { ...mapping.answers, order } })
          }}
        />
        <DefaultFields preview={preview} isReading={isReading} onMapping={onMapping} />
      </div>
    </details>
  )
}

/** For lines that leave a value out. */
function DefaultFields({ preview, isReading, onMapping }: Props) {
  const { mapping } = preview
  return (
    <>
      <Select
        label="Default facility"
        data={preview.facilities.map(({ id, name }) => ({ value: id, label: name }))}
        value={mapping.facilityId}
        clearable
        searchable
        disabled={isReading}
        onChange={(facilityId) => onMapping({ ...mapping, facilityId })}
      />
      <Select
        label="Default source"
        data={preview.sourceTypes.map(({ id, title }) => ({ value: id, label: title }))}
        value={mapping.sourceType}
        clearable
        searchable
        disabled={isReading}
        onChange={(sourceType) => onMapping({ ...mapping, sourceType })}
      />
      <Select
        label="Default calorific value"
        data={[
          { value: 'gross', label: 'Gross calorific value' },
          { value: 'net', label: 'Net calorific value' },
        ]}
        value={mapping.calorificBasis}
        clearable
        disabled={isReading}
        onChange={(value) =>
          onMapping({ ...mapping, calorificBasis: CALORIFIC_BASES.find((one) => one === value) ?? null })
        }
      />
    </>
  )
}
