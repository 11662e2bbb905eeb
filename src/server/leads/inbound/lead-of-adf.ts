import {
  type AdfContact,
  type AdfLead,
  type AdfPhone,
  type AdfVehicle,
  StoredAdf,
} from '#contract/leads/adf/adf-lead.ts'
import { isMessage } from '#contract/leads/adf/describe-adf.ts'
import type { NewLead } from '../inbox/receive-lead.ts'
import type { NewContact } from '../people/person-contacts.ts'

type AdfLeadValues = Pick<
  NewLead,
  | 'type'
  | 'followsStock'
  | 'document'
  | 'person'
  | 'senders'
  | 'externalId'
  | 'askedVehicle'
  | 'tradeIn'
  | 'comments'
  | 'campaign'
  | 'language'
>

/** 1 mile in kilometers. */
const KM_PER_MILE = 1.609_344

/** What a lead of ADF means to this product. All of it is `document`. `distanceUnit`: the customer's, for odometers. */
export function leadOfAdf(lead: AdfLead, { distanceUnit }: { distanceUnit: 'mi' | 'km' }): AdfLeadValues {
  const [vehicle] = lead.vehicles
  const [tradeIn] = lead.tradeIns
  return {
    ...typeOf(lead),
    document: StoredAdf.parse(lead),
    person: personOf(lead),
    senders: sendersOf(lead),
    externalId: externalIdOf(lead),
    ...(vehicle !== undefined && {
      askedVehicle: {
        ...vehicleFacts(vehicle),
        stock: vehicle.stock,
        condition: conditionOf(vehicle),
        color: vehicle.colors[0]?.exterior ?? null,
        mileage: mileageOf(vehicle, distanceUnit),
        comments: vehicle.comments,
      },
    }),
    tradeIn:
      tradeIn === undefined
        ? null
        : {
            ...vehicleFacts(tradeIn),
            mileage: mileageOf(tradeIn, distanceUnit),
            condition: tradeIn.condition,
            comments: tradeIn.comments,
          },
    comments: wordsOf(lead),
    campaign: campaignOf(lead),
    language: languageOf(lead),
  }
}

/** The words providers use for what a lead is about, in the name of their service. */
const SERVICE_TYPES: readonly (readonly [RegExp, NewLead['type']])[] = [
  [/\bfinanc|\bcredit|\bloan\b/i, 'finance'],
  [/\bparts?\b|\baccessor/i, 'parts'],
  [/\bservice (?:appointment|request|lead|department)|\bmaintenance\b|\brepair/i, 'service'],
  [/\btrade/i, 'trade-in'],
]

/**
 * What the provider calls its service decides before the vehicle: senders of credit applications write ADF's default, a new one.
 * `followsStock`: the vehicle in stock knows better than the document whether it is new. What nothing says stays general.
 */
function typeOf(lead: AdfLead): Pick<NewLead, 'type' | 'followsStock'> {
  const { vehicles, tradeIns, provider, rest } = lead
  const [vehicle] = vehicles
  const named = SERVICE_TYPES.find(([words]) => words.test(provider?.service ?? ''))?.[1]
  if (named === 'finance') return { type: named }
  if (vehicle === undefined) {
    if (named !== undefined) return { type: named }
    // A vehicle of which only the interest is known.
    const isOffered = rest.some(
      ({ at, attribute, value }) => at === 'vehicle' && attribute === 'interest' && /trade|sell/i.test(value),
    )
    return { type: tradeIns.length > 0 || isOffered ? 'trade-in' : 'general' }
  }
  const condition = conditionOf(vehicle)
  if (condition !== null) return { type: condition === 'new' ? 'new' : 'used', followsStock: true }
  const isFinanced =
    vehicle.finance !== null && /^(?:finance|loan|credit)/i.test(vehicle.finance.method ?? '')
  return { type: isFinanced ? 'finance' : 'general', followsStock: true }
}

/** As the document states it. Null if it doesn't, or in words that say neither new nor used. */
function conditionOf({ status, statusText }: AdfVehicle): 'new' | 'used' | 'cpo' | null {
  if (statusText === null) return null
  if (/certif|cpo/i.test(statusText)) return 'cpo'
  return status === 'used' || /^(?:new|demo)/i.test(statusText) ? status : null
}

function personOf({ customer: { contact } }: AdfLead): NewLead['person'] {
  const { name, address } = contact
  const email = preferredFirst(contact.emails).find(({ isValid }) => isValid)
  const phone = phoneOf(contact)
  const given = [name.first, name.middle].filter((part) => part !== null).join(' ')
  const family = [name.last, name.suffix].filter((part) => part !== null).join(' ')
  return {
    name: cut(name.full ?? (given === '' && family === '' ? name.company : null), 200),
    firstName: cut(given || null, 100),
    lastName: cut(family || null, 100),
    email: email?.value ?? null,
    contacts: contactsOf(contact),
    phone: cut(phone?.value ?? null, 40),
    street: cut([...(address?.streets ?? []), address?.apartment].filter(Boolean).join(', ') || null, 200),
    city: cut(address?.city ?? null, 100),
    region: cut(address?.region ?? null, 60),
    postalCode: cut(address?.postalCode ?? null, 16),
    country: cut(address?.country ?? null, 60),
    preferredContact: preferredContact(contact),
    contactTime: phone === undefined || phone.time === 'nopreference' ? null : TIMES[phone.time],
  }
}

