import { TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type Questionnaire,
  questionnaireRecord,
  questionnaires,
  questionnaireSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { editLock } from '../questionnaires/questionnaire-actions.ts'
import { OrganizationField } from '../questionnaires/OrganizationField.tsx'
import type { DraftSaver } from './draft-saver.ts'

const update = send(questionnaires.update)
const { labels, toValues } = recordForm(questionnaireSummary)

type Values = ReturnType<typeof toValues>
type Props = { saver: DraftSaver; stored: Questionnaire; onChanged: (questionnaire: Questionnaire) => void }

/** Name, key and organization. They aren't part of a version, so they can change at any time. */
export function SettingsTab({ saver, stored, onChanged }: Props) {
  return (
    <LoadedRecord key={stored.id} record={stored}>
      {(loaded, keep) => (
        <Settings
          saver={saver}
          stored={loaded}
          onChanged={(changed) => {
            onChanged(changed)
            keep(changed)
          }}
        />
      )}
    </LoadedRecord>
  )
}

/** `stored`: as it was when the form started. */
function Settings({ saver, stored, onChanged }: Props) {
  const [blank] = useState(() => toValues(stored))
  const record = useRecordForm<Values, Questionnaire>({
    record: stored,
    blank,
    toValues,
    labels,
    schema: questionnaireRecord.schema,
    endpoint: questionnaires.update,
    isLocked: !stored.mayEdit,
    check: (values) => {
      const { error } = questionnaires.update.input.safeParse(inputOf(stored, stored.version, values))
      return error ? fieldSentences(error) : {}
    },
    save: async (values, version) => {
      // The questions have a version of their own on the screen: save them first. They explain what keeps them from it.
      if (!(await saver.flush())) return null
      const latest = saver.view().stored
      return update(
        inputOf(latest, isOnlyDrafted(stored, latest, version) ? latest.version : version, values),
      )
    },
    keep: onChanged,
    onSaved: (saved) => {
      toast('Settings saved', saved.name)
    },
  })
  const { field, form, change, changed, isReadOnly, isSaving } = record
  return (
    <RecordForm record={record} className="fc-form-settings">
      <FormSection title="Questionnaire" text="Participants see the name of the assessment, not this one.">
        <TextInput {...field('name')} className="fc-wide" required maxLength={100} autoComplete="off" />
        <TextInput
          {...field('key')}
          className="fc-wide"
          required
          maxLength={60}
          autoComplete="off"
          description="The name of the questionnaire in files."
        />
        <OrganizationField
          value={form.values.organizationId}
          error={form.errors['organizationId']}
          isReadOnly={isReadOnly}
          onChange={(organizationId) => change({ organizationId })}
        />
        <Action
          for={questionnaires.update}
          type="submit"
          className="fc-fit"
          lock={editLock(stored) ?? (changed.length > 0 ? null : 'There are no unsaved changes.')}
          loading={isSaving}
        >
          Save settings
        </Action>
      </FormSection>
      <StaleDialog record={record} thing="this questionnaire" />
    </RecordForm>
  )
}

/** Whether only the questions were saved since the form started. Other settings must not be replaced unseen. */
function isOnlyDrafted(started: Questionnaire, latest: Questionnaire, version: number | undefined): boolean {
  const isSame = JSON.stringify(toValues(started)) === JSON.stringify(toValues(latest))
  return isSame && version === started.version
}

function inputOf(
  { id, organizationId: stored }: Questionnaire,
  version: number | undefined,
  { name, key, organizationId }: Values,
) {
  const isMoved = organizationId !== (stored ?? '')
  return {
    id,
    version,
    name,
    key,
    ...(isMoved && { organizationId: organizationId === '' ? null : organizationId }),
  }
}
