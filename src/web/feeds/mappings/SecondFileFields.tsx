import { Button, FileButton, Select } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { FileShape } from './FileShape.tsx'
import type { Join, SecondFile } from './try-sample.ts'

type Props = {
  join: Join | null
  second: SecondFile | null
  /** The columns of the first file. */
  columns: readonly string[]
  /** Whether a first file was chosen to join with. */
  hasSample: boolean
  isReading: boolean
  isReadOnly: boolean
  onFile: (file: File) => void
  onChange: (join: Join | null) => void
}

/** A second file from the same provider, such as prices, joined by VIN or stock number. */
export function SecondFileFields(props: Props) {
  const { join, second, columns, hasSample, isReading, isReadOnly, onFile, onChange } = props
  const own = second?.columns ?? []
  return (
    <>
      <p className="fc-small">
        <bdi>
          {second === null
            ? 'Adds the columns of a second file to rows with the same VIN or stock number.'
            : `${second.file.name}, ${own.length} columns.`}
        </bdi>
      </p>
      {join !== null && (
        <>
          <div className="fc-mapping-pairs">
            <Select
              label="Column in the first file"
              searchable
              allowDeselect={false}
              readOnly={isReadOnly}
              value={join.column}
              data={[...new Set([...columns, join.column])]}
              onChange={(column) => column !== null && onChange({ ...join, column })}
            />
            <Select
              label="Matching column in the second file"
              searchable
              allowDeselect={false}
              readOnly={isReadOnly}
              value={join.secondColumn}
              data={[...new Set([...own, join.secondColumn])]}
              onChange={(secondColumn) => secondColumn !== null && onChange({ ...join, secondColumn })}
            />
          </div>
          <FileShape
            of="Second file"
            shape={join.shape}
            isReadOnly={isReadOnly}
            onChange={(shape) => onChange({ ...join, shape })}
          />
        </>
      )}
      <div className="fc-row">
        <FileButton onChange={(file) => file !== null && onFile(file)}>
          {(button) => (
            <Button
              {...button}
              variant="default"
              loading={isReading}
              disabled={!hasSample || (isReadOnly && join === null)}
              leftSection={<IconUpload size={16} aria-hidden="true" />}
            >
              Choose second file
            </Button>
          )}
        </FileButton>
        {join !== null && !isReadOnly && (
          <Button variant="subtle" onClick={() => onChange(null)}>
            Remove second file
          </Button>
        )}
      </div>
      {!hasSample && <p className="fc-small fc-faint">Choose a sample of the first file first.</p>}
    </>
  )
}
