import { ActionIcon, Box, Button, Group, Text } from '@mantine/core'
import { IconCircleCheck, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { files } from '#contract/files/files.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { describeTotal, describeUpload, isAllSent } from './upload-words.ts'
import {
  clearDone,
  isInParts,
  isOpen,
  pause,
  stop,
  takeExisting,
  tryAgain,
  type Upload,
  useUploads,
} from './uploads.ts'
import '#web/ui/tasks/job-progress.css'
import './media-pieces.css'

/** Current uploads and their results, each with what can be done; `only` limits it to some IDs. */
export function UploadList({ only }: { only?: readonly number[] }) {
  const all = useUploads()
  const uploads = only ? all.filter(({ id }) => only.includes(id)) : all
  if (uploads.length === 0) return null
  const open = uploads.filter(isOpen)
  const asking = uploads.filter(({ state }) => state === 'asking')
  const title = open.length > 0 ? `Uploading ${count(open.length, 'file', 'files')}` : 'Uploads'
  return (
    <section className="fc-uploads" aria-label="Uploads">
      <header className="fc-row">
        <h2 aria-live="polite">{title}</h2>
        <Text span fz={13} c="dimmed" className="fc-grow">
          {open.length > 1 && <bdi>{describeTotal(open)}</bdi>}
        </Text>
        {uploads.some((one) => !isOpen(one) && one.state !== 'asking' && one.state !== 'paused') && (
          <Button variant="subtle" size="compact-sm" onClick={clearDone}>
            Clear
          </Button>
        )}
      </header>
      {open.length > 1 && (
        <progress
          className="fc-progress"
          aria-label="Progress of all files"
          max={Math.max(
            1,
            total(open, ({ file }) => file.size),
          )}
          value={total(open, ({ sent, file }) => Math.min(sent, file.size))}
        />
      )}
      {asking.length > 1 && <DecideForAll asking={asking} />}
      <ul>
        {uploads.map((one) => (
          <UploadRow key={one.id} one={one} />
        ))}
      </ul>
    </section>
  )
}

const total = (list: readonly Upload[], bytesOf: (one: Upload) => number): number =>
  list.reduce((sum, one) => sum + bytesOf(one), 0)

/** One decision for all files that the library has already. */
function DecideForAll({ asking }: { asking: readonly Upload[] }) {
  const useAll = () => {
    for (const { id, same } of asking) if (same[0]) takeExisting(id, same[0])
  }
  const keepAll = () => {
    for (const { id } of asking) tryAgain(id, { keepsBoth: true })
  }
  return (
    <Group gap={8} mt={8}>
      <Text fz={13} flex="1 1 240px">
        {`The media library already has ${asking.length} of these files.`}
      </Text>
      <Button variant="default" size="compact-sm" onClick={useAll}>
        Use the existing ones
      </Button>
      <Button variant="default" size="compact-sm" onClick={keepAll}>
        Keep both of all
      </Button>
    </Group>
  )
}

function UploadRow({ one }: { one: Upload }) {
  const { id, file, state, sent, reason } = one
  return (
    <li>
      <Group gap={8}>
        {state === 'done' && <IconCircleCheck size={16} className="fc-upload-done" aria-hidden="true" />}
        <Box component="span" flex="1 1 200px" miw={0} className="fc-upload-words">
          <bdi className="fc-cut">{file.name}</bdi>
          <span className={`fc-second${state === 'refused' ? ' fc-upload-refused' : ''}`}>
            <bdi>{describeUpload(one)}</bdi>
          </span>
        </Box>
        <UploadActions one={one} />
        {!(state === 'sending' && isAllSent(one)) && (
          <ActionIcon
            variant="subtle"
            size={32}
            aria-label={hasEnded(one) ? `Remove ${file.name} from this list` : `Cancel ${file.name}`}
            onClick={() => stop(id)}
          >
            <IconX size={16} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
      {(isOpen(one) || state === 'paused') && (
        <progress
          className="fc-progress"
          aria-label={`Progress: ${file.name}`}
          max={Math.max(1, file.size)}
          value={Math.min(sent, file.size)}
        />
      )}
      {(reason !== null || state === 'asking') && (
        <output className="fc-hidden">{`${file.name}: ${describeUpload(one)}`}</output>
      )}
    </li>
  )
}

const hasEnded = ({ state }: Upload): boolean => ['done', 'refused', 'stopped'].includes(state)

/** What can be done about an upload beside canceling it. */
function UploadActions({ one }: { one: Upload }) {
  const { id, file, state, isTaken, same } = one
  const { name } = file
  const [existing] = same
  if (state === 'asking' && existing)
    return (
      <>
        <Button
          variant="default"
          aria-label={`Use the existing file instead of ${name}`}
          onClick={() => takeExisting(id, existing)}
        >
          Use the existing one
        </Button>
        <Action
          for={files.upload}
          variant="default"
          aria-label={`Keep both: ${name}`}
          onClick={() => tryAgain(id, { keepsBoth: true })}
        >
          Keep both
        </Action>
      </>
    )
  if (state === 'sending' && isInParts(one) && !isAllSent(one))
    return (
      <ActionIcon variant="subtle" size={32} aria-label={`Pause ${name}`} onClick={() => pause(id)}>
        <IconPlayerPause size={16} aria-hidden="true" />
      </ActionIcon>
    )
  if (state === 'paused')
    return (
      <ActionIcon variant="subtle" size={32} aria-label={`Resume ${name}`} onClick={() => tryAgain(id)}>
        <IconPlayerPlay size={16} aria-hidden="true" />
      </ActionIcon>
    )
  return (
    <>
      {isTaken && (
        <Action
          for={files.rename}
          variant="default"
          onClick={() => tryAgain(id, { replaces: true })}
          aria-label={`Replace ${name}`}
        >
          Replace
        </Action>
      )}
      {(state === 'refused' || state === 'stopped') && (
        <Action
          for={files.upload}
          variant="default"
          onClick={() => tryAgain(id)}
          aria-label={`Try again: ${name}`}
        >
          Try again
        </Action>
      )}
    </>
  )
}
