import type { AdfContact, AdfLead, AdfVehicle } from '#contract/leads/adf/adf-lead.ts'
import { writeAdf } from '#contract/leads/adf/write-adf.ts'
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
  return [...test, ...shown, ...(lead.comments === null ? [] : ['', lead.comments]), ''].join('\n')
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
    data: lead,
  })
}

/** A lead that was sent before its buyer had finished the form is the same lead: its ID stays. */
const eventOf = ({ completedAt }: DeliveredLead) => (completedAt === null ? 'lead.created' : 'lead.completed')

/** A lead as an ADF 1.0 document. `key` identifies this delivery: it is the same in every attempt. */
export function leadAdf(lead: DeliveredLead, key: string): string {
  const buying =
    lead.vehicle === null ? [] : [{ ...adfVehicle(lead.vehicle, lead), interest: 'buy' as const }]
  const trade =
    lead.tradeIn === null ? [] : [{ ...adfVehicle(lead.tradeIn, lead), interest: 'trade-in' as const }]
  const document: AdfLead = {
    status: 'new',
    ids: [{ value: key, source: 'Forecourt', sequence: '1' }],
    requestedAt: lead.receivedAt,
    vehicles: buying.map((vehicle) => ({
      ...vehicle,
      price:
        lead.priceCents === null
          ? null
          : {
              value: (lead.priceCents / 100).toFixed(2),
              type: 'quote',
              currency: lead.currency,
              delta: null,
              relativeTo: null,
              source: null,
            },
    })),
    tradeIns: trade,
    customer: { ids: [], contact: adfContact(lead.person), timeframe: null },
    comments: adfComments(lead),
    vendor: {
      ids: lead.lot === null ? [] : [{ value: lead.lot.code, source: 'Forecourt', sequence: null }],
      name: lead.lot?.name ?? lead.seller,
      url: null,
      contact: { ...NO_CONTACT, name: { ...NO_NAME, full: lead.seller } },
    },
    provider: {
      ids: [],
      name: { ...NO_NAME, full: lead.source },
      service: labelOf(LEAD_TYPES, lead.type),
      url: lead.pageUrl,
      contact: null,
    },
    extensions: [],
    warnings: [],
  }
  return writeAdf([document])
}

function adfComments({ isTest, unfinished, completedAt, comments }: DeliveredLead): string | null {
  const marks = [
    isTest && 'TEST LEAD.',
    unfinished !== null && `${unfinishedText(unfinished)}.`,
    completedAt !== null && 'The buyer finished the form.',
    comments,
  ].filter((part) => typeof part === 'string')
  return marks.length === 0 ? null : marks.join(' ')
}

const NO_NAME = { full: null, first: null, middle: null, last: null, suffix: null, company: null }
const NO_CONTACT: AdfContact = { isPrimary: false, name: NO_NAME, emails: [], phones: [], address: null }

function adfContact(person: DeliveredLead['person']): AdfContact {
  const { name, firstName: first, lastName: last, email, phone, preferredContact } = person
  const { street, city, region, postalCode, country } = person
  const hasAddress = [street, city, region, postalCode, country].some((part) => part !== null)
  const hasParts = first !== null && last !== null
  return {
    isPrimary: true,
    name: hasParts ? { ...NO_NAME, first, last } : { ...NO_NAME, full: name ?? email ?? phone },
    emails:
      email === null ? [] : [{ value: email, isValid: true, isPreferred: preferredContact === 'email' }],
    phones:
      phone === null
        ? []
        : [
            {
              value: phone,
              type: 'voice',
              label: null,
              time: 'nopreference',
              isPreferred: preferredContact === 'call',
            },
          ],
    address: hasAddress
      ? {
          type: 'home',
          streets: street === null ? [] : [street],
          apartment: null,
          city,
          region,
          postalCode,
          country,
        }
      : null,
  }
}

function adfVehicle(vehicle: DeliveredVehicle, { distanceUnit }: DeliveredLead): AdfVehicle {
  const { vin, stock, year, make, model, trim, condition, mileage } = vehicle
  return {
    ids: [],
    interest: 'buy',
    status: condition === 'new' ? 'new' : 'used',
    year: year === null ? null : String(year),
    make,
    model,
    vin,
    stock,
    trim,
    doors: null,
    bodyStyle: null,
    transmission: null,
    odometer:
      mileage === null
        ? null
        : { value: String(mileage), units: distanceUnit === 'km' ? 'km' : 'mi', status: null },
    condition: null,
    colors: [],
    images: [],
    price: null,
    priceComments: null,
    options: [],
    finance: null,
    comments: null,
  }
}