/** Every address and number, with the sender's word for it. Nothing can be sent to an address that isn't valid. */
function contactsOf({ emails, phones }: AdfContact): NewContact[] {
  const others = phones.map((phone): NewContact => ({
    kind: 'phone',
    value: phone.value.slice(0, 40),
    label: labelOfPhone(phone),
  }))
  const valid = emails.filter(({ isValid }) => isValid)
  return [...valid.map(({ value }): NewContact => ({ kind: 'email', value, label: null })), ...others]
}

function labelOfPhone({ type, label }: AdfPhone): NewContact['label'] {
  if (type === 'fax') return 'fax'
  if (type === 'cellphone' || /cell|mobile/i.test(label ?? '')) return 'mobile'
  if (/home|evening/i.test(label ?? '')) return 'home'
  return /work|office|business/i.test(label ?? '') ? 'work' : null
}

/** How to reach the provider and the dealer: not the buyer. */
function sendersOf({ provider, vendor }: AdfLead): Omit<NewContact, 'label'>[] {
  return [provider?.contact, vendor?.contact].flatMap((contact) => [
    ...(contact?.emails ?? []).map(({ value }) => ({ kind: 'email' as const, value })),
    ...(contact?.phones ?? []).map(({ value }) => ({ kind: 'phone' as const, value })),
  ])
}

const TIMES = { morning: 'Morning', afternoon: 'Afternoon', evening: 'Evening', day: 'During the day' }

const preferredFirst = <T extends { isPreferred: boolean }>(list: readonly T[]): T[] =>
  list.toSorted((one, other) => Number(other.isPreferred) - Number(one.isPreferred))

/** Never a fax. */
const phoneOf = ({ phones }: AdfContact): AdfPhone | undefined =>
  preferredFirst(phones).find(({ type }) => type === 'cellphone' || type === 'voice')

/** Null if the sender prefers both or none. */
function preferredContact({ emails, phones }: AdfContact): 'email' | 'call' | null {
  const email = emails.some(({ isPreferred }) => isPreferred)
  const phone = phones.some(({ isPreferred }) => isPreferred)
  if (email === phone) return null
  return email ? 'email' : 'call'
}

/** With the system that gave it, because the same provider may pass on leads of several. */
function externalIdOf({ ids }: AdfLead): string | null {
  const [id] = ids
  return id === undefined ? null : cut([id.source, id.value].filter((part) => part !== null).join(' '), 300)
}

function vehicleFacts({ vin, year, make, model, trim }: AdfVehicle) {
  return { vin, year: wholeNumber(year, 9_999), make, model, trim }
}

/** In the customer's unit. An odometer without a unit is in that one. */
function mileageOf({ odometer }: AdfVehicle, unit: 'mi' | 'km'): number | null {
  const value = wholeNumber(odometer?.value ?? null, 2_000_000)
  const stated = odometer?.units ?? unit
  if (value === null || stated === unit) return value
  return Math.round(unit === 'km' ? value * KM_PER_MILE : value / KM_PER_MILE)
}

function wholeNumber(text: string | null, most: number): number | null {
  const number = text !== null && /^\d+(?:\.\d+)?$/.test(text) ? Math.round(Number(text)) : null
  return number !== null && number <= most ? number : null
}

/** What the buyer wrote, also in an element that ADF doesn't have. */
function wordsOf({ comments, extensions }: AdfLead): string | null {
  const others = extensions.flatMap(({ at, element: { name, text } }) =>
    isMessage(name, at) && text !== '' ? [text] : [],
  )
  return cut([comments, ...others].filter((text) => text !== null).join('\n\n') || null, MAX_COMMENTS)
}
const MAX_COMMENTS = 20_000

function campaignOf({ extensions }: AdfLead): Record<string, string> {
  const found = extensions.flatMap(({ element: { name, text } }): [string, string][] =>
    /^(?:utm_\w{1,30}|gclid|fbclid|msclkid)$/.test(name) && text !== '' ? [[name, text.slice(0, 300)]] : [],
  )
  return Object.fromEntries(found)
}

function languageOf({ extensions }: AdfLead): string | null {
  const locale = extensions.find(({ at, element }) => at === 'customer/contact' && element.name === 'locale')
  return /^[a-z]{2}(?=[-_]|$)/i.exec(locale?.element.text ?? '')?.[0].toLowerCase() ?? null
}

/** Not between the two halves of a character. */
const cut = (text: string | null, length: number): string | null =>
  text === null || text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
