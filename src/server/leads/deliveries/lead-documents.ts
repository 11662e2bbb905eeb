import { describeDocument, leadDocument } from '#contract/leads/adf/describe-adf.ts'
import { LEAD_TYPES, unfinishedText } from '#contract/leads/inbox/lead-list.ts'
import { labelOf } from '#contract/record.ts'
import type { DeliveredLead, DeliveredUpdate, DeliveredVehicle } from './delivered-lead.ts'

/** The subject of an email about a lead. */
export function leadSubject({ isTest, person, vehicleTitle, type, ...lead }: DeliveredLead): string {
  const about = vehicleTitle ?? labelOf(LEAD_TYPES, type)
  const name = person.name ?? person.email ?? person.phone ?? 'Unknown'
  const what = lead.unfinished === null ? 'Lead' : 'Unfinished lead'
  if (lead.update !== null) return `Update: ${name}, ${about}`.replaceAll(/\s+/g, ' ').slice(0, 150)
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
    ...otherContacts(lead, 'phone').map((value): [string, string] => ['Phone', value]),
    ['Email', person.email],
    ...otherContacts(lead, 'email').map((value): [string, string] => ['Email', value]),
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
  const update = lead.update === null ? [] : [...updateLines(lead.update), '', 'The lead so far:', '']
  return [...test, ...update, ...shown, ...comments, ...sourceLines(lead), ''].join('\n')
}

/** What the buyer sent since, in words. */
export function updateLines(update: DeliveredUpdate): string[] {
  const { receivedAt, source, comments, vehicleTitle, name, emails, phones } = update
  const facts: [string, string | null][] = [
    ['Received', receivedAt],
    ['Source', source],
    ['Name', name],
    ['Vehicle', vehicleTitle],
    ...phones.map((value): [string, string] => ['Phone', value]),
    ...emails.map((value): [string, string] => ['Email', value]),
  ]
  return [
    'This is an update of a lead that you have already. The buyer asked again.',
    ...facts.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`])),
    ...(comments === null ? [] : ['', comments]),
  ]
}

/** The addresses or numbers of the lead besides the one that is used first. */
export function otherContacts({ person, contacts }: DeliveredLead, kind: 'email' | 'phone'): string[] {
  const used = kind === 'email' ? person.email?.toLowerCase() : digitsOf(person.phone ?? '')
  const key = (value: string) => (kind === 'email' ? value.toLowerCase() : digitsOf(value))
  return contacts.flatMap((one) => (one.kind === kind && key(one.value) !== used ? [one.value] : []))
}

const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '').slice(-10)

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
function eventOf({ completedAt, update }: DeliveredLead): string {
  if (update !== null) return 'lead.updated'
  return completedAt === null ? 'lead.created' : 'lead.completed'
}
