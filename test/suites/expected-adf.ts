import type { LeadDocument } from '#contract/leads/adf/adf-lead.ts'

type Fact = { lead: LeadDocument; prospects: readonly LeadDocument[]; value: unknown }

/** What expected.json of the real ADF files calls by this name, in its shape. */
export function expectedFact(name: string, { lead, prospects, value }: Fact): unknown {
  const [vehicle = null] = lead.vehicles
  const [tradeIn] = lead.tradeIns
  switch (name) {
    case 'customer':
      return customerFacts(lead, value)
    case 'vehicle_of_interest':
      return vehicle === null ? null : vehicleFacts(vehicle, value)
    case 'trade_in':
      return { year: tradeIn?.year, model: tradeIn?.model, mileage: tradeIn?.odometer?.value }
    case 'vendor':
      return lead.vendor?.name
    case 'requestdate_fallback':
      return lead.requestedAt ?? 'received time'
    case 'source':
      return lead.ids[0]?.source
    case 'external_id':
      return lead.ids[0]?.value
    case 'timeframe':
      return { earliest: lead.customer.timeframe?.earliest }
    case 'provider_extensions':
      return lead.more.filter(({ at }) => at === 'provider').map(({ name: element }) => element)
    case 'status':
      return lead.status
    case 'statuses':
      return prospects.map(({ status }) => status)
    default:
      throw new Error(`expected.json has an unknown fact: ${name}`)
  }
}

const keysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : []

function customerFacts({ customer: { contact }, more }: LeadDocument, value: unknown): unknown {
  const given: Record<string, unknown> = { ...Object(value) }
  const { name, emails, phones } = contact
  const facts: Record<string, unknown> = {
    full: name.full,
    first: name.first,
    last: name.last,
    email: emails.find(({ isValid }) => isValid)?.value,
    email_invalid: emails.find(({ isValid }) => !isValid)?.value,
    locale: more.find(({ name: element }) => element === 'locale')?.value,
    preferred: [
      ...emails.filter(({ isPreferred }) => isPreferred).map(() => 'email'),
      ...phones.filter(({ isPreferred }) => isPreferred).map((phone) => `phone ${phone.value}`),
    ],
    phones: phonesLike(given['phones'], contact),
  }
  return Object.fromEntries(keysOf(value).map((key) => [key, facts[key]]))
}

/** expected.json has their number, their values, or their values by type. */
function phonesLike(given: unknown, { phones }: LeadDocument['customer']['contact']): unknown {
  if (typeof given === 'number') return phones.length
  if (Array.isArray(given)) return phones.map(({ value }) => value)
  return Object.fromEntries(phones.map(({ label, type, value }) => [label ?? type, value]))
}

function vehicleFacts(vehicle: LeadDocument['vehicles'][number], value: unknown): unknown {
  const { odometer, price, finance } = vehicle
  const amount = (type: string): number => Number(finance?.amounts.find((one) => one.type === type)?.value)
  const facts: Record<string, unknown> = {
    ...vehicle,
    odometer: { value: Number(odometer?.value), units: odometer?.units, status: odometer?.status },
    price: { type: price?.type, currency: price?.currency, value: Number(price?.value) },
    colors: vehicle.colors.length,
    options: vehicle.options.length,
    finance: { method: finance?.method, downpayment: amount('downpayment'), monthly: amount('monthly') },
  }
  return Object.fromEntries(keysOf(value).map((key) => [key, facts[key]]))
}
