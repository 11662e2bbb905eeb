import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { showSize } from '#contract/files/show-size.ts'
import type { SubmissionFile } from '#contract/files/submission-file.ts'
import type { leadFiles } from '#contract/leads/inbox/lead-files.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { showError } from '../overlay/dialogs.tsx'
import { fetchFile } from '../tasks/fetch-file.ts'
import './sent-files.css'

type SentFile = Pick<SubmissionFile, 'id' | 'name' | 'bytes'>
type Props = {
  files: readonly SentFile[]
  /** What downloads one of them. */
  download?: typeof submissions.download | typeof leadFiles.download
}

/** Files that a visitor or an email brought. They are saved to open them, and never shown: they may contain anything. */
export function SentFiles({ files, download = submissions.download }: Props) {
  const save = useMutation<void, CallFailure, SentFile>({
    mutationFn: ({ id, name }) => fetchFile(download, { id }, `Save ${name}`),
    onError: (failure) => showError(failure),
  })
  return (
    <ul className="fc-sent-files">
      {files.map((file) => (
        <li key={file.id}>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconDownload size={14} aria-hidden="true" />}
            onClick={() => save.mutate(file)}
            aria-label={`Save ${file.name}`}
          >
            <bdi>{file.name}</bdi>
          </Button>
          <span className="fc-small fc-faint">{showSize(file.bytes, 'en')}</span>
        </li>
      ))}
    </ul>
  )
}
