import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { showSize } from '#contract/files/show-size.ts'
import type { SubmissionFile } from '#contract/files/submission-file.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { showError } from '../overlay/dialogs.tsx'
import { fetchFile } from '../tasks/fetch-file.ts'
import './sent-files.css'

/** Files that a visitor sent with a form. They are saved to open them, and never shown: they may contain anything. */
export function SentFiles({ files }: { files: readonly SubmissionFile[] }) {
  const save = useMutation<void, CallFailure, SubmissionFile>({
    mutationFn: ({ id, name }) => fetchFile(submissions.download, { id }, `Save ${name}`),
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
