import { Button, FileButton, Select } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { FileShape } from './FileShape.tsx'
import type { Join, SecondFile } from './try-sample.ts'

type Props = {
  join: Join | null
  second: SecondFile | null
  /** Of the first file. */
  columns: readonly string[]
  /** There is a first file that one can be joined to. */
  hasSample: boolean
  isReading: boolean
  isReadOnly: boolean
  onFile: (file: File) => void
  onChange: (join: Join | null) => void
}

/** A second file of the same provider, prices beside descriptions for instance, joined by VIN or stock number. */
export function SecondFileFields(props: Props) {
  const { join, second, columns, hasSample, isReading, isReadOnly, onFile, onChange } = props
  const own = second?.columns ?? []
  return (
    <>
      <p className="fc-small">
        <bdi>
          {second === null
            ? 'Rows of the first file get what the second says of the same VIN or stock number.'
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
              label="Same in the second file"
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
              Choose the second file
            </Button>
          )}
        </FileButton>
        {join !== null && !isReadOnly && (
          <Button variant="subtle" onClick={() => onChange(null)}>
            Use one file alone
          </Button>
        )}
      </div>
      {!hasSample && <p className="fc-small fc-faint">Give a sample of the first file before it.</p>}
    </>
  )
}
