import { Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { DATE_FORMS, type FeedTarget, type FieldMapping } from '#contract/feeds/mappings/mapping.ts'
import type { VehicleFieldKind } from '#contract/vehicles/vehicles/vehicle-fields.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { mapToText, textToMap } from './mapping-form.ts'

type Props = {
  target: FeedTarget
  kind: VehicleFieldKind
  title: string
  field: FieldMapping
  isReadOnly: boolean
  onChange: (field: FieldMapping) => void
}

const DATE_NAMES: Readonly<Record<(typeof DATE_FORMS)[number], string>> = {
  iso: '2026-03-01',
  compact: '20260301',
  us: '3/1/2026, month first',
  eu: '1/3/2026, day first',
  words: 'March 1, 2026',
  unix: 'Seconds since 1970',
  daysAgo: 'Days in stock',
}
const UNITS = [
  { value: 'mi', label: 'Miles' },
  { value: 'km', label: 'Kilometers' },
]
const DECIMALS = [
  { value: '.', label: 'Decimal point (1,234.56)' },
  { value: ',', label: 'Decimal comma (1.234,56)' },
]

/** Options for reading a field's text, for providers that deviate from the defaults. */
export function FieldOptions({ target, kind, title, field, isReadOnly, onChange }: Props) {
  const [text, setText] = useState(() => mapToText(field))
  const isNumber = kind === 'money' || kind === 'decimal' || kind === 'integer'
  return (
    <details className="fc-mapping-options">
      <summary aria-label={`Options${describe(field)}, ${title}`}>Options{describe(field)}</summary>
      {target === 'mileage' && (
        <Select
          label="Default unit"
          clearable
          readOnly={isReadOnly}
          value={field.unit ?? null}
          onChange={(unit) => onChange({ ...field, unit: unit === 'mi' || unit === 'km' ? unit : undefined })}
          data={UNITS}
        />
      )}
      {isNumber && target !== 'year' && (
        <Select
          label="Decimal separator"
          placeholder="Auto-detect"
          clearable
          readOnly={isReadOnly}
          value={field.decimal ?? null}
          onChange={(decimal) =>
            onChange({ ...field, decimal: decimal === '.' || decimal === ',' ? decimal : undefined })
          }
          data={DECIMALS}
        />
      )}
      {kind === 'date' && (
        <Select
          label="Date format"
          placeholder="Auto-detect"
          clearable
          readOnly={isReadOnly}
          value={field.dates?.[0] ?? null}
          onChange={(form) => {
            const chosen = DATE_FORMS.find((one) => one === form)
            onChange({ ...field, dates: chosen === undefined ? undefined : [chosen] })
          }}
          data={DATE_FORMS.map((form) => ({ value: form, label: DATE_NAMES[form] }))}
        />
      )}
      <Textarea
        label="Replace values, one per line"
        placeholder="N = new"
        readOnly={isReadOnly}
        rows={3}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          const map = textToMap(event.currentTarget.value)
          onChange({ ...field, map: map.length === 0 ? undefined : map })
        }}
      />
    </details>
  )
}

function describe({ unit, unitColumn, dates, map, decimal }: FieldMapping): string {
  const parts = [
    unit,
    unitColumn === undefined ? null : `unit from ${unitColumn}`,
    dates?.map((form) => DATE_NAMES[form]).join(', '),
    decimal === undefined ? null : `decimal separator ${decimal}`,
    map === undefined ? null : count(map.length, 'replacement', 'replacements'),
  ].filter((one) => one !== undefined && one !== null)
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}
