import type { LeadDocument } from '#contract/leads/adf/adf-lead.ts'
import { isMessage, moreFacts } from '#contract/leads/adf/describe-adf.ts'
import { consentsInDocument } from '#contract/leads/consents/document-consents.ts'
import { unfinishedText } from '#contract/leads/inbox/lead-list.ts'
import type { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { CONTACT_METHODS } from '#contract/leads/people/people.ts'
import { labelOf } from '#contract/record.ts'
import { formatPrice, PriceLink, RowPicture } from '#web/vehicles/index.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatAgo, formatDay } from '#web/ui/layout/date-format.ts'
import { type Fact, FactList, Facts } from '#web/ui/record/Facts.tsx'
import { SentFiles } from '#web/ui/record/SentFiles.tsx'
import { Attachments } from './Attachments.tsx'
import { EditSubject } from './LeadSubjectForm.tsx'
import { otherText } from './event-text.ts'
import { timeOf } from './lead-clock.ts'
import {
  askedFacts,
  documentFacts,
  otherTradeIns,
  otherVehicles,
  sentFacts,
  tradeDetails,
  vinFact,
  wholeVehicle,
} from './source-facts.tsx'
import { contactFacts } from '../person/ContactFacts.tsx'
import { EditPerson, RecordConsent, RecordOptOut } from '../person/PersonTools.tsx'
import { SamePeople } from '../person/SamePeople.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** The person, the vehicle and where the lead came from. */
export function LeadFacts({ lead }: { lead: LeadRecord }) {
  const { vehicle } = lead
  const asked = vehicleFacts(lead)
  const none = asked.every(([, value]) => !value) ? <p className="fc-small fc-soft">None</p> : undefined
  const about = vehicle === null ? none : <VehicleCard lead={lead} vehicle={vehicle} />
  return (
    <>
      <Facts title="Person" facts={personFacts(lead)} tools={<EditPerson lead={lead} />} />
      <Facts
        title="Vehicle"
        facts={asked}
        tools={
          <span className="fc-row">
            {vehicle && (
              <Link to="/inventory/vehicle-data/$id" params={{ id: vehicle.id }} className="fc-link fc-small">
                Open
              </Link>
            )}
            <EditSubject lead={lead} />
          </span>
        }
      >
        {about}
      </Facts>
      {otherVehicles(lead).map((other, at) => (
        <Facts key={at} title="Also interested in" facts={wholeVehicle(other)} />
      ))}
      <Facts title="Trade-in" facts={tradeFacts(lead)} />
      {otherTradeIns(lead).map((other, at) => (
        <Facts key={at} title="Also trades in" facts={wholeVehicle(other)} />
      ))}
      <SamePeople lead={lead} />
      <Facts title="Source" facts={sourceFacts(lead)} />
      {lead.document !== null && <MoreFromSource lead={lead} document={lead.document} />}
      <Facts title="Contact" facts={channelFacts(lead)} />
    </>
  )
}

type AskedVehicle = NonNullable<LeadRecord['vehicle']>

/** The vehicle in stock with its photo, and whether it can still be bought. */
function VehicleCard({ lead: { isSoldElsewhere }, vehicle }: { lead: LeadRecord; vehicle: AskedVehicle }) {
  return (
    <div className="fc-lead-vehicle">
      <RowPicture vehicle={vehicle} />
      <div>
        <p>
          <b>
            <bdi>{vehicle.title}</bdi>
          </b>
        </p>
        <p className="fc-small fc-soft">
          <bdi>{vehicleLine(vehicle)}</bdi>
        </p>
        {isSoldElsewhere && (
          <p className="fc-small">
            <Status tone="warn" mark="alert">
              Sold to someone else
            </Status>
          </p>
        )}
      </div>
    </div>
  )
}

/** Stock number, mileage and age in one line. */
function vehicleLine({ stock, mileage, distanceUnit, daysInStock }: AskedVehicle): string {
  return [
    stock,
    mileage === null ? null : `${mileage.toLocaleString()} ${distanceUnit}`,
    daysInStock === null ? null : `${count(daysInStock, 'day', 'days')} in stock`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function personFacts(lead: LeadRecord): Fact[] {
  const { person, otherLeads } = lead
  const { preferredContact, contactTime } = person
  const prefers = [
    preferredContact === null ? null : labelOf(CONTACT_METHODS, preferredContact),
    contactTime,
  ].filter((part) => part !== null)
  return [
    ...contactFacts(lead),
    ...sentFacts(lead),
    [
      'ZIP code',
      lead.document?.customer.contact.address?.postalCode === person.postalCode ? null : person.postalCode,
    ],
    ['Prefers', prefers.join(', ')],
    ...otherLeads.map((other): Fact => [
      'Also here',
      <Link
        key={other.id}
        from="/customers/leads"
        to="/customers/leads"
        search={(before) => ({ ...before, lead: other.id })}
        className="fc-link"
      >
        {`${otherText(other)}, ${formatAgo(other.receivedAt)}`}
      </Link>,
    ]),
  ]
}

function vehicleFacts(lead: LeadRecord): Fact[] {
  const { vehicle, vehicleTitle, vehiclePriceCents, currency, soldVehicle } = lead
  const bought: Fact = ['Bought', soldVehicle?.title]
  if (vehicle === null) return [['Asked about', vehicleTitle ?? askedText(lead)], ...askedFacts(lead), bought]
  const { totalCents, otherLeads } = vehicle
  const isOther = vehiclePriceCents !== null && vehiclePriceCents !== totalCents
  const link = (cents: number) => (
    <PriceLink key={cents} vehicle={vehicle} price={formatPrice(cents, currency)} />
  )
  return [
    ['Total price', totalCents === null ? null : <b key="total">{link(totalCents)}</b>],
    ['Price the buyer saw', isOther ? link(vehiclePriceCents) : null],
    ['Other leads', otherLeads === 0 ? null : `${otherLeads.toLocaleString()} in 30 days`],
    ...askedFacts(lead),
    bought,
  ]
}

const askedText = ({ askedVehicle: { year, make, model, trim } }: LeadRecord): string =>
  [year, make, model, trim].filter(Boolean).join(' ')

function tradeFacts(lead: LeadRecord): Fact[] {
  const { tradeIn } = lead
  if (tradeIn === null) return []
  const { year, make, model, trim, mileage, condition, vin } = tradeIn
  return [
    ['Vehicle', [year, make, model, trim].filter(Boolean).join(' ')],
    ['Mileage', mileage == null ? null : `${mileage.toLocaleString()}, stated`],
    ['Condition', condition],
    ['VIN', vin],
    vinFact(tradeIn),
    ...tradeDetails(lead),
  ]
}

function sourceFacts({
  sourceName,
  formName,
  campaign,
  receivedAt,
  keepUntil,
  submissionId,
  unfinished,
  files,
  attachments,
  document,
  zone,
}: LeadRecord): Fact[] {
  const at = (instant: string) => timeOf(Date.parse(instant), { now: Date.now(), zone })
  return [
    ['Source', [sourceName, formName].filter(Boolean).join(', ')],
    [
      'Submission',
      submissionId && (
        <Link
          key="submission"
          to="/dvp/submissions"
          search={{ submission: submissionId }}
          className="fc-link"
        >
          What was sent
        </Link>
      ),
    ],
    ['Form', unfinished && unfinishedText(unfinished)],
    ['Files', files.length > 0 && <SentFiles key="files" files={files} />],
    ['Attachments', attachments.length > 0 && <Attachments key="attachments" files={attachments} />],
    ['Campaign', Object.values(campaign).join(', ')],
    ['Requested', document?.requestedAt != null && at(document.requestedAt)],
    ['Received', at(receivedAt)],
    ...(document === null ? [] : documentFacts(document)),
    ['Kept until', keepUntil && formatDay(keepUntil)],
  ]
}

/** More than this would push everything else out of sight. */
const MANY = 6
const LONG = 400

/** What the source sent besides, each value under its name. Long ones wait until they are opened. */
function MoreFromSource({ lead, document }: { lead: LeadRecord; document: LeadDocument }) {
  // The buyer's message is in the conversation.
  const isShown = ({ name, at, value }: LeadDocument['more'][number]) =>
    isMessage(name, at) && lead.comments?.includes(value) === true
  const facts = moreFacts({ more: document.more.filter((one) => !isShown(one)) })
  if (facts.length === 0) return null
  const isLong = facts.length > MANY || facts.reduce((sum, [, value]) => sum + value.length, 0) > LONG
  if (!isLong) return <Facts title="More from the source" facts={facts} />
  return (
    <section className="fc-facts" aria-label="More from the source">
      <div className="fc-facts-head">
        <h3>More from the source</h3>
      </div>
      <details className="fc-small">
        <summary className="fc-lead-why">{`Show ${count(facts.length, 'value', 'values')}`}</summary>
        <FactList facts={facts} />
      </details>
    </section>
  )
}

/** Whether each channel may be used, and if not, why. */
function channelFacts(lead: LeadRecord): Fact[] {
  const TITLES = { email: 'Email', call: 'Calls', text: 'Texts' }
  const { phone, email } = lead.person
  // What the source says is a proposal, until someone records it.
  const sent = lead.document === null ? [] : consentsInDocument(lead.document)
  return lead.channels.map(({ channel, isAllowed, reason }): Fact => {
    const words = sent.find(({ kind, channels }) => kind === 'given' && channels.includes(channel))?.words
    const isKnown = lead.consents.some((one) => one.channel === channel && one.text === words)
    const canConsent = !isAllowed && (channel === 'email' ? email : phone) !== null
    const proposed = isKnown ? undefined : words
    return [
      TITLES[channel],
      <span key={channel} className="fc-lead-channel">
        {isAllowed ? 'Allowed' : reason}
        {isAllowed && <RecordOptOut lead={lead} channel={channel} />}
        {(canConsent || (!isAllowed && proposed !== undefined)) && (
          <RecordConsent lead={lead} channel={channel} {...(proposed !== undefined && { words: proposed })} />
        )}
      </span>,
      proposed !== undefined && !isAllowed ? `The source says “${proposed}”` : undefined,
    ]
  })
}
