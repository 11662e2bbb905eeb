import { Button, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { fieldSentences } from '#contract/field-sentences.ts'
import { CONTACT_METHOD_CODES, CONTACT_METHODS, people, type Person } from '#contract/leads/people/people.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'

const updatePerson = send(people.update)
const FIELDS = ['firstName', 'lastName', 'email', 'phone', 'postalCode', 'contactTime'] as const
type Values = Record<(typeof FIELDS)[number] | 'preferredContact', string>

const LABELS: Readonly<Record<(typeof FIELDS)[number], string>> = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  postalCode: 'ZIP code',
  contactTime: 'Best time to contact',
}

const toInput = ({ id, version }: Person, { preferredContact, ...values }: Values) => ({
  id,
  version,
  ...values,
  preferredContact: CONTACT_METHOD_CODES.find((code) => code === preferredContact) ?? null,
})

/** The contact details of a buyer, in a dialog. */
export function PersonForm({
  person,
  onAnswer,
}: {
  person: Person
  onAnswer: (saved: Person | null) => void
}) {
  const form = useForm<Values>({
    initialValues: {
      firstName: person.firstName ?? '',
      lastName: person.lastName ?? '',
      email: person.email ?? '',
      phone: person.phone ?? '',
      postalCode: person.postalCode ?? '',
      contactTime: person.contactTime ?? '',
      preferredContact: person.preferredContact ?? '',
    },
    validate: (values) => {
      const { error } = people.update.input.safeParse(toInput(person, values))
      return error ? fieldSentences(error) : {}
    },
  })
  const save = useMutation({
    mutationFn: updatePerson,
    onSuccess: onAnswer,
    onError: (failure) => {
      if (Object.keys(failure.fields).length > 0) form.setErrors({ ...failure.fields })
      else showError(failure)
    },
  })
  return (
    <form
      className="fc-dialog-form"
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!save.isPending) save.mutate(toInput(person, values))
      })}
    >
      {FIELDS.map((name) => (
        <TextInput
          key={name}
          {...form.getInputProps(name)}
          {...(name === 'firstName' && { 'data-autofocus': true })}
          label={LABELS[name]}
          autoComplete="off"
          maxLength={254}
        />
      ))}
      <Select
        {...form.getInputProps('preferredContact')}
        value={form.values.preferredContact || null}
        onChange={(next) => form.setFieldValue('preferredContact', next ?? '')}
        label="Prefers"
        data={[...CONTACT_METHODS]}
        clearable
      />
      <div className="fc-row">
        <span className="fc-grow" />
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Action for={people.update} type="submit" loading={save.isPending}>
          Save
        </Action>
      </div>
    </form>
  )
}
