import { CustomerDetails, customerDetails } from '#contract/customers/details/details.ts'
import { keyOf, queryClient, send, query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { describeRequirement, permissionsFor } from '#web/ui/controls/permission-of.ts'
import { SaveBar } from '#web/ui/form/SaveBar.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { CustomFieldsSection } from '../custom-fields/CustomFieldsSection.tsx'
import {
  checkDetails,
  DETAILS_LABELS,
  type DetailsValues,
  showDetail,
  toDetailsInput,
  toDetailsValues,
} from './details-form.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { DisclaimersSection } from './DisclaimersSection.tsx'
import { FeeCapsSection } from './FeeCapsSection.tsx'
import { FeesSection } from './FeesSection.tsx'
import { PriceProfilesSection } from './PriceProfilesSection.tsx'
import { PriceLimitsSection } from './PriceLimitsSection.tsx'
import { RegionSection } from './RegionSection.tsx'
import { ContactList } from '#web/ui/record/ContactList.tsx'
import type { DetailsRecord } from './details-record.ts'
import { TagsInput, TextInput } from '@mantine/core'
import { MAKES } from '../makes.ts'
import { Timeline } from '#web/ui/record/Timeline.tsx'

const updateDetails = send(customerDetails.update)
const REQUIRED = permissionsFor(customerDetails.update.allow)
const MISSING = `You can view these details but not change them. That requires ${describeRequirement(customerDetails.update.allow)}.`

type Props = {
  details: CustomerDetails
  /** Saved, or reloaded. */
  onKept: (details: CustomerDetails) => void
}

/** All customer details, saved together with the save bar. */
export function DetailsForm({ details, onKept }: Props) {
  const record = useRecordForm<DetailsValues, CustomerDetails>({
    record: details,
    blank: toDetailsValues(details),
    toValues: toDetailsValues,
    labels: DETAILS_LABELS,
    schema: CustomerDetails,
    endpoint: customerDetails.update,
    isLocked: details.lock !== null,
    check: checkDetails,
    save: (values, version) => updateDetails({ ...toDetailsInput(values), version }),
    keep: (saved) => {
      queryClient.setQueryData([...keyOf(customerDetails.get), {}], saved)
      onKept(saved)
    },
    onSaved: ({ name }) => toast('Details saved', name),
  })
  const { changed, isReadOnly, isSaving, submit, discard } = record
  const holds = useHolds()
  const isMissing = REQUIRED.some((permission) => holds(permission) === false)
  const labels: Readonly<Record<string, string>> = DETAILS_LABELS
  return (
    <RecordForm record={record} className="fc-details-form">
      {isReadOnly && (
        <p className="fc-note-mute">
          <bdi>{isMissing || details.lock === null ? MISSING : details.lock}</bdi>
        </p>
      )}
      <ProfileSection record={record} />
      <RegionSection record={record} />
      <PriceLimitsSection record={record} />
      <FeesSection record={record} />
      <FeeCapsSection record={record} />
      <PriceProfilesSection record={record} />
      <DisclaimersSection record={record} />
      <ContactsSection record={record} />
      <CustomFieldsSection record={record} details={details} />
      <FormSection
        title="Domains"
        text="Where your users and buyers open Forecourt. Manage domains under White label."
      >
        <Domains domains={details.domains} />
      </FormSection>
      <DetailsActivity />
      {changed.length > 0 && (
        <SaveBar
          title={`${count(changed.length, 'field', 'fields')} changed`}
          line={changed.map((name) => labels[name]).join(', ')}
          for={customerDetails.update}
          isSaving={isSaving}
          onSave={submit}
          onDiscard={discard}
        />
      )}
      <StaleDialog record={record} thing="these details" show={showDetail} />
    </RecordForm>
  )
}

function Domains({ domains }: { domains: readonly string[] }) {
  if (domains.length === 0)
    return (
      <p className="fc-small fc-faint fc-wide">
        <bdi>No custom domain yet. You use the platform's address.</bdi>
      </p>
    )
  return (
    <ul className="fc-lines fc-wide">
      {domains.map((domain) => (
        <li key={domain}>
          <bdi>{domain}</bdi>
        </li>
      ))}
    </ul>
  )
}

function ContactsSection({ record }: { record: DetailsRecord }) {
  return (
    <FormSection
      title="Contacts"
      text="People the platform should contact, most important first. They don't need an account."
    >
      <ContactList record={record} />
    </FormSection>
  )
}

function ProfileSection({ record }: { record: DetailsRecord }) {
  const { field, isReadOnly } = record
  return (
    <FormSection title="Profile" text="Your name on pages, emails and forms.">
      <TextInput {...field('name')} required maxLength={120} autoComplete="off" />
      <TextInput {...field('legalName')} maxLength={160} autoComplete="off" />
      <TextInput
        {...field('website')}
        type="url"
        maxLength={300}
        autoComplete="off"
        placeholder="https://www.example.com"
      />
      <TextInput {...field('phone')} type="tel" maxLength={32} autoComplete="off" />
      <TagsInput
        {...field('makes')}
        className="fc-wide"
        data={MAKES}
        description={isReadOnly ? undefined : <bdi>Makes you sell new. Press Enter after each.</bdi>}
        clearable={!isReadOnly}
        clearButtonProps={{ 'aria-label': 'Clear makes' }}
      />
    </FormSection>
  )
}

/** The latest changes to the details of a customer. */
function DetailsActivity() {
  return (
    <FormSection title="Activity" text="Latest changes to these details, newest first.">
      <div className="fc-wide">
        <Timeline
          query={query(customerDetails.activity, {})}
          what="the activity"
          title="Activity"
          entries={(changes) =>
            changes.map(({ at, by, what }) => ({ at, by: by ?? 'Forecourt', what: <bdi>{what}</bdi> }))
          }
          empty={<p className="fc-small fc-faint">No changes yet.</p>}
        />
      </div>
    </FormSection>
  )
}
