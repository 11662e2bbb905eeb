import { Button, FileButton } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { questionnaireFiles } from '#contract/questionnaires/import/questionnaire-files.ts'
import {
  applyTranslations,
  translationTable,
} from '#contract/questionnaires/questionnaires/translation-table.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { saveFile } from '#web/api/download.ts'
import { useMutation } from '#web/api/mutation.ts'
import { upload } from '#web/api/upload.ts'
import type { Builder } from '#web/questions/builder/use-builder.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { showError, showNotice } from '#web/ui/overlay/dialogs.tsx'

const MOST = 20

/** All texts as a table for a translator, and the table back. */
export function TranslationFiles({ builder }: { builder: Builder }) {
  const { content, isReadOnly } = builder
  const reading = useMutation<{ lines: string[][] }, CallFailure, File>({
    mutationFn: (file) =>
      upload(questionnaireFiles.readTable, {}, [file], {
        signal: new AbortController().signal,
        onSent: () => undefined,
      }),
    onSuccess: ({ lines }) => take(lines),
    onError: (failure) => showError(failure),
  })
  function take(lines: readonly (readonly string[])[]) {
    const { draft, scoring } = content
    const { content: translated, changed, problems } = applyTranslations({ draft, scoring }, lines)
    if (changed > 0) {
      builder.apply(
        { content: { ...content, ...translated }, chosen: builder.chosen },
        `${count(changed, 'text', 'texts')} imported`,
      )
    }
    toast('Translations imported', `${count(changed, 'text', 'texts')} changed`)
    if (problems.length > 0) {
      showNotice(
        'Not everything was imported',
        <ul className="fc-changes">
          {problems.slice(0, MOST).map((problem) => (
            <li key={problem}>
              <bdi>{problem}</bdi>
            </li>
          ))}
          {problems.length > MOST && <li>And {problems.length - MOST} more.</li>}
        </ul>,
      )
    }
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden="true" />}
        onClick={() =>
          saveFile(new File([csvOf(translationTable(content))], 'translations.csv', { type: 'text/csv' }))
        }
      >
        Export texts
      </Button>
      {!isReadOnly && (
        <FileButton accept=".csv,.xlsx" onChange={(file) => file !== null && reading.mutate(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={reading.isPending}
              leftSection={<IconUpload size={16} aria-hidden="true" />}
            >
              Import texts
            </Button>
          )}
        </FileButton>
      )}
    </>
  )
}

/** With a byte order mark, so that spreadsheets read it as UTF-8. */
function csvOf(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','))
  return `\uFEFF${lines.join('\r\n')}\r\n`
}
