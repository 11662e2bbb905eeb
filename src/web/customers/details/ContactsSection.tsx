import { ContactList } from '#web/ui/form/ContactList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { DetailsRecord } from './details-record.ts'

export function ContactsSection({ record }: { record: DetailsRecord }) {
  return (
    <FormSection
      title="Contacts"
      text="People the platform should contact, most important first. They don't need an account."
    >
      <ContactList record={record} />
    </FormSection>
  )
}
