import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type Questionnaire, questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { editLock } from '../questionnaires/questionnaire-actions.ts'
import { OrganizationField } from '../questionnaires/OrganizationField.tsx'
import type { DraftSaver } from './draft-saver.ts'

const update = send(questionnaires.update)

type Values = { name: string; key: string; organizationId: string }
type Props = { saver: DraftSaver; stored: Questionnaire; onChanged: (questionnaire: Questionnaire) => void }

/** Name, key and organization. They aren't part of a version, so they can change at any time. */
export function SettingsTab(props: Props) {
  // A saved change starts a new form.
  const { name, key, organizationId } = props.stored
  return <Settings key={`${name} ${key} ${organizationId ?? ''}`} {...props} />
}

function Settings({ saver, stored, onChanged }: Props) {
  const holds = useHolds()
  const isAllowed = permissionsFor(questionnaires.update.allow).some((one) => holds(one) === true)
  const isReadOnly = !isAllowed || !stored.mayEdit
  const form = useForm<Values>({
    initialValues: { name: stored.name, key: stored.key, organizationId: stored.organizationId ?? '' },
    validate: (values) => {
      const { error } = questionnaires.update.input.safeParse(inputOf(stored, values))
      return error ? fieldSentences(error) : {}
    },
  })
  const { release } = useUnsavedGuard(form.isDirty())
  const saving = useMutation({
    mutationFn: async (values: Values) => {
      // The questions have a version of their own on the screen: save them first.
      if (!(await saver.flush())) return null
      return update(inputOf(saver.view().stored, values))
    },
    onSuccess: (saved) => {
      if (saved === null) return
      release()
      toast('Settings saved', saved.name)
      onChanged(saved)
    },
    onError: (failure) => {
      if (Object.keys(failure.fields).length > 0) form.setErrors({ ...failure.fields })
      else showError(failure)
    },
  })
  return (
    <form
      className="fc-form-settings"
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!saving.isPending) saving.mutate(values)
      })}
    >
      <FormSection title="Questionnaire" text="Participants see the name of the assessment, not this one.">
        <TextInput
          {...form.getInputProps('name')}
          label="Name"
          className="fc-wide"
          required
          maxLength={100}
          readOnly={isReadOnly}
          autoComplete="off"
        />
        <TextInput
          {...form.getInputProps('key')}
          label="Key"
          className="fc-wide"
          required
          maxLength={60}
          readOnly={isReadOnly}
          autoComplete="off"
          description="The name of the questionnaire in files."
        />
        <OrganizationField
          value={form.values.organizationId}
          error={form.errors.organizationId}
          isReadOnly={isReadOnly}
          onChange={(id) => form.setFieldValue('organizationId', id)}
        />
        <Action
          for={questionnaires.update}
          type="submit"
          className="fc-fit"
          lock={editLock(stored) ?? (form.isDirty() ? null : 'There are no unsaved changes.')}
          loading={saving.isPending}
        >
          Save settings
        </Action>
      </FormSection>
    </form>
  )
}

function inputOf(
  { id, version, organizationId: stored }: Questionnaire,
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
