import { Select, TextInput } from '@mantine/core'
import {
  FEED_DELIMITERS,
  FEED_ENCODINGS,
  FEED_FORMATS,
  type FeedShape,
} from '#contract/inventory/feeds/formats/feed-shape.ts'
import { DELIMITER_NAMES, ENCODING_NAMES } from './format-labels.ts'

type Props = {
  /** Before the names of the controls, where there are two files: "Second file: ". */
  of: string
  shape: FeedShape
  isReadOnly: boolean
  onChange: (shape: FeedShape) => void
}

const AUTO = { value: 'auto', label: 'Find it out' }
const FORMATS = [AUTO, ...FEED_FORMATS.map((value) => ({ value, label: value.toUpperCase() }))]
const DELIMITERS = [AUTO, ...FEED_DELIMITERS.map((value) => ({ value, label: DELIMITER_NAMES[value] }))]
const ENCODINGS = [AUTO, ...FEED_ENCODINGS.map((value) => ({ value, label: ENCODING_NAMES[value] }))]
const HEADERS = [
  AUTO,
  { value: 'yes', label: 'Names the columns' },
  { value: 'no', label: 'Is a vehicle already' },
]

/** How a file is built, as far as somebody says so: the rest is found out of each file anew. */
export function FileShape({ of, shape, isReadOnly, onChange }: Props) {
  const label = (name: string) => (of === '' ? name : `${of}: ${name.toLowerCase()}`)
  const given = { readOnly: isReadOnly, allowDeselect: false }
  const isText = shape.format === 'auto' || shape.format === 'csv'
  return (
    <div className="fc-mapping-pairs">
      <Select
        {...given}
        label={label('Format')}
        value={shape.format}
        data={FORMATS}
        onChange={(format) => onChange({ ...shape, format: pick(FEED_FORMATS, format) })}
      />
      <Select
        {...given}
        label={label('Encoding')}
        value={shape.encoding}
        data={ENCODINGS}
        onChange={(encoding) => onChange({ ...shape, encoding: pick(FEED_ENCODINGS, encoding) })}
      />
      {isText && (
        <>
          <Select
            {...given}
            label={label('Separator')}
            value={shape.delimiter}
            data={DELIMITERS}
            onChange={(delimiter) => onChange({ ...shape, delimiter: pick(FEED_DELIMITERS, delimiter) })}
          />
          <Select
            {...given}
            label={label('First line')}
            value={shape.header}
            data={HEADERS}
            onChange={(header) => onChange({ ...shape, header: pick(['yes', 'no'], header) })}
          />
        </>
      )}
      {shape.format !== 'csv' && (
        <TextInput
          className="fc-mapping-wide"
          label={label('Path of the rows')}
          description="Of XML and JSON: the element or list that is one vehicle each."
          placeholder={shape.format === 'json' ? 'data.vehicles' : 'listings/listing'}
          readOnly={isReadOnly}
          maxLength={200}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          value={shape.path ?? ''}
          onChange={(event) => {
            const path = event.currentTarget.value
            onChange({ ...shape, path: path === '' ? null : path })
          }}
        />
      )}
    </div>
  )
}

function pick<T extends string>(all: readonly T[], wanted: string | null): T | 'auto' {
  return all.find((one) => one === wanted) ?? 'auto'
}
