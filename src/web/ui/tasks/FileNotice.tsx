import { Button } from '@mantine/core'
import { formatBytes } from './job-labels.ts'
import { NoticeBar } from './NoticeBar.tsx'

type Props = { title: string; bytes: number; onCancel: () => void }

/** A file being downloaded. Its total size isn't known, so the received bytes are shown. */
export function FileNotice({ title, bytes, onCancel }: Props) {
  return (
    <NoticeBar
      // A small file arrives before anyone could read the notice.
      isPatient
      bar={<progress className="fc-progress" aria-label={`Progress: ${title}`} />}
      actions={
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <bdi className="fc-cut">{title}</bdi>
      <bdi className="fc-work-count">{bytes === 0 ? 'Preparing' : formatBytes(bytes)}</bdi>
    </NoticeBar>
  )
}
