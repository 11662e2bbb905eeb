import { TextInput } from '@mantine/core'
import { EditableList } from '#web/ui/form/EditableList.tsx'
import { BLANK_CONTACT, type ContactRow } from './profile-fields.ts'
import type { ProfileRecord } from './profile-record.ts'
import { ProfileSection } from './ProfileSection.tsx'

const FIELDS: readonly { name: keyof ContactRow; label: string; most: number; type?: 'email' | 'tel' }[] = [
  { name: 'name', label: 'Name', most: 100 },
  { name: 'role', label: 'Role', most: 80 },
  { name: 'email', label: 'E-mail', most: 254, type: 'email' },
  { name: 'phone', label: 'Phone', most: 32, type: 'tel' },
]

/** Where it is registered, and whom to ask about it. */
export function PlaceSections({ record }: { record: ProfileRecord }) {
  const { field, form, isReadOnly } = record
  return (
    <>
      <ProfileSection title="Address" text="Where the organization is registered.">
        <TextInput {...field('address')} className="fc-wide" maxLength={200} autoComplete="off" />
        <TextInput {...field('city')} maxLength={100} autoComplete="off" />
        <TextInput {...field('region')} maxLength={60} autoComplete="off" />
        <TextInput {...field('postalCode')} maxLength={16} autoComplete="off" />
      </ProfileSection>
      <ProfileSection title="Contacts" text="Whom to ask about its reports. They need not sign in.">
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
      </ProfileSection>
    </>
  )
}
