import { TextInput } from '@mantine/core'
import {
  type Questionnaire,
  questionnaireRecord,
  questionnaires,
  questionnaireSummary,
} from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordEditor } from '#web/ui/record/RecordEditor.tsx'
import { editLock } from '../questionnaires/questionnaire-actions.ts'
import { OrganizationField } from '../questionnaires/OrganizationField.tsx'
import type { DraftSaver } from './draft-saver.ts'

const update = send(questionnaires.update)
const summaryForm = recordForm(questionnaireSummary)
const { toValues } = summaryForm
const FORM = { ...summaryForm, schema: questionnaireRecord.schema }

type Props = { saver: DraftSaver; stored: Questionnaire; onChanged: (questionnaire: Questionnaire) => void }

/** Name, key and organization. They aren't part of a version, so they can change at any time. */
export function SettingsTab({ saver, stored, onChanged }: Props) {
  return (
    <RecordEditor
      key={stored.id}
      saved={stored}
      thing="this questionnaire"
      form={FORM}
      endpoints={questionnaires}
      className="fc-form-settings"
      isLocked={(questionnaire) => questionnaire?.mayEdit === false}
      save={async ({ organizationId = null, ...input }, change) => {
        // The questions have a version of their own on the screen: save them first. They explain what keeps them from it.
        if (change === null || !(await saver.flush())) return null
        const latest = saver.view().stored
        const version = isOnlyDrafted(change.saved, latest, change.version) ? latest.version : change.version
        const isMoved = organizationId !== latest.organizationId
        return update({ id: latest.id, version, ...input, ...(isMoved && { organizationId }) })
      }}
      onKept={onChanged}
      onSaved={(saved) => toast('Settings saved', saved.name)}
    >
      {({ record: { field, form, change, changed, isReadOnly, isSaving }, endpoint }) => (
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
            for={endpoint}
            type="submit"
            className="fc-fit"
            lock={editLock(stored) ?? (changed.length > 0 ? null : 'There are no unsaved changes.')}
            loading={isSaving}
          >
            Save settings
          </Action>
        </FormSection>
      )}
    </RecordEditor>
  )
}

/** Whether only the questions were saved since the form started. Other settings must not be replaced unseen. */
function isOnlyDrafted(started: Questionnaire, latest: Questionnaire, version: number | undefined): boolean {
  const isSame = JSON.stringify(toValues(started)) === JSON.stringify(toValues(latest))
  return isSame && version === started.version
}
