import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type EditionPreview, factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { upload } from '#web/api/upload.ts'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { EditionForm } from './EditionForm.tsx'
import { EditionFound } from './EditionFound.tsx'
import { ImportedEditions } from './ImportedEditions.tsx'

const readEdition = (file: File) =>
  upload(factorEditions.read, {}, [file], {
    signal: new AbortController().signal,
    onSent: () => undefined,
  })

/** Brings a whole edition of factors in: a file, what is in it, what it says of itself. */
export function EditionDrawer({ onClose }: { onClose: (isSaved?: boolean) => void }) {
  const [file, setFile] = useState<File | null>(null)
  const reading = useMutation<EditionPreview, CallFailure, File>({ mutationFn: readEdition })
  function take(given: File) {
    setFile(given)
    reading.mutate(given)
  }
  const found = reading.isPending ? undefined : reading.data
  return (
    <FormDrawer
      title="Import an edition"
      about="CSV or XLSX: the UK's flat file, the EPA's supply chain factors, or the template"
      size={640}
      onClose={() => onClose()}
    >
      <div className="fc-edition">
        <FileDrop
          text="Drop the publisher’s file here."
          file={file}
          accept=".csv,.tsv,.txt,.xlsx"
          isBusy={reading.isPending}
          onTake={take}
        />
        <div aria-live="polite" className="fc-edition-found">
          {reading.isPending && <output className="fc-small fc-soft">Reading the file ...</output>}
          {reading.error !== null && (
            <p className="fc-form-alert" role="alert">
              <bdi>{reading.error.message}</bdi>
            </p>
          )}
          {found && <EditionFound found={found} />}
        </div>
        {found && file && found.factors > 0 && (
          <EditionForm
            key={`${file.name} ${file.size}`}
            file={file}
            found={found}
            onAdded={() => onClose(true)}
          />
        )}
        {!found && (
          <>
            <p>
              <Button
                variant="subtle"
                size="compact-sm"
                leftSection={<IconDownload size={16} aria-hidden="true" />}
                onClick={() => void fetchFile(factorEditions.template, {}, 'Template of factors')}
              >
                Download the template
              </Button>
            </p>
            <ImportedEditions />
          </>
        )}
      </div>
    </FormDrawer>
  )
}
