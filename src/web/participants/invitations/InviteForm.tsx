import { Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { fieldSentences } from '#contract/field-sentences.ts'
import {
  assessmentParticipants,
  PARTICIPANT_LANGUAGES,
  PARTICIPANT_ROLES,
} from '#contract/participants/invitations/participants.ts'
import { PERSON_ROLES } from '#contract/assessments/targets/target-states.ts'
import { labelOf } from '#contract/record.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import type { InviteFormProps } from '#web/assessments/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useKeptTyping } from '#web/ui/record/kept-typing.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'

const addPeople = send(assessmentParticipants.add)

const LANGUAGE_NAMES = { en: 'English', es: 'Spanish', fr: 'French', de: 'German' } as const
const LANGUAGES = PARTICIPANT_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))
const ROLES = PARTICIPANT_ROLES.map((value) => ({ value, label: labelOf(PERSON_ROLES, value) }))

type Values = {
  name: string
  email: string
  language: (typeof PARTICIPANT_LANGUAGES)[number]
  role: (typeof PARTICIPANT_ROLES)[number]
}

/** Adds someone without an account. Their invitation is emailed now, or when the assessment opens. */
export function InviteForm({ targetIds, isOpen, hasOwner, onInvited }: InviteFormProps) {
  const form = useForm<Values>({
    initialValues: { name: '', email: '', language: 'en', role: hasOwner ? 'contributor' : 'owner' },
    validate: (values) => {
      const { error } = assessmentParticipants.add.input.safeParse(toInput(values, targetIds))
      return error ? byField(fieldSentences(error)) : {}
    },
  })
  const kept = useKeptTyping({
    endpoint: assessmentParticipants.add,
    record: { id: targetIds.join() },
    values: form.values,
    changed: (['name', 'email'] as const).filter((name) => form.values[name] !== ''),
    putBack: (values) => form.setValues(values),
  })
  const add = useMutation({
    mutationFn: addPeople,
    onSuccess: (invited) => {
      kept.end()
      const [first] = invited
      toast(isOpen ? 'Invitation sent' : 'Person added', first?.name)
      form.setValues({ name: '', email: '', role: 'contributor' })
      onInvited(invited)
    },
    onError: (failure) => {
      const errors = byField(failure.fields)
      if (Object.keys(errors).some((name) => name in form.values)) form.setErrors(errors)
    },
  })
  const isAtField = Object.keys(byField(add.error?.fields ?? {})).some((name) => name in form.values)
  return (
    <form
      className="fc-invite"
      noValidate
      aria-label="Invite someone without an account"
      onSubmit={form.onSubmit((values) => {
        if (!add.isPending) add.mutate(toInput(values, targetIds))
      })}
    >
      <Locked isBusy={add.isPending}>
        <div className="fc-wide">
          <h3>Invite someone without an account</h3>
          <p className="fc-small fc-soft">
            {isOpen
              ? 'They get an email with a link to the questions now.'
              : 'They get an email with a link to the questions when the assessment opens.'}
          </p>
        </div>
        {add.error && !isAtField && (
          <p className="fc-form-alert fc-wide" role="alert">
            <bdi>{add.error.message}</bdi>
          </p>
        )}
        <KeptNotice kept={kept} />
        <TextInput {...form.getInputProps('name')} label="Name" maxLength={100} autoComplete="off" required />
        <TextInput {...form.getInputProps('email')} label="Email" type="email" autoComplete="off" required />
        <Select {...form.getInputProps('role')} label="Role" data={ROLES} allowDeselect={false} />
        <Select {...form.getInputProps('language')} label="Language" data={LANGUAGES} allowDeselect={false} />
        <div className="fc-wide fc-row">
          <Action for={assessmentParticipants.add} type="submit" variant="default" loading={add.isPending}>
            {labelFor(isOpen, targetIds.length)}
          </Action>
        </div>
      </Locked>
    </form>
  )
}

function labelFor(isOpen: boolean, targets: number): string {
  const verb = isOpen ? 'Send invitation' : 'Add person'
  return targets === 1 ? verb : `${verb} for ${count(targets, 'target', 'targets')}`
}

const toInput = (values: Values, targetIds: readonly string[]) => ({
  people: targetIds.map((targetId) => ({ ...values, targetId })),
})

/** Messages of the first person, by field. */
function byField(sentences: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sentences).map(([path, sentence]) => [path.replace(/^people\.\d+\./, ''), sentence]),
  )
}
