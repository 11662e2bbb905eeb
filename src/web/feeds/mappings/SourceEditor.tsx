import { MultiSelect, Select, TextInput } from '@mantine/core'
import type { FeedSource } from '#contract/feeds/mappings/mapping.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'

type Props = {
  /** The title of the field, for the labels. */
  title: string
  source: FeedSource
  columns: readonly string[]
  isReadOnly: boolean
  onChange: (source: FeedSource) => void
}

/** The inputs of one source. */
export function SourceEditor({ title, source, columns, isReadOnly, onChange }: Props) {
  const shared = { readOnly: isReadOnly, className: 'fc-grow' }
  switch (source.kind) {
    case 'column':
      return (
        <Select
          {...shared}
          aria-label={`Column for ${title}`}
          searchable
          allowDeselect={false}
          value={source.column}
          onChange={(column) => column !== null && onChange({ ...source, column })}
          data={[...columns]}
        />
      )
    case 'firstOf':
    case 'allOf':
      return (
        <MultiSelect
          {...shared}
          aria-label={`Columns for ${title}`}
          searchable
          value={source.columns}
          onChange={(chosen) => chosen.length > 0 && onChange({ ...source, columns: chosen })}
          data={[...columns]}
        />
      )
    case 'part':
      return (
        <div className="fc-mapping-part">
          <Select
            {...shared}
            aria-label={`Column for ${title}`}
            searchable
            allowDeselect={false}
            value={source.column}
            onChange={(column) => column !== null && onChange({ ...source, column })}
            data={[...columns]}
          />
          <TextInput
            aria-label={`Separators for ${title}`}
            readOnly={isReadOnly}
            value={source.separators}
            maxLength={10}
            dir="ltr"
            onChange={(event) => onChange({ ...source, separators: event.currentTarget.value })}
          />
          <NumberField
            aria-label={`Part number for ${title}`}
            readOnly={isReadOnly}
            min={1}
            max={500}
            value={source.part}
            onChange={(part) => typeof part === 'number' && onChange({ ...source, part })}
          />
        </div>
      )
    case 'constant':
      return (
        <TextInput
          {...shared}
          aria-label={`Value for ${title}`}
          value={source.value}
          maxLength={1_000}
          onChange={(event) => onChange({ ...source, value: event.currentTarget.value })}
        />
      )
    default:
      return (
        <TextInput
          {...shared}
          aria-label={`Rule for ${title}`}
          placeholder={'stock_type == "N" ? "new" : "used"'}
          value={source.rule}
          maxLength={2_000}
          dir="ltr"
          spellCheck={false}
          classNames={CODE}
          onChange={(event) => onChange({ ...source, rule: event.currentTarget.value })}
        />
      )
  }
}

const CODE = { input: 'fc-mapping-code' }
