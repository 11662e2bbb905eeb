import { TextInput } from '@mantine/core'
import { ContactList } from '#web/ui/form/ContactList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { ProfileRecord } from './profile-record.ts'

/** Where it is registered, and whom to ask about it. */
export function PlaceSections({ record }: { record: ProfileRecord }) {
  const { field } = record
  return (
    <>
      <FormSection title="Address" text="Where the organization is registered.">
        <TextInput {...field('address')} className="fc-wide" maxLength={200} autoComplete="off" />
        <TextInput {...field('city')} maxLength={100} autoComplete="off" />
        <TextInput {...field('region')} maxLength={60} autoComplete="off" />
        <TextInput {...field('postalCode')} maxLength={16} autoComplete="off" />
      </FormSection>
      <FormSection title="Contacts" text="Whom to ask about its reports. They need not sign in.">
        <ContactList record={record} />
      </FormSection>
    </>
  )
}
