import { Button } from '@mantine/core'
import { IconCircleCheck, IconX } from '@tabler/icons-react'
import { files } from '#contract/files/files.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import { clearDone, replace, type Upload, stop, useUploads } from './uploads.ts'
import '#web/ui/tasks/job-progress.css'
import './media-pieces.css'

/** Current uploads and their results, each with a cancel button; `only` limits it to some IDs. */
export function UploadList({ only }: { only?: readonly number[] }) {
  const all = useUploads()
  const uploads = only ? all.filter(({ id }) => only.includes(id)) : all
  if (uploads.length === 0) return null
  const open = uploads.filter(({ state }) => state === 'waiting' || state === 'sending').length
  const title = open > 0 ? `Uploading ${count(open, 'file', 'files')}` : 'Uploads'
  return (
    <section className="fc-uploads" aria-label="Uploads">
      <header className="fc-row">
        <h2 className="fc-grow" aria-live="polite">
          {title}
        </h2>
        {open < uploads.length && (
          <Button variant="subtle" size="compact-sm" onClick={clearDone}>
            Clear
          </Button>
        )}
      </header>
      <ul>
        {uploads.map((one) => (
          <UploadRow key={one.id} one={one} />
        ))}
      </ul>
    </section>
  )
}

function UploadRow({ one }: { one: Upload }) {
  const { id, file, state, sent, reason, isTaken } = one
  const isOpen = state === 'waiting' || state === 'sending'
  return (
    <li>
      <div className="fc-row">
        {state === 'done' && <IconCircleCheck size={16} className="fc-upload-done" aria-hidden="true" />}
        <span className="fc-grow fc-upload-words">
          <bdi className="fc-cut">{file.name}</bdi>
          <span className={`fc-second${state === 'refused' ? ' fc-upload-refused' : ''}`}>
            <bdi>{describeUpload(one)}</bdi>
          </span>
        </span>
        {isTaken && (
          <Action
            for={files.rename}
            variant="default"
            onClick={() => replace(id)}
            aria-label={`Replace ${file.name}`}
          >
            Replace
          </Action>
        )}
        {!(state === 'sending' && isAllSent(one)) && (
          <button
            type="button"
            className="fc-tool"
            aria-label={isOpen ? `Cancel ${file.name}` : `Remove ${file.name} from this list`}
            onClick={() => stop(id)}
          >
            <IconX size={16} aria-hidden="true" />
          </button>
        )}
      </div>
      {isOpen && (
        <progress
          className="fc-progress"
          aria-label={`Progress: ${file.name}`}
          max={Math.max(1, file.size)}
          value={Math.min(sent, file.size)}
        />
      )}
      {reason !== null && <output className="fc-hidden">{`${file.name}: ${reason}`}</output>}
    </li>
  )
}

/** The server has the whole file and may be storing it: canceling now could claim what isn't so. */
function isAllSent({ sent, file }: Upload): boolean {
  return sent >= file.size
}

function describeUpload(one: Upload): string {
  const { state, sent, file, reason } = one
  if (state === 'waiting') return `Queued, ${formatBytes(file.size)}`
  if (state === 'sending' && isAllSent(one)) return `Saving, ${formatBytes(file.size)}`
  if (state === 'sending') return `${formatBytes(Math.min(sent, file.size))} of ${formatBytes(file.size)}`
  if (state === 'done') return `Uploaded, ${formatBytes(file.size)}`
  return state === 'stopped' ? 'Canceled' : (reason ?? 'Rejected')
}
