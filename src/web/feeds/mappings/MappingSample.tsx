import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import type { FeedMapping } from '#contract/feeds/mappings/mapping.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
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

const ONE_SAMPLE = { most: 1, rule: 'A sample is one file. Choose a second file to join below.' }

type Props = {
  sample: Sample | null
  /** The file of the feed the user came from. */
  initial: File | null
  mapping: FeedMapping
  /** Whether nothing is mapped yet, so that the proposed mapping is used. */
  isNew: boolean
  isReadOnly: boolean
  onTried: (sample: Sample, isProposal: boolean) => void
  onChange: (mapping: FeedMapping) => void
  /** Shown between the file settings and the columns. */
  children: ReactNode
}

/** Uploads a sample of the feed, edits how its files are read and joined, and shows the columns with sample values. */
export function MappingSample(props: Props) {
  const { sample, initial, mapping, isNew, isReadOnly, onTried, onChange, children } = props
  const [refusal, setRefusal] = useState<string | null>(null)
  const trying = useMutation<Sample, CallFailure, SampleRequest>({
    mutationFn: trySample,
    onSuccess: (tried, { how }) => onTried(tried, how !== 'check'),
  })
  const joining = useMutation<Awaited<ReturnType<typeof readSecond>>, CallFailure, File>({
    mutationFn: (second) => {
      if (sample === null) throw new Error('The first file is missing.')
      const columns = firstColumns(sample, mapping.second !== null).length
      const first = { ...sample.tried, columns: sample.tried.columns.slice(0, columns) }
      return readSecond(second, first, mapping.second)
    },
    onSuccess: ({ second, join }) => joinBy(join, second),
  })
  const loadInitial = useEffectEvent(() => {
    if (initial !== null && sample === null) tryFile(initial)
  })
  useEffect(() => loadInitial(), [])
  const file = trying.variables?.file ?? sample?.file ?? null
  const second = sample?.second ?? null
  const problem = refusal ?? trying.error?.message ?? joining.error?.message ?? null
  const isStale = sample !== null && !readsLike(mapping, sample.tried.mapping)

  function joinBy(join: Join, by: typeof second) {
    const joined = { ...mapping, second: join }
    if (!isReadOnly) onChange(joined)
    if (file !== null)
      trying.mutate({ file, second: by, mapping: joined, how: isReadOnly ? 'check' : 'fill' })
  }
  function tryFile(chosen: File | null | undefined) {
    if (chosen === null || chosen === undefined) return
    setRefusal(null)
    trying.mutate({ file: chosen, second, mapping, how: isNew ? 'match' : 'check' })
  }
  function takeFiles(files: readonly File[]) {
    const refused = refuseFiles(files, ONE_SAMPLE)
    setRefusal(refused)
    if (refused === null) tryFile(files[0])
  }
  return (
    <>
      <SampleDrop name={file?.name ?? null} isReading={trying.isPending} onFiles={takeFiles} onFile={tryFile}>
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
      </SampleDrop>
      {problem !== null && (
        <p className="fc-form-alert" role="alert">
          <bdi>{problem}</bdi>
        </p>
      )}
      {sample !== null && <SampleSummary sample={sample.tried} />}
      {isStale && (
        <output className="fc-small">
          The file settings changed after the sample was read. Check all rows to read it again.
        </output>
      )}
      <FileParts
        {...{ sample, mapping, isReadOnly, onChange }}
        isReading={joining.isPending}
        onFile={joining.mutate}
      />
      {children}
      {sample !== null && <SampleColumns sample={sample.tried} />}
    </>
  )
}

type DropProps = {
  /** The name of the file; null without one. */
  name: string | null
  isReading: boolean
  /** Dropped files: possibly several, or of a wrong type. */
  onFiles: (files: readonly File[]) => void
  onFile: (file: File | null) => void
  children: ReactNode
}

/** Takes the sample, by drop or with the button. */
function SampleDrop({ name, isReading, onFiles, onFile, children }: DropProps) {
  const [isOver, setIsOver] = useState(false)
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    <>
      {/* Dropping files has no keyboard equivalent; the button is the alternative. */}
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
            {name ?? 'Drop a sample of the feed here: CSV, Excel (XLSX), XML or JSON (ZIP and GZIP too).'}
          </bdi>
        </p>
        <div className="fc-row">
          <FileButton onChange={onFile}>
            {(button) => (
              <Button
                {...button}
                variant="default"
                loading={isReading}
                leftSection={<IconUpload size={16} aria-hidden="true" />}
              >
                Choose file
              </Button>
            )}
          </FileButton>
          {children}
        </div>
      </div>
    </>
  )
}

type PartsProps = Pick<Props, 'sample' | 'mapping' | 'isReadOnly' | 'onChange'> & {
  /** The second file is being read. */
  isReading: boolean
  onFile: (second: File) => void
}

/** How the files are read, and joined. */
function FileParts({ sample, mapping, isReadOnly, onChange, isReading, onFile }: PartsProps) {
  return (
    <>
      <MappingPart title={`File format: ${describeShape(mapping.shape)}`}>
        <FileShape
          of=""
          shape={mapping.shape}
          isReadOnly={isReadOnly}
          onChange={(shape) => onChange({ ...mapping, shape })}
        />
      </MappingPart>
      <MappingPart
        title={
          mapping.second === null ? 'Second file: none' : `Second file: joined by ${mapping.second.column}`
        }
      >
        <SecondFileFields
          join={mapping.second}
          second={sample?.second ?? null}
          columns={sample === null ? [] : firstColumns(sample, mapping.second !== null)}
          hasSample={sample !== null}
          isReading={isReading}
          isReadOnly={isReadOnly}
          onFile={onFile}
          onChange={(join) => onChange({ ...mapping, second: join })}
        />
      </MappingPart>
    </>
  )
}

/** Whether two mappings read a file in the same way. */
function readsLike(mapping: FeedMapping, by: FeedMapping): boolean {
  return JSON.stringify([mapping.shape, mapping.second]) === JSON.stringify([by.shape, by.second])
}
