import type {
  AdfContact,
  AdfEmail,
  AdfLead,
  AdfPhone,
  AdfPrice,
  AdfRest,
  AdfVehicle,
} from '#contract/leads/adf/adf-lead.ts'
import { nameText } from '#contract/leads/adf/describe-adf.ts'
import { writeAdf } from '#contract/leads/adf/write-adf.ts'
import { LEAD_TYPES, unfinishedText } from '#contract/leads/inbox/lead-list.ts'
import { labelOf } from '#contract/record.ts'
import type { DeliveredLead, DeliveredVehicle } from './delivered-lead.ts'
import { otherContacts, updateLines } from './lead-documents.ts'

/**
 * A lead as an ADF 1.0 document. `key` identifies this delivery: it is the same in every attempt. What the lead came in as is
 * carried on whole; what users corrected since, such as the vehicle or the name, replaces it.
 */
export function leadAdf(lead: DeliveredLead, key: string): string {
  const { document } = lead
  const written: AdfLead = {
    // ADF's word for a lead that the receiver has.
    status: lead.update === null ? 'new' : 'resend',
    ids: [
      { value: key, source: 'Forecourt', sequence: '1' },
      ...(lead.firstKey === null
        ? []
        : [{ value: lead.firstKey, source: 'Forecourt first lead', sequence: null }]),
      ...(document?.ids ?? []),
    ],
    requestedAt: document?.requestedAt ?? lead.receivedAt,
    vehicles: vehiclesOf(lead),
    tradeIns: tradeInsOf(lead),
    customer: {
      ids: document?.customer.ids ?? [],
      contact: contactOf(lead),
      timeframe: document?.customer.timeframe ?? null,
    },
    comments: adfComments(lead),
    vendor: vendorOf(lead),
    provider: providerOf(lead),
    extensions: document?.extensions ?? [],
    rest: [...(document?.rest ?? []), ...replacedNames(lead)],
    warnings: [],
  }
  return writeAdf([written])
}

function adfComments({ isTest, unfinished, completedAt, comments, update }: DeliveredLead): string | null {
  const marks = [
    update !== null && `UPDATE. ${updateLines(update).join('\n')}\n\nThe lead so far:\n`,
    isTest && 'TEST LEAD.',
    unfinished !== null && `${unfinishedText(unfinished)}.`,
    completedAt !== null && 'The buyer finished the form.',
    comments,
  ].filter((part) => typeof part === 'string')
  return marks.length === 0 ? null : marks.join(' ')
}

const NO_NAME = { full: null, first: null, middle: null, last: null, suffix: null, company: null }
const NO_CONTACT: AdfContact = { isPrimary: false, name: NO_NAME, emails: [], phones: [], address: null }

/** The first is the vehicle of the lead as it is now, with what only the document says about it. */
function vehiclesOf(lead: DeliveredLead): AdfVehicle[] {
  const [first, ...others] = lead.document?.vehicles ?? []
  if (lead.vehicle === null) return first === undefined ? [] : [first, ...others]
  const price: AdfPrice | null =
    lead.priceCents === null
      ? null
      : {
          value: (lead.priceCents / 100).toFixed(2),
          type: 'quote',
          currency: lead.currency,
          delta: null,
          relativeTo: null,
          source: null,
        }
  const now = adfVehicle(lead.vehicle, lead)
  // A document has one price. What the source or the buyer named is not ours to change.
  return [{ ...withDetails(now, first), price: first?.price ?? price }, ...others]
}

function tradeInsOf(lead: DeliveredLead): AdfVehicle[] {
  const [first, ...others] = lead.document?.tradeIns ?? []
  if (lead.tradeIn === null) return first === undefined ? [] : [first, ...others]
  const now = { ...adfVehicle(lead.tradeIn, lead), interest: 'trade-in' as const }
  return [withDetails(now, first), ...others]
}

/** A vehicle as it is now; what nothing is known of comes from the document. */
function withDetails(now: AdfVehicle, sent: AdfVehicle | undefined): AdfVehicle {
  if (sent === undefined) return now
  return {
    ...sent,
    status: now.statusText === null ? sent.status : now.status,
    statusText: now.statusText ?? sent.statusText,
    year: now.year ?? sent.year,
    make: now.make ?? sent.make,
    model: now.model ?? sent.model,
    vin: now.vin ?? sent.vin,
    stock: now.stock ?? sent.stock,
    trim: now.trim ?? sent.trim,
    odometer: sent.odometer ?? now.odometer,
  }
}

function contactOf(lead: DeliveredLead): AdfContact {
  const { person, document } = lead
  const { name, firstName: first, lastName: last, email, phone, preferredContact } = person
  const { street, city, region, postalCode, country } = person
  const hasAddress = [street, city, region, postalCode, country].some((part) => part !== null)
  const hasParts = first !== null && last !== null
  const sent = document?.customer.contact ?? null
  const isSameName = sent !== null && isName(nameText(sent.name), name)
  const own = hasParts ? { ...NO_NAME, first, last } : { ...NO_NAME, full: name ?? email ?? phone }
  const address = {
    type: 'home' as const,
    streets: street === null ? [] : [street],
    apartment: null,
    city,
    region,
    postalCode,
    country,
  }
  return {
    isPrimary: true,
    name: isSameName ? sent.name : own,
    emails: emailsOf({ email, preferredContact }, [...(sent?.emails ?? []), ...moreEmails(lead)]),
    phones: phonesOf({ phone, preferredContact }, [...(sent?.phones ?? []), ...morePhones(lead)]),
    address: sent?.address ?? (hasAddress ? address : null),
  }
}

