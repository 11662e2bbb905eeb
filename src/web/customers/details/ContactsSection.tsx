import { ContactList } from '#web/ui/form/ContactList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { DetailsRecord } from './details-record.ts'

/** Whom to call; they need not be people who sign in. */
export function ContactsSection({ record }: { record: DetailsRecord }) {
  return (
    <FormSection
      title="Contacts"
      text="Whom the platform calls, the most important first. They need not sign in."
    >
      <ContactList record={record} />
    </FormSection>
  )
}
