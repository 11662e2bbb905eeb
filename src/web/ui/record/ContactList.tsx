import { TextInput } from '@mantine/core'
import { BLANK_CONTACT, type ContactRow } from './contact-rows.ts'
import { EditableList } from './EditableList.tsx'
import type { RecordFormState } from './use-record-form.ts'

const FIELDS: readonly { name: keyof ContactRow; label: string; most: number; type?: 'email' | 'tel' }[] = [
  { name: 'name', label: 'Name', most: 100 },
  { name: 'role', label: 'Role', most: 80 },
  { name: 'email', label: 'Email', most: 254, type: 'email' },
  { name: 'phone', label: 'Phone', most: 32, type: 'tel' },
]

/** Contacts, most important first: the form field `contacts`. */
export function ContactList<Values extends { contacts: ContactRow[] }, Saved>({
  record,
}: {
  record: RecordFormState<Values, Saved>
}) {
  const { form, isReadOnly } = record
  return (
    <div className="fc-wide">
      <EditableList
        record={record}
        name="contacts"
        rows={form.values.contacts}
        blank={BLANK_CONTACT}
        noun="contact"
        nameOf={(contact) => contact.name}
        empty="No contacts yet."
      >
        {(_contact, path) =>
          FIELDS.map(({ name, label, most, type = 'text' }) => (
            <TextInput
              key={name}
              label={label}
              {...form.getInputProps(`${path}.${name}`)}
              type={type}
              readOnly={isReadOnly}
              required={name === 'name'}
              maxLength={most}
              autoComplete="off"
            />
          ))
        }
      </EditableList>
    </div>
  )
}
