import { Button } from '@mantine/core'
import { formatBytes } from './job-labels.ts'
import { NoticeBar } from './NoticeBar.tsx'

type Props = { title: string; bytes: number; onCancel: () => void }

/** A file on its way. How long it will be is not known, so it tells how much is there. */
export function FileNotice({ title, bytes, onCancel }: Props) {
  return (
    <NoticeBar
      // A small file is there before anybody could read that it is coming.
      isPatient
      bar={<progress className="fc-progress" aria-label={`Progress: ${title}`} />}
      actions={
        <Button variant="subtle" onClick={onCancel}>
          Cancel
        </Button>
      }
    >
      <bdi className="fc-cut">{title}</bdi>
      <bdi className="fc-work-count">{bytes === 0 ? 'Being made' : formatBytes(bytes)}</bdi>
    </NoticeBar>
  )
}
