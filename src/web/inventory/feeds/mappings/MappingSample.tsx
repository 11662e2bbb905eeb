import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { FeedMapping } from '#contract/inventory/feeds/mappings/mapping.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { refuseFiles } from '../runs/feed-labels.ts'
import { FileShape } from './FileShape.tsx'
import { MappingPart } from './MappingPart.tsx'
import { SampleColumns, SampleSummary } from './SampleColumns.tsx'
import { SecondFileFields } from './SecondFileFields.tsx'
import { describeShape } from './format-labels.ts'
import {
  firstColumns,
  type Join,
  readSecond,
  type Sample,
  trySample,
  type SampleRequest,
} from './try-sample.ts'

const ONE_SAMPLE = { most: 1, rule: 'A sample is one file. The one it is joined with is chosen below.' }

type Props = {
  sample: Sample | null
  /** The sample to begin with: the file of the feed that led here. */
  begin: File | null
  mapping: FeedMapping
  /** Nothing is mapped yet: what is proposed is taken. */
  isNew: boolean
  isReadOnly: boolean
  onTried: (sample: Sample, isProposal: boolean) => void
  onChange: (mapping: FeedMapping) => void
  /** Between the files and their columns. */
  children: ReactNode
}

/** Takes a sample of the feed, says how its files are built and joined, and shows its columns with their values. */
export function MappingSample(props: Props) {
  const { sample, begin, mapping, isNew, isReadOnly, onTried, onChange, children } = props
  const [isOver, setIsOver] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const trying = useMutation<Sample, CallFailure, SampleRequest>({
    mutationFn: trySample,
    onSuccess: (tried, { how }) => onTried(tried, how !== 'check'),
  })
  const joining = useMutation<Awaited<ReturnType<typeof readSecond>>, CallFailure, File>({
    mutationFn: (second) => {
      if (sample === null) throw new Error('There is no first file.')
      const columns = firstColumns(sample, mapping.second !== null).length
      const first = { ...sample.tried, columns: sample.tried.columns.slice(0, columns) }
      return readSecond(second, first, mapping.second)
    },
    onSuccess: ({ second, join }) => joinBy(join, second),
  })
  const beginWith = useEffectEvent(() => {
    if (begin !== null && sample === null) take(begin)
  })
  useEffect(() => beginWith(), [])
  const file = trying.variables?.file ?? sample?.file ?? null
  const second = sample?.second ?? null
  const problem = refusal ?? trying.error?.message ?? joining.error?.message ?? null
  const isStale = sample !== null && !isReadAs(mapping, sample.tried.mapping)

  function joinBy(join: Join, by: typeof second) {
    const joined = { ...mapping, second: join }
    if (!isReadOnly) onChange(joined)
    if (file !== null)
      trying.mutate({ file, second: by, mapping: joined, how: isReadOnly ? 'check' : 'fill' })
  }
  function take(given: File | null | undefined) {
    if (given === null || given === undefined) return
    setRefusal(null)
    trying.mutate({ file: given, second, mapping, how: isNew ? 'match' : 'check' })
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    const files = [...event.dataTransfer.files]
    const refused = refuseFiles(files, ONE_SAMPLE)
    setRefusal(refused)
    if (refused === null) take(files[0])
  }
  return (
    <>
      {/* Dragging comes from outside of the page; for the keyboard there is the button. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        className="fc-mapping-drop"
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <p>
          <bdi>
            {file === null ? 'Drop a sample of the feed here: CSV, XML or JSON, also packed.' : file.name}
          </bdi>
        </p>
        <div className="fc-row">
          <FileButton onChange={take}>
            {(button) => (
              <Button
                {...button}
                variant="default"
                loading={trying.isPending}
                leftSection={<IconUpload size={16} aria-hidden="true" />}
              >
                Choose a file
              </Button>
            )}
          </FileButton>
          {file !== null && sample !== null && (
            <>
              <Button
                variant="default"
                disabled={trying.isPending}
                onClick={() => trying.mutate({ file, second, mapping, how: 'check' })}
              >
                Check all rows
              </Button>
              <Button
                variant="default"
                disabled={trying.isPending}
                onClick={() => trying.mutate({ file, second, mapping, how: 'match' })}
              >
                Match again
              </Button>
            </>
          )}
        </div>
      </div>
      {problem !== null && (
        <p className="fc-form-alert" role="alert">
          <bdi>{problem}</bdi>
        </p>
      )}
      {sample !== null && <SampleSummary sample={sample.tried} />}
      {isStale && (
        <output className="fc-small">
          The sample was read before this was said of its files. Check all rows to read it anew.
        </output>
      )}
      <MappingPart title={`The file: ${describeShape(mapping.shape)}`}>
        <FileShape
          of=""
          shape={mapping.shape}
          isReadOnly={isReadOnly}
          onChange={(shape) => onChange({ ...mapping, shape })}
        />
      </MappingPart>
      <MappingPart
        title={
          mapping.second === null
            ? 'A second file: none'
            : `A second file: joined by ${mapping.second.column}`
        }
      >
        <SecondFileFields
          join={mapping.second}
          second={second}
          columns={sample === null ? [] : firstColumns(sample, mapping.second !== null)}
          hasSample={sample !== null}
          isReading={joining.isPending}
          isReadOnly={isReadOnly}
          onFile={joining.mutate}
          onChange={(join) => onChange({ ...mapping, second: join })}
        />
      </MappingPart>
      {children}
      {sample !== null && <SampleColumns sample={sample.tried} />}
    </>
  )
}

/** Whether a sample that was read by one mapping reads the same by another. */
function isReadAs(mapping: FeedMapping, by: FeedMapping): boolean {
  return JSON.stringify([mapping.shape, mapping.second]) === JSON.stringify([by.shape, by.second])
}
