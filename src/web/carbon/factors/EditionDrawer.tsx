import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { type EditionPreview, factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { useMutation } from '#web/api/mutation.ts'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { upload } from '#web/api/upload.ts'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { EditionForm } from './EditionForm.tsx'
import { EditionSummary } from './EditionSummary.tsx'
import { ImportedEditions } from './ImportedEditions.tsx'

const readEdition = (file: File) =>
  upload(factorEditions.read, {}, [file], {
    signal: new AbortController().signal,
    onSent: () => undefined,
  })

/** Imports an edition of emission factors: upload a file, check its contents, complete its citation. */
export function EditionDrawer({ onClose }: { onClose: (isSaved?: boolean) => void }) {
  const [file, setFile] = useState<File | null>(null)
  const reading = useMutation<EditionPreview, CallFailure, File>({ mutationFn: readEdition })
  function read(chosen: File) {
    setFile(chosen)
    reading.mutate(chosen)
  }
  const preview = reading.isPending ? undefined : reading.data
  return (
    <FormDrawer
      title="Import edition"
      about="CSV or XLSX: the UK flat file, the EPA supply chain factors, or our template"
      size={640}
      onClose={() => onClose()}
    >
      <div className="fc-edition">
        <FileDrop
          text="Drop the publisher's file here."
          file={file}
          accept=".csv,.tsv,.txt,.xlsx"
          isBusy={reading.isPending}
          onTake={read}
        />
        <div aria-live="polite" className="fc-edition-preview">
          {reading.isPending && <output className="fc-small fc-soft">Reading the file…</output>}
          {reading.error !== null && (
            <p className="fc-form-alert" role="alert">
              <bdi>{reading.error.message}</bdi>
            </p>
          )}
          {preview && <EditionSummary preview={preview} />}
        </div>
        {preview && file && preview.factors > 0 && (
          <EditionForm
            key={`${file.name} ${file.size}`}
            file={file}
            preview={preview}
            onAdded={() => onClose(true)}
          />
        )}
        {!preview && (
          <>
            <p>
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconDownload size={16} aria-hidden="true" />}
                onClick={() => void fetchFile(factorEditions.template, {}, 'Factor template')}
              >
                Download template
              </Button>
            </p>
            <ImportedEditions />
          </>
        )}
      </div>
    </FormDrawer>
  )
}
