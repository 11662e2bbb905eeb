import { Button, FileButton } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useState } from 'react'
import type { FeedMapping } from '#contract/inventory/feeds/mapping.ts'
import type { TriedMapping } from '#contract/inventory/feeds/tried-mapping.ts'
import { providerMappings } from '#contract/inventory/provider-mappings.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { upload } from '#web/api/upload.ts'

/** The file that was tried, and what came of it. */
export type Sample = { file: File; tried: TriedMapping }

type Props = {
  sample: Sample | null
  mapping: FeedMapping
  /** Nothing is mapped yet: what is proposed is taken. */
  isNew: boolean
  onTried: (sample: Sample, isProposal: boolean) => void
}

type Wanted = { file: File; mapping: FeedMapping | null }

function attempt({ file, mapping }: Wanted): Promise<TriedMapping> {
  const input = mapping === null ? {} : { mapping: JSON.stringify(mapping) }
  // Nobody stops it: a sample is small.
  return upload(providerMappings.attempt, input, [file], {
    signal: new AbortController().signal,
    onSent: () => undefined,
  })
}

/** Takes a sample of the feed and shows its columns with some of their values. */
export function MappingSample({ sample, mapping, isNew, onTried }: Props) {
  const [isOver, setIsOver] = useState(false)
  const trying = useMutation<TriedMapping, CallFailure, Wanted>({
    mutationFn: attempt,
    onSuccess: (tried, { file: sent, mapping: by }) => onTried({ file: sent, tried }, by === null),
  })
  const file = trying.variables?.file ?? sample?.file ?? null
  function take(given: File | null | undefined) {
    if (given === null || given === undefined) return
    trying.mutate({ file: given, mapping: isNew ? null : mapping })
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files.item(0))
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
          <bdi>{file === null ? 'Drop a sample of the feed here: CSV, XML or JSON.' : file.name}</bdi>
        </p>
        <div className="fc-row">
          <FileButton onChange={take}>
            {(props) => (
              <Button
                {...props}
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
                onClick={() => trying.mutate({ file, mapping })}
              >
                Check all rows
              </Button>
              <Button
                variant="default"
                disabled={trying.isPending}
                onClick={() => trying.mutate({ file, mapping: null })}
              >
                Match again
              </Button>
            </>
          )}
        </div>
      </div>
      {trying.error !== null && (
        <p className="fc-form-alert" role="alert">
          <bdi>{trying.error.message}</bdi>
        </p>
      )}
      {sample !== null && <Columns sample={sample.tried} />}
    </>
  )
}

const SEPARATORS: Readonly<Record<string, string>> = {
  ',': 'commas',
  '\t': 'tabs',
  '|': 'bars',
  ';': 'semicolons',
}

function Columns({ sample }: { sample: TriedMapping }) {
  const { format, encoding, delimiter, path, columns, preset, unused, refusal } = sample
  const about = [
    format.toUpperCase(),
    delimiter === null ? null : `separated by ${SEPARATORS[delimiter] ?? delimiter}`,
    path === null || path === '' ? null : `rows at ${path}`,
    encoding,
  ]
  const isUnused = new Set(unused)
  return (
    <>
      <p className="fc-small">
        <bdi>{about.filter((one) => one !== null).join(', ')}.</bdi>{' '}
        <bdi>
          {preset === null
            ? 'Matched by names and values.'
            : `Known as ${preset.title}, ${Math.round(preset.fit * 100)} %.`}
        </bdi>{' '}
        <bdi>
          {columns.length - unused.length} of {columns.length} columns are known.
        </bdi>
      </p>
      {refusal !== null && (
        <p className="fc-form-alert" role="alert">
          <bdi>{refusal}</bdi>
        </p>
      )}
      <table className="fc-mapping-columns">
        <caption className="fc-hidden">Columns of the sample</caption>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Values</th>
            <th scope="col">Filled</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ name, ruleName, samples, filled }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi>
                <span className="fc-second">
                  <code>{ruleName}</code>
                  {isUnused.has(name) && ', not used'}
                </span>
              </th>
              <td>
                <bdi>
                  {samples.map((one) => (one.length > 60 ? `${one.slice(0, 57)}...` : one)).join(' / ')}
                </bdi>
              </td>
              <td>{Math.round(filled * 100)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
