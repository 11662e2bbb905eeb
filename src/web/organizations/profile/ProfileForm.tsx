import { OrganizationProfile, organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { describeRequirement } from '#web/ui/controls/permission-of.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import {
  BLANK,
  checkProfile,
  FIELD_NAMES,
  type ProfileValues,
  showField,
  toInput,
  toValues,
} from './profile-form.ts'
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
  organization: OrganizationProfile | null
  onCreated: (id: string) => void
  /** Called after the organization was saved or reloaded. */
  onKept?: (organization: OrganizationProfile) => void
}

const addOrganization = send(organizationProfiles.add)
const updateOrganization = send(organizationProfiles.update)

/** The form of the first step: name, reporting, address and contacts, saved together. */
export function ProfileForm({ organization, onCreated, onKept }: Props) {
  const endpoint = organization ? organizationProfiles.update : organizationProfiles.add
  const record = useRecordForm<ProfileValues, OrganizationProfile>({
    record: organization,
    blank: BLANK,
    toValues,
    labels: FIELD_NAMES,
    schema: OrganizationProfile,
    endpoint,
    check: checkProfile,
    save: (values, version) =>
      organization
        ? updateOrganization({ ...toInput(values), id: organization.id, version })
        : addOrganization(toInput(values)),
    keep: (kept) => {
      queryClient.setQueryData([...keyOf(organizationProfiles.get), { id: kept.id }], kept)
      onKept?.(kept)
    },
    onSaved: (saved) => {
      toast(organization ? 'Organization saved' : 'Organization added', saved.name)
      if (!organization) onCreated(saved.id)
    },
  })
  const { changed, isReadOnly, isSaving, submit, discard } = record
  const labels: Readonly<Record<string, string>> = FIELD_NAMES
  return (
    <RecordForm record={record} className="fc-profile-form">
      {isReadOnly && (
        <p className="fc-profile-note">
          <bdi>View only. Editing requires {describeRequirement(endpoint.allow)}.</bdi>
        </p>
      )}
      <NameSection
        record={record}
        mayRename={organization?.mayRename ?? true}
        isNew={organization === null}
      />
      <ReportingSection record={record} />
      <PlaceSections record={record} />
      {organization === null && (
        <div className="fc-profile-end">
          <Action for={endpoint} type="submit" loading={isSaving}>
            Add organization
          </Action>
        </div>
      )}
      {organization && changed.length > 0 && (
        <SaveBar
          title={`${count(changed.length, 'field', 'fields')} changed`}
          line={changed.map((name) => labels[name]).join(', ')}
          for={endpoint}
          isSaving={isSaving}
          onSave={submit}
          onDiscard={discard}
        />
      )}
      <StaleDialog record={record} thing="this organization" show={showField} />
    </RecordForm>
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
