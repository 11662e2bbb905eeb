import { NativeSelect, TextInput } from '@mantine/core'
import { z } from 'zod'
import { people, type Person } from '#contract/leads/people/people.ts'
import { CONTACT_LABELS } from '#contract/leads/people/person-contacts.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'

const addContact = send(people.addContact)
const KINDS = [
  { value: 'phone', label: 'Phone' },
  { value: 'email', label: 'Email' },
]
const LABELS = [{ value: '', label: 'None' }, ...CONTACT_LABELS]
const labelFrom = (text: string) => CONTACT_LABELS.find(({ value }) => value === text)?.value ?? null

type Props = {
  person: Person
  /** Null if it is closed without a change. */
  onAnswer: (saved: Person | null) => void
}

/** Adds a phone number or an email address to a buyer. */
export function AddContactForm({ person, onAnswer }: Props) {
  const call = useCallForm({
    endpoint: people.addContact,
    about: person.id,
    initial: { kind: 'phone', value: '', label: '' },
    check: ({ kind, value }): { value?: string } => {
      if (kind === 'email')
        return z.email().safeParse(value.trim()).success ? {} : { value: 'Enter a valid email address.' }
      return /\d/.test(value) ? {} : { value: 'Enter a phone number.' }
    },
    send: ({ kind, value, label }) =>
      addContact({
        personId: person.id,
        kind: kind === 'email' ? 'email' : 'phone',
        value: value.trim(),
        label: labelFrom(label),
      }),
    onDone: onAnswer,
  })
  const { kind, label } = call.values
  return (
    <CallForm call={call} for={people.addContact} confirm="Add" onCancel={() => onAnswer(null)}>
      <NativeSelect
        label="Kind"
        data={KINDS}
        value={kind}
        onChange={(event) => call.change({ kind: event.currentTarget.value })}
      />
      <TextInput
        {...call.field('value')}
        label={kind === 'email' ? 'Email' : 'Phone'}
        required
        data-autofocus
        maxLength={kind === 'email' ? 254 : 40}
        autoComplete="off"
      />
      <NativeSelect
        label="Label"
        data={LABELS}
        value={label}
        onChange={(event) => call.change({ label: event.currentTarget.value })}
      />
    </CallForm>
  )
}
