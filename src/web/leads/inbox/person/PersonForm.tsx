import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { fieldSentences } from '#contract/field-sentences.ts'
import { labelOf } from '#contract/record.ts'
import { CONTACT_METHOD_CODES, CONTACT_METHODS, people, Person } from '#contract/leads/people/people.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'

const updatePerson = send(people.update)
const FIELDS = ['firstName', 'lastName', 'email', 'phone', 'postalCode', 'contactTime'] as const

const LABELS = {
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email',
  phone: 'Phone',
  postalCode: 'ZIP code',
  contactTime: 'Best time to contact',
  preferredContact: 'Prefers',
}
type Values = Record<keyof typeof LABELS, string>

const toValues = (person: Person): Values => ({
  firstName: person.firstName ?? '',
  lastName: person.lastName ?? '',
  email: person.email ?? '',
  phone: person.phone ?? '',
  postalCode: person.postalCode ?? '',
  contactTime: person.contactTime ?? '',
  preferredContact: person.preferredContact ?? '',
})

const toInput = (id: string, version: number | undefined, { preferredContact, ...values }: Values) => ({
  id,
  version,
  ...values,
  preferredContact: CONTACT_METHOD_CODES.find((code) => code === preferredContact) ?? null,
})

type Props = {
  person: Person
  /** Null if it is closed without a change. */
  onAnswer: (saved: Person | null) => void
}

/** The contact details of a buyer, in a dialog. */
export function PersonForm({ person, onAnswer }: Props) {
  return (
    <LoadedRecord record={person}>
      {(loaded, keep) => <Fields person={loaded} onKept={keep} onAnswer={onAnswer} />}
    </LoadedRecord>
  )
}

function Fields({ person, onKept, onAnswer }: Props & { onKept: (person: Person) => void }) {
  const [blank] = useState(() => toValues(person))
  const record = useRecordForm<Values, Person>({
    record: person,
    blank,
    toValues,
    labels: LABELS,
    schema: Person,
    endpoint: people.update,
    check: (values) => {
      const { error } = people.update.input.safeParse(toInput(person.id, person.version, values))
      return error ? fieldSentences(error) : {}
    },
    save: (values, version) => updatePerson(toInput(person.id, version, values)),
    keep: onKept,
    onSaved: onAnswer,
  })
  const { field, form, change } = record
  return (
    <RecordForm record={record} className="fc-dialog-form">
      {FIELDS.map((name) => (
        <TextInput
          key={name}
          {...field(name)}
          {...(name === 'firstName' && { 'data-autofocus': true })}
          autoComplete="off"
          maxLength={254}
        />
      ))}
      <Select
        {...field('preferredContact')}
        value={form.values.preferredContact || null}
        onChange={(next) => change({ preferredContact: next ?? '' })}
        data={CONTACT_METHODS}
        clearable
      />
      <div className="fc-row">
        <span className="fc-grow" />
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Action for={people.update} type="submit" loading={record.isSaving}>
          Save
        </Action>
      </div>
      <StaleDialog
        record={record}
        thing="this person"
        show={(name, values) =>
          name === 'preferredContact' && values.preferredContact !== ''
            ? labelOf(CONTACT_METHODS, values.preferredContact)
            : showValue({ ...values }[name])
        }
      />
    </RecordForm>
  )
}
