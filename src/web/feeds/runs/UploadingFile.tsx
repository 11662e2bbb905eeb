import { Button } from '@mantine/core'
import { formatBytes } from '#web/ui/tasks/job-labels.ts'
import '#web/ui/tasks/job-progress.css'
import type { FeedUpload } from './upload-feed.ts'

/** The progress of an upload with a Stop button, or the reason why it failed. */
export function UploadingFile({ upload }: { upload: FeedUpload }) {
  const { file, sent, problem, stop, dismiss } = upload
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
  const sentBytes = Math.min(sent, file.size)
  return (
    <div className="fc-feed-sending">
      <div className="fc-grow">
        <p className="fc-feed-sending-words">
          <bdi className="fc-cut">{file.name}</bdi>
          <span className="fc-small fc-soft fc-number">
            <bdi>
              {sentBytes < file.size
                ? `${formatBytes(sentBytes)} of ${formatBytes(file.size)}`
                : `${formatBytes(file.size)} uploaded, processing`}
            </bdi>
          </span>
        </p>
        <progress
          className="fc-progress"
          aria-label={`Progress: ${file.name}`}
          max={Math.max(1, file.size)}
          value={sentBytes}
        />
      </div>
      <Button variant="default" onClick={stop}>
        Stop
      </Button>
    </div>
  )
}
