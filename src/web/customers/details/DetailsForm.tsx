import type { ReactElement } from 'react'
import {
  CustomerDetails,
  CustomerDetailsChange,
  customerDetails,
} from '#contract/customers/details/details.ts'
import type { SettingChange } from '#contract/pricing/rules/rule-requests.ts'
import { query, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { TagsField } from '#web/ui/form/TagsField.tsx'
import { describeRequirement, permissionsFor } from '#web/ui/controls/permission-of.ts'
import { CustomFieldsSection } from '../custom-fields/CustomFieldsSection.tsx'
import { checkDetails, DETAILS_LABELS, showDetail, toDetailsInput, toDetailsValues } from './details-form.ts'
import type { Load } from '#web/ui/record/Loaded.tsx'
import { RecordPage } from '#web/ui/record/RecordPage.tsx'
import { changedOf, saveSetting } from '#web/ui/prices/save-confirming.tsx'
import { WaitingApproval } from '#web/ui/prices/WaitingApproval.tsx'
import type { SettingEffectOf } from '../setting-effect.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import { DisclaimersSection } from './DisclaimersSection.tsx'
import { FeeCapsSection } from './FeeCapsSection.tsx'
import { FeesSection } from './FeesSection.tsx'
import { PriceProfilesSection } from './PriceProfilesSection.tsx'
import { PriceLimitsSection } from './PriceLimitsSection.tsx'
import { RegionSection } from './RegionSection.tsx'
import { ContactList } from '#web/ui/record/ContactList.tsx'
import type { DetailsRecord } from './details-record.ts'
import { TextInput } from '@mantine/core'
import { MAKES } from '../makes.ts'
import { Timeline } from '#web/ui/record/Timeline.tsx'

const updateDetails = send(customerDetails.update)
const REQUIRED = permissionsFor(customerDetails.update.allow)
const MISSING = `You can view these details but not change them. That requires ${describeRequirement(customerDetails.update.allow)}.`

const FORM = {
  schema: CustomerDetails,
  labels: DETAILS_LABELS,
  toValues: toDetailsValues,
  toInput: toDetailsInput,
  check: checkDetails,
}

type Props = {
  load: Load<CustomerDetails>
  /** While they load. */
  skeleton: ReactElement
  Effect: SettingEffectOf
}

/** All customer details, saved together with the save bar. */
export function DetailsForm({ load, skeleton, Effect }: Props) {
  const holds = useHolds()
  const isMissing = REQUIRED.some((permission) => holds(permission) === false)
  return (
    <RecordPage
      load={load}
      noun="details"
      thing="these details"
      what="the details"
      shape={skeleton}
      form={FORM}
      endpoints={customerDetails}
      cachedBy={() => ({})}
      save={(input, change) => {
        const version = change?.version
        const { changes, fields } = waitingChange(input, change?.saved)
        return saveSetting({ kind: 'details', changes: { ...changes, version } }, fields, (confirmPrices) =>
          updateDetails({ ...input, version, confirmPrices }),
        )
      }}
      nameOf={({ name }) => name}
      isLocked={({ lock }) => lock !== null}
      show={showDetail}
      className="fc-details-form"
    >
      {(record, details) =>
        details && (
          <>
            {record.isReadOnly && (
              <p className="fc-note-mute">
                <bdi>{isMissing || details.lock === null ? MISSING : details.lock}</bdi>
              </p>
            )}
            <WaitingApproval kind="details" />
            <ProfileSection record={record} />
            <RegionSection record={record} />
            <PriceLimitsSection record={record} />
            <FeesSection record={record} />
            <FeeCapsSection record={record} />
            <PriceProfilesSection record={record} />
            <Effect change={movingChange(record)} />
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
          </>
        )
      }
    </RecordPage>
  )
}

/** What moves totals. */
const MOVING = ['fees', 'priceLaw', 'priceProfiles'] as const
const isMoving = (name: string): boolean => MOVING.some((one) => one === name)

/** What would wait for approval, and the fields of the form with it. Of the price limits, the one that sets when it is needed. */
function waitingChange(input: ReturnType<typeof toDetailsInput>, saved: CustomerDetails | undefined) {
  const before = saved ?? { priceLimits: {} }
  const moving = changedOf(MOVING, input, before)
  const approvalAbove = input.priceLimits?.approvalAbove ?? null
  const isLoosened = saved !== undefined && approvalAbove !== (saved.priceLimits.approvalAbove ?? null)
  const values = {
    ...Object.fromEntries(moving.map((name) => [name, input[name]])),
    ...(isLoosened && { priceLimits: { ...saved.priceLimits, approvalAbove } }),
  }
  const fields: string[] = [...moving, ...(isLoosened ? ['approvalAbove'] : [])]
  return { changes: CustomerDetailsChange.parse(values), fields }
}

/** The change of what totals depend on; null if there is none, or if it has errors. */
function movingChange({ form, changed }: DetailsRecord): SettingChange | null {
  const moving = changed.filter(isMoving)
  if (moving.length === 0 || Object.keys(checkDetails(form.values)).length > 0) return null
  const input = Object.entries(toDetailsInput(form.values)).filter(([name]) => isMoving(name))
  return { kind: 'details', changes: CustomerDetailsChange.parse(Object.fromEntries(input)) }
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
      <TagsField
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
