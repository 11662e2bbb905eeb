import { describeDocument, leadDocument } from '#contract/leads/adf/describe-adf.ts'
import { LEAD_TYPES, unfinishedText } from '#contract/leads/inbox/lead-list.ts'
import { labelOf } from '#contract/record.ts'
import type { DeliveredLead, DeliveredVehicle } from './delivered-lead.ts'

/** The subject of an email about a lead. */
export function leadSubject({ isTest, person, vehicleTitle, type, ...lead }: DeliveredLead): string {
  const about = vehicleTitle ?? labelOf(LEAD_TYPES, type)
  const name = person.name ?? person.email ?? person.phone ?? 'Unknown'
  const what = lead.unfinished === null ? 'Lead' : 'Unfinished lead'
  const subject = `${isTest ? 'Test lead' : what}: ${name}, ${about}`
  return subject.replaceAll(/\s+/g, ' ').slice(0, 150)
}

/** A lead as a person reads it. */
export function leadText(lead: DeliveredLead): string {
  const { person, tradeIn } = lead
  const name = person.name ?? [person.firstName, person.lastName].filter(Boolean).join(' ')
  const lines: [string, string | null][] = [
    ['Name', name],
    ['Phone', person.phone],
    ['Email', person.email],
    ['ZIP code', person.postalCode],
    ['Prefers', [person.preferredContact, person.contactTime].filter(Boolean).join(', ')],
    ['Type', labelOf(LEAD_TYPES, lead.type)],
    ['Vehicle', lead.vehicleTitle ?? (lead.vehicle === null ? null : titleOf(lead.vehicle))],
    ['VIN', lead.vehicle?.vin ?? null],
    ['Total price', lead.priceCents === null ? null : money(lead.priceCents, lead.currency)],
    ['Trade-in', tradeIn === null ? null : describeTradeIn(tradeIn, lead.distanceUnit)],
    ['Lot', lead.lot === null ? lead.seller : `${lead.lot.name}, ${lead.seller}`],
    ['Source', lead.source],
    ['Received', lead.receivedAt],
    ['Form', lead.unfinished === null ? null : unfinishedText(lead.unfinished)],
    ['Finished', lead.completedAt],
  ]
  const shown = lines.flatMap(([label, value]) =>
    value === null || value === '' ? [] : [`${label}: ${value}`],
  )
  const test = lead.isTest ? ['This is a test.', ''] : []
  const comments = lead.comments === null ? [] : ['', lead.comments]
  return [...test, ...shown, ...comments, ...sourceLines(lead), ''].join('\n')
}

/** Everything that the source sent, below what this product made of it. The comments are above. */
function sourceLines({ document }: DeliveredLead): string[] {
  if (document === null) return []
  const sections = describeDocument({ ...leadDocument(document), comments: null })
  return ['', 'As the source sent it:'].concat(
    sections.flatMap(({ title, facts }) => [
      '',
      title,
      ...facts.map(([label, value]) => `${label}: ${value}`),
    ]),
  )
}

function describeTradeIn(tradeIn: DeliveredVehicle, unit: string): string {
  const mileage = tradeIn.mileage === null ? null : `${tradeIn.mileage.toLocaleString('en')} ${unit}`
  return [titleOf(tradeIn), mileage, tradeIn.vin].filter(Boolean).join(', ')
}

const titleOf = ({ year, make, model, trim }: DeliveredVehicle): string =>
  [year, make, model, trim].filter((word) => word !== null).join(' ')

const money = (cents: number, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)

/** The body of a webhook call. */
export function leadJson(lead: DeliveredLead): string {
  return JSON.stringify({
    type: lead.isTest ? 'lead.test' : eventOf(lead),
    timestamp: lead.receivedAt,
    data: { ...lead, document: lead.document === null ? null : leadDocument(lead.document) },
  })
}

/** A lead that was sent before its buyer had finished the form is the same lead: its ID stays. */
const eventOf = ({ completedAt }: DeliveredLead) => (completedAt === null ? 'lead.created' : 'lead.completed')