const isName = (sent: string, name: string | null): boolean =>
  sent !== '' && sent.toLowerCase() === name?.toLowerCase()

/** Addresses that the lead gave in some other way than a document. */
const moreEmails = (lead: DeliveredLead): AdfEmail[] =>
  otherContacts(lead, 'email').flatMap((value) =>
    lead.document?.customer.contact.emails.some((one) => one.value.toLowerCase() === value.toLowerCase()) ===
    true
      ? []
      : [{ value, isValid: true, isPreferred: false }],
  )

const morePhones = (lead: DeliveredLead): AdfPhone[] =>
  otherContacts(lead, 'phone').flatMap((value) =>
    lead.document?.customer.contact.phones.some((one) => digitsOf(one.value) === digitsOf(value)) === true
      ? []
      : [{ value, type: 'voice', label: null, time: 'nopreference', isPreferred: false }],
  )

type Preferred = { preferredContact: string | null }

/** The address of the person first, then the others of the document. */
function emailsOf(
  { email, preferredContact }: Preferred & { email: string | null },
  sent: readonly AdfEmail[],
): AdfEmail[] {
  const others = sent.filter(({ value }) => value.toLowerCase() !== email?.toLowerCase())
  if (email === null) return others
  return [{ value: email, isValid: true, isPreferred: preferredContact === 'email' }, ...others]
}

function phonesOf(
  { phone, preferredContact }: Preferred & { phone: string | null },
  sent: readonly AdfPhone[],
): AdfPhone[] {
  if (phone === null || sent.some(({ value }) => digitsOf(value) === digitsOf(phone))) return [...sent]
  const isPreferred = preferredContact === 'call'
  return [{ value: phone, type: 'voice', label: null, time: 'nopreference', isPreferred }, ...sent]
}

const digitsOf = (phone: string): string => phone.replaceAll(/\D/g, '')

/** The store that gets the lead, with the IDs and contacts by which the source names it. */
function vendorOf({ lot, seller, document }: DeliveredLead): AdfLead['vendor'] {
  const sent = document?.vendor ?? null
  return {
    ids: [
      ...(lot === null ? [] : [{ value: lot.code, source: 'Forecourt', sequence: null }]),
      ...(sent?.ids ?? []),
    ],
    name: lot?.name ?? seller,
    url: sent?.url ?? null,
    contact: { ...(sent?.contact ?? NO_CONTACT), name: { ...NO_NAME, full: seller } },
  }
}

function providerOf({ source, type, pageUrl, document }: DeliveredLead): AdfLead['provider'] {
  const sent = document?.provider ?? null
  const own = { ...NO_NAME, full: source }
  return {
    ids: sent?.ids ?? [],
    name: sent === null || nameText(sent.name) === '' ? own : sent.name,
    service: sent?.service ?? labelOf(LEAD_TYPES, type),
    url: sent?.url ?? pageUrl,
    contact: sent?.contact ?? null,
  }
}

/** Names and values in whose place the document has those of today. */
function replacedNames(lead: DeliveredLead): AdfRest[] {
  const { document, person, lot, seller, vehicle, tradeIn, comments } = lead
  if (document === null) return []
  const [sentVehicle] = document.vehicles
  const [sentTradeIn] = document.tradeIns
  const name = nameText(document.customer.contact.name)
  const dealer = nameText(document.vendor?.contact?.name ?? NO_NAME)
  const of = (at: string, value: string | null | undefined, now: string | number | null | undefined) =>
    value == null || value === '' || value.toLowerCase() === String(now ?? '').toLowerCase()
      ? []
      : [{ at, attribute: null, value }]
  const inVehicle = (at: string, sent: AdfVehicle | undefined, now: DeliveredVehicle | null) =>
    now === null
      ? []
      : (['year', 'make', 'model', 'vin', 'stock', 'trim'] as const).flatMap((field) =>
          now[field] === null ? [] : of(`${at}/${field}`, sent?.[field], now[field]),
        )
  return [
    ...of('customer/contact/name', isName(name, person.name) ? null : name, null),
    ...of('vendor/vendorname', document.vendor?.name, lot?.name ?? seller),
    ...of('vendor/contact/name', dealer === document.vendor?.name ? null : dealer, seller),
    ...inVehicle('vehicle', sentVehicle, vehicle),
    ...inVehicle('vehicle', sentTradeIn, tradeIn),
    // The lead's own comments also have what the buyer wrote elsewhere.
    ...(comments?.includes(document.comments ?? '') === true
      ? []
      : of('customer/comments', document.comments, null)),
  ]
}

function adfVehicle(vehicle: DeliveredVehicle, { distanceUnit }: DeliveredLead): AdfVehicle {
  const { vin, stock, year, make, model, trim, condition, mileage } = vehicle
  const status = condition === 'new' || condition === 'demo' ? 'new' : 'used'
  return {
    ids: [],
    interest: 'buy',
    status,
    statusText: condition === null ? null : status,
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
