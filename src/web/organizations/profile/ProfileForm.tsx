import type { ReactNode } from 'react'
import { OrganizationProfile, organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { send } from '#web/api/query.ts'
import type { Load } from '#web/ui/record/Loaded.tsx'
import { saveSetting } from '#web/ui/prices/save-confirming.tsx'
import { WaitingApproval } from '#web/ui/prices/WaitingApproval.tsx'
import { RecordPage } from '#web/ui/record/RecordPage.tsx'
import { describeRequirement } from '#web/ui/controls/permission-of.ts'
import { BLANK, checkProfile, FIELD_NAMES, showField, toInput, toValues } from './profile-form.ts'
import { ReportingSection } from './ReportingSection.tsx'
import './profile.css'
import { TextInput } from '@mantine/core'
import { ContactList } from '#web/ui/record/ContactList.tsx'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { ProfileRecord } from './profile-record.ts'
import { TimeZoneSelect } from '#web/ui/form/TimeZoneSelect.tsx'
import { LogoField } from './LogoField.tsx'

type Props = {
  /** Null for a new organization. */
  load: Load<OrganizationProfile> | null
  onCreated: (id: string) => void
  renderAfter: (organization: OrganizationProfile) => ReactNode
}

const addOrganization = send(organizationProfiles.add)
const updateOrganization = send(organizationProfiles.update)
/** Another time zone moves when prices change. Only that is sent for approval. */
function changeOrganization(
  input: ReturnType<typeof toInput>,
  { id, timeZone: zone, version }: { id: string; timeZone: string; version: number | undefined },
) {
  const changes = { id, timeZone: input.timeZone ?? zone }
  return saveSetting({ kind: 'organization', changes }, ['timeZone'], (confirmPrices) =>
    updateOrganization({ ...input, id, version, confirmPrices }),
  )
}

const FORM = {
  schema: OrganizationProfile,
  labels: FIELD_NAMES,
  blank: BLANK,
  toValues,
  toInput,
  check: checkProfile,
}

/** The form of the first step: name, reporting, address and contacts, saved together. */
export function ProfileForm(props: Props) {
  return (
    <RecordPage
      {...props}
      noun="organization"
      thing="this organization"
      shape="spinner"
      form={FORM}
      endpoints={organizationProfiles}
      cachedBy={({ id }) => ({ id })}
      save={(input, change) =>
        change
          ? changeOrganization(input, { ...change.saved, version: change.version })
          : addOrganization(input)
      }
      nameOf={({ name }) => name}
      show={showField}
      className="fc-profile-form"
    >
      {(record, organization) => (
        <>
          {record.isReadOnly && (
            <p className="fc-profile-note">
              <bdi>
                View only. Editing requires{' '}
                {describeRequirement(
                  (organization ? organizationProfiles.update : organizationProfiles.add).allow,
                )}
                .
              </bdi>
            </p>
          )}
          {organization && <WaitingApproval kind="organization" id={organization.id} />}
          <NameSection
            record={record}
            mayRename={organization?.mayRename ?? true}
            isNew={organization === null}
          />
          <ReportingSection record={record} />
          <PlaceSections record={record} />
        </>
      )}
    </RecordPage>
  )
}

/** The registered address and the contacts. */
function PlaceSections({ record }: { record: ProfileRecord }) {
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

type NameProps = { record: ProfileRecord; mayRename: boolean; isNew: boolean }

const LOCKED = 'Name, logo and time zone can only be changed by users with access to all organizations.'

/** Name, logo and time zone, which every member of the customer sees, and the legal name. */
function NameSection({ record, mayRename, isNew }: NameProps) {
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
