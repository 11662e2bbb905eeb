import { Button } from '@mantine/core'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import '#web/ui/tasks/job-progress.css'
import type { Bringing } from './upload-feed.ts'

/** A feed on its way up with the way to stop it; or why it was not taken. */
export function UploadingFile({ bringing }: { bringing: Bringing }) {
  const { file, sent, problem, stop, dismiss } = bringing
  if (problem !== null) {
    return (
      <div className="fc-feed-sending fc-feed-refused" role="alert">
        <bdi className="fc-grow">{problem}</bdi>
        <Button variant="subtle" color="gray" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
    )
  }
  if (file === null) return null
  const out = Math.min(sent, file.size)
  return (
    <div className="fc-feed-sending">
      <div className="fc-grow">
        <p className="fc-feed-sending-words">
          <bdi className="fc-cut">{file.name}</bdi>
          <span className="fc-small fc-soft fc-number">
            <bdi>
              {out < file.size
                ? `${formatBytes(out)} of ${formatBytes(file.size)}`
                : `${formatBytes(file.size)}, being taken in`}
            </bdi>
          </span>
        </p>
        <progress
          className="fc-progress"
          aria-label={`Progress: ${file.name}`}
          max={Math.max(1, file.size)}
          value={out}
        />
      </div>
      <Button variant="default" onClick={stop}>
        Stop
      </Button>
    </div>
  )
}
