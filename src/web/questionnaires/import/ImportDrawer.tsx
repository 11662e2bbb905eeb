import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import {
  questionnaireFiles,
  type QuestionnaireImport,
} from '#contract/questionnaires/import/questionnaire-files.ts'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { upload } from '#web/api/upload.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FileDrop } from '#web/ui/files/FileDrop.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { ImportReport } from './ImportReport.tsx'
import { OrganizationField } from '../questionnaires/OrganizationField.tsx'

const add = send(questionnaires.add)

/** A file, what it becomes, and adding that as a questionnaire. */
function useImport() {
  const navigate = useNavigate()
  const [file, setFile] = useState<File | null>(null)
  const form = useForm({ initialValues: { name: '', key: '', organizationId: '' } })
  const reading = useMutation<QuestionnaireImport, CallFailure, File>({
    mutationFn: (chosen) =>
      upload(questionnaireFiles.read, {}, [chosen], {
        signal: new AbortController().signal,
        onSent: () => undefined,
      }),
    onSuccess: ({ name, key }) => form.setValues({ name, key }),
  })
  const adding = useMutation({
    mutationFn: ({ draft, scoring }: QuestionnaireImport) => {
      const { name, key, organizationId } = form.getValues()
      return add({ name, key, draft, scoring, ...(organizationId !== '' && { organizationId }) })
    },
    onSuccess: ({ id, name }) => {
      toast('Questionnaire imported', name)
      void navigate({ to: '/configure-questionnaire/$id', params: { id }, ignoreBlocker: true })
    },
    onError: (failure) => {
      if (Object.keys(failure.fields).length > 0) form.setErrors({ ...failure.fields })
      else showError(failure)
    },
  })
  const take = (chosen: File) => {
    setFile(chosen)
    reading.mutate(chosen)
  }
  return { file, form, reading, adding, take }
}

/** Imports a questionnaire from a file, after showing what it becomes and what is left out. */
export function ImportDrawer({ onClose }: { onClose: () => void }) {
  const importing = useImport()
  const { file, reading, adding, take } = importing
  const read = reading.data
  return (
    <FormDrawer
      title="Import a questionnaire"
      about="Exported from Forecourt or SurveyJS (JSON), or an XLSForm (XLSX)"
      size={640}
      onClose={onClose}
    >
      <form
        className="fc-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (read !== undefined && !adding.isPending) adding.mutate(read)
        }}
      >
        <Locked isBusy={adding.isPending}>
          <div className="fc-form-fields">
            <div className="fc-wide">
              <FileDrop
                text="Drop a JSON or XLSX file here"
                file={file}
                accept=".json,.xlsx"
                isBusy={reading.isPending}
                onTake={take}
              />
            </div>
            {reading.error !== null && (
              <section className="fc-wide" role="alert">
                <h3 className="fc-import-heading">Nothing can be imported</h3>
                <p className="fc-rows-error">
                  <bdi>{Object.values(reading.error.fields)[0] ?? reading.error.message}</bdi>
                </p>
              </section>
            )}
            {read !== undefined && <ImportedFields read={read} form={importing.form} />}
          </div>
          <div className="fc-form-footer">
            <span className="fc-grow" />
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Action
              for={questionnaires.add}
              type="submit"
              lock={read === undefined ? 'Choose a file.' : null}
              loading={adding.isPending}
            >
              Import
            </Action>
          </div>
        </Locked>
      </form>
    </FormDrawer>
  )
}

type FieldsProps = { read: QuestionnaireImport; form: ReturnType<typeof useImport>['form'] }

function ImportedFields({ read, form }: FieldsProps) {
  return (
    <>
      <ImportReport read={read} />
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        className="fc-wide"
        required
        maxLength={100}
        autoComplete="off"
      />
      <TextInput
        {...form.getInputProps('key')}
        label="Key"
        className="fc-wide"
        required
        maxLength={60}
        autoComplete="off"
        description="The name of the questionnaire in files."
      />
      <OrganizationField
        value={form.values.organizationId}
        error={form.errors.organizationId}
        onChange={(id) => form.setFieldValue('organizationId', id)}
      />
    </>
  )
}
