import { TextInput } from '@mantine/core'
import { ContactList } from '#web/ui/form/ContactList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { ProfileRecord } from './profile-record.ts'

/** The registered address and the contacts. */
export function PlaceSections({ record }: { record: ProfileRecord }) {
  const { field } = record
  return (
    <>
      <FormSection title="Address" text="The registered address of the organization.">
        <TextInput {...field('address')} className="fc-wide" maxLength={200} autoComplete="off" />
        <TextInput {...field('city')} maxLength={100} autoComplete="off" />
        <TextInput {...field('region')} maxLength={60} autoComplete="off" />
        <TextInput {...field('postalCode')} maxLength={16} autoComplete="off" />
      </FormSection>
      <FormSection title="Contacts" text="People to contact about its reports. They don't need an account.">
        <ContactList record={record} />
      </FormSection>
    </>
  )
}
