import { Select, TextInput } from '@mantine/core'
import { labelOf } from '#contract/record.ts'
import { CONTACT_METHODS, people, type Person, personRecord } from '#contract/leads/people/people.ts'
import { send } from '#web/api/query.ts'
import { recordForm } from '#web/ui/record/record-form.ts'
import { RecordDialog } from '#web/ui/record/RecordDialog.tsx'
import { showValue } from '#web/ui/record/show-record-value.ts'

const personForm = recordForm(personRecord)
const updatePerson = send(people.update)
const TEXTS = ['firstName', 'lastName', 'email', 'phone', 'postalCode', 'contactTime'] as const

type Props = {
  person: Person
  /** Null if it is closed without a change. */
  onAnswer: (saved: Person | null) => void
}

/** The contact details of a buyer, in a dialog. */
export function PersonForm({ person, onAnswer }: Props) {
  return (
    <RecordDialog
      saved={person}
      thing="this person"
      form={personForm}
      endpoints={people}
      save={(input, change) => updatePerson({ ...input, id: person.id, version: change?.version })}
      button="Save"
      onAnswer={onAnswer}
      show={(name, values) =>
        name === 'preferredContact' && values.preferredContact !== ''
          ? labelOf(CONTACT_METHODS, values.preferredContact)
          : showValue({ ...values }[name])
      }
    >
      {({ record: { field, form, change } }) => (
        <>
          {TEXTS.map((name) => (
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
        </>
      )}
    </RecordDialog>
  )
}
