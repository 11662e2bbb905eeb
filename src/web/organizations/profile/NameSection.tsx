import { TextInput } from '@mantine/core'
import { TimeZoneSelect } from '#web/ui/form/TimeZoneSelect.tsx'
import { LogoField } from './LogoField.tsx'
import type { ProfileRecord } from './profile-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'

type Props = { record: ProfileRecord; mayRename: boolean; isNew: boolean }

const KEPT = 'Name, logo and time zone are kept by people who reach every organization of your customer.'

/** What everybody in the customer sees of the organization. */
export function NameSection({ record, mayRename, isNew }: Props) {
  const { field, form } = record
  const isLocked = record.isReadOnly || !mayRename
  return (
    <FormSection title="Name" text={mayRename ? 'How it is called where people choose it.' : KEPT}>
      <TextInput
        {...field('name')}
        {...(isNew && { 'data-autofocus': true })}
        readOnly={isLocked}
        required
        maxLength={120}
        autoComplete="off"
      />
      <TextInput {...field('legalName')} maxLength={160} autoComplete="off" />
      <TimeZoneSelect
        {...field('timeZone')}
        readOnly={isLocked}
        value={form.values.timeZone}
        allowDeselect={false}
        placeholder="UTC"
      />
      <LogoField record={record} isReadOnly={isLocked} />
    </FormSection>
  )
}
