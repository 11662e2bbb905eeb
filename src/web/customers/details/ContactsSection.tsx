import { TextInput } from '@mantine/core'
import { EditableList } from '#web/ui/form/EditableList.tsx'
import { BLANK_CONTACT, type ContactRow } from './details-fields.ts'
import type { DetailsRecord } from './details-record.ts'
import { DetailsSection } from './DetailsSection.tsx'

const FIELDS: readonly { name: keyof ContactRow; label: string; most: number; type?: 'email' | 'tel' }[] = [
  { name: 'name', label: 'Name', most: 100 },
  { name: 'role', label: 'Role', most: 80 },
  { name: 'email', label: 'E-mail', most: 254, type: 'email' },
  { name: 'phone', label: 'Phone', most: 32, type: 'tel' },
]

/** Whom to call; they need not be people who sign in. */
export function ContactsSection({ record }: { record: DetailsRecord }) {
  const { form, isReadOnly } = record
  return (
    <DetailsSection
      title="Contacts"
      text="Whom the platform calls, the most important first. They need not sign in."
    >
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
    </DetailsSection>
  )
}
