import { Select, TextInput } from '@mantine/core'
import {
  FEED_DELIMITERS,
  FEED_ENCODINGS,
  FEED_FORMATS,
  type FeedShape,
} from '#contract/feeds/mappings/feed-shape.ts'
import { DELIMITER_NAMES, ENCODING_NAMES } from './format-labels.ts'

type Props = {
  /** A prefix for the labels if there are two files: "Second file". */
  of: string
  shape: FeedShape
  isReadOnly: boolean
  onChange: (shape: FeedShape) => void
}

const AUTO = { value: 'auto', label: 'Auto-detect' }
const FORMATS = [AUTO, ...FEED_FORMATS.map((value) => ({ value, label: value.toUpperCase() }))]
const DELIMITERS = [AUTO, ...FEED_DELIMITERS.map((value) => ({ value, label: DELIMITER_NAMES[value] }))]
const ENCODINGS = [AUTO, ...FEED_ENCODINGS.map((value) => ({ value, label: ENCODING_NAMES[value] }))]
const HEADERS = [AUTO, { value: 'yes', label: 'Column names' }, { value: 'no', label: 'First vehicle' }]

/** The format of a file. Anything left on auto-detect is detected for each file. */
export function FileShape({ of, shape, isReadOnly, onChange }: Props) {
  const label = (name: string) => (of === '' ? name : `${of}: ${name.toLowerCase()}`)
  const shared = { readOnly: isReadOnly, allowDeselect: false }
  const isText = shape.format === 'auto' || shape.format === 'csv'
  return (
    <div className="fc-mapping-pairs">
      <Select
        {...shared}
        label={label('Format')}
        value={shape.format}
        data={FORMATS}
        onChange={(format) => onChange({ ...shape, format: pick(FEED_FORMATS, format) })}
      />
      <Select
        {...shared}
        label={label('Encoding')}
        value={shape.encoding}
        data={ENCODINGS}
        onChange={(encoding) => onChange({ ...shape, encoding: pick(FEED_ENCODINGS, encoding) })}
      />
      {isText && (
        <>
          <Select
            {...shared}
            label={label('Separator')}
            value={shape.delimiter}
            data={DELIMITERS}
            onChange={(delimiter) => onChange({ ...shape, delimiter: pick(FEED_DELIMITERS, delimiter) })}
          />
          <Select
            {...shared}
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
          label={label('Row path')}
          description="XML and JSON only: the path to the vehicle elements or list."
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

function pick<T extends string>(all: readonly T[], value: string | null): T | 'auto' {
  return all.find((one) => one === value) ?? 'auto'
}
