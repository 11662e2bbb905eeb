import { TextInput } from '@mantine/core'
import { TimeZoneSelect } from '#web/ui/form/TimeZoneSelect.tsx'
import { LogoField } from './LogoField.tsx'
import type { ProfileRecord } from './profile-record.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'

type Props = { record: ProfileRecord; mayRename: boolean; isNew: boolean }

const LOCKED = 'Name, logo and time zone can only be changed by users with access to all organizations.'

/** Name, logo and time zone, which every member of the customer sees, and the legal name. */
export function NameSection({ record, mayRename, isNew }: Props) {
  const { field, form } = record
  const isLocked = record.isReadOnly || !mayRename
  return (
    <FormSection title="Name" text={mayRename ? 'Shown wherever people select an organization.' : LOCKED}>
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
