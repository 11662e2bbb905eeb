import type {
  AdfAddress,
  AdfContact,
  AdfElement,
  AdfEmail,
  AdfId,
  AdfLead,
  AdfName,
  AdfPhone,
} from './adf-lead.ts'
import {
  attributeOf,
  childrenOf,
  choiceOf,
  factOf,
  forget,
  idsOf,
  lineOf,
  markUnused,
  markUsed,
  warnOfAttributes,
  type AdfReading,
  type Children,
} from './adf-reading.ts'
import { ADF_ADDRESS_TYPES, ADF_PHONE_TIMES, ADF_PHONE_TYPES } from './adf-values.ts'

type ElementContext = { at: string; reading: AdfReading }
type ContactReading = { contact: AdfContact; ids: AdfId[] }

/** Reads a contact. Some senders have the customer's IDs in it. */
export function readContact(element: AdfElement | null, { at, reading }: ElementContext): ContactReading {
  const contact = element ?? { name: 'contact', attributes: {}, text: '', children: [] }
  const children = childrenOf(contact, reading)
  warnOfAttributes(contact, ['primarycontact'], reading)
  const names = [...children.all('name').flatMap(partsOf), ...namesBeside(children)]
  const read: ContactReading = {
    ids: idsOf(children.all('id'), reading),
    contact: {
      isPrimary: isSet(contact, { name: 'primarycontact', reading }),
      name: readName(names, reading),
      emails: children.all('email').flatMap((email) => readEmail(email, reading)),
      phones: children.all('phone').flatMap((phone) => readPhone(phone, reading)),
      address: readAddress(children.all('address'), reading),
    },
  }
  children.keepRest(at)
  return read
}

function isSet(element: AdfElement, { name, reading }: { name: string; reading: AdfReading }): boolean {
  const given = element.attributes[name]?.trim() ?? ''
  if (/^(?:[01]|true|false|yes|no)$/i.test(given)) markUsed(reading, element, name)
  return /^(?:1|true|yes)$/i.test(given)
}

const NO_NAME: AdfName = { full: null, first: null, middle: null, last: null, suffix: null, company: null }
const NAME_PARTS = new Map<string, keyof AdfName>([
  ['full', 'full'],
  ['fullname', 'full'],
  ['first', 'first'],
  ['firstname', 'first'],
  ['given', 'first'],
  ['givenname', 'first'],
  ['forename', 'first'],
  ['middle', 'middle'],
  ['middlename', 'middle'],
  ['last', 'last'],
  ['lastname', 'last'],
  ['surname', 'last'],
  ['family', 'last'],
  ['familyname', 'last'],
  ['suffix', 'suffix'],
  ['company', 'company'],
  ['companyname', 'company'],
])
const partNamed = (name: string): keyof AdfName | undefined =>
  NAME_PARTS.get(name.toLowerCase().replaceAll(/[-_.\s]/g, ''))

/** An element with a name, or a part of one. `part`: what an element of its own, such as `<firstname>`, is by its name. */
type NameElement = { element: AdfElement; part: keyof AdfName | null }

/** Some senders have the parts of a name as elements inside it. */
function partsOf(element: AdfElement): NameElement[] {
  const inside = element.children.flatMap((child): NameElement[] => {
    const part = partNamed(child.name)
    return part === undefined ? [] : [{ element: child, part }]
  })
  return [{ element, part: null }, ...inside]
}

/** Others have them as elements of the contact. */
function namesBeside(children: Children): NameElement[] {
  return BESIDE.flatMap((name) => {
    const part = partNamed(name)
    return part === undefined ? [] : children.all(name).map((element) => ({ element, part }))
  })
}

const BESIDE = [
  'fullname',
  'firstname',
  'first_name',
  'first-name',
  'givenname',
  'middlename',
  'middle_name',
  'lastname',
  'last_name',
  'last-name',
  'surname',
  'familyname',
  'company',
  'companyname',
]

function readName(elements: readonly NameElement[], reading: AdfReading): AdfName {
  const name = { ...NO_NAME }
  for (const { element, part: own } of elements) {
    warnOfAttributes(element, ['part', 'type'], reading)
    const value = factOf(element, reading)
    if (value === null) continue
    const given = own ?? attributeOf(element, 'part', reading)?.toLowerCase() ?? 'full'
    const type = attributeOf(element, 'type', reading)?.toLowerCase()
    if (type !== undefined && !['business', 'individual'].includes(type)) markUnused(reading, element, 'type')
    const part = type === 'business' && given === 'full' ? 'company' : partNamed(given)
    if (part === undefined) {
      reading.warn('unknownValue', `"${given}" for part`)
      markUnused(reading, element, 'part')
    }
    const target = part ?? 'full'
    if (name[target] === null) name[target] = value
    else if (name[target] !== value) {
      reading.warn('repeatedElement', `name ${given}`)
      forget(reading, element)
    }
  }
  return name
}

/** Pragmatic: something, an at sign, and a domain with a dot. Whether it exists shows when an email is sent. */
const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i

function readEmail(element: AdfElement, reading: AdfReading): AdfEmail[] {
  const value = factOf(element, reading)
  if (value === null) return []
  warnOfAttributes(element, ['preferredcontact'], reading)
  const isValid = value.length <= 254 && EMAIL.test(value)
  if (!isValid) reading.warn('emailInvalid', value)
  return [{ value, isValid, isPreferred: isSet(element, { name: 'preferredcontact', reading }) }]
}

/** The types that senders use instead of those of ADF. Everything else is a voice line. */
const OTHER_TYPES = new Map<string, AdfPhone['type']>([
  ['mobile', 'cellphone'],
  ['cell', 'cellphone'],
  ['mobilephone', 'cellphone'],
])

/** Numbers that forms are filled with when someone doesn't want to give one: 000-000-0000, 555-555-5555. */
const isNoNumber = (text: string): boolean =>
  /^1?(?:0{7,}|1{7,}|5{7}|5{10})$/.test(text.replaceAll(/[^\dA-Za-z]/g, ''))

function readPhone(element: AdfElement, reading: AdfReading): AdfPhone[] {
  const value = factOf(element, reading)
  if (value === null) return []
  if (isNoNumber(value)) {
    reading.warn('placeholder', `"${value}" for phone`)
    forget(reading, element)
    return []
  }
  warnOfAttributes(element, ['type', 'label', 'time', 'preferredcontact'], reading)
  const given = attributeOf(element, 'type', reading)
  const known = ADF_PHONE_TYPES.find((type) => type === given?.toLowerCase())
  const isOther = given !== null && known === undefined
  if (isOther) reading.warn('phoneType', given)
  return [
    {
      value,
      type: known ?? OTHER_TYPES.get(given?.toLowerCase() ?? '') ?? 'voice',
      // This product writes what isn't an ADF value into an attribute of its own.
      label: isOther ? given : attributeOf(element, 'label', reading),
      time: choiceOf(element, { name: 'time', values: ADF_PHONE_TIMES, standard: 'nopreference', reading }),
      isPreferred: isSet(element, { name: 'preferredcontact', reading }),
    },
  ]
}

function readAddress(elements: readonly AdfElement[], reading: AdfReading): AdfAddress | null {
  const read = elements.flatMap((element) => {
    const children = childrenOf(element, reading)
    const address: AdfAddress = {
      type: choiceOf(element, { name: 'type', values: ADF_ADDRESS_TYPES, standard: null, reading }),
      streets: children
        .all('street')
        .toSorted((one, other) => lineNumber(one) - lineNumber(other))
        .flatMap((street) => readStreet(street, reading)),
      apartment: children.line('apartment'),
      city: children.line('city'),
      region: children.line('regioncode'),
      postalCode: children.line('postalcode'),
      country: children.line('country'),
    }
    children.keepRest('customer/contact/address')
    const { type: _type, streets, ...parts } = address
    const isFilled = streets.length > 0 || Object.values(parts).some((part) => part !== null)
    if (!isFilled) forget(reading, element)
    return isFilled ? [{ address, element }] : []
  })
  const [first, ...others] = read
  if (others.length > 0) reading.warn('repeatedElement', 'address')
  for (const { element } of others) forget(reading, element)
  return first?.address ?? null
}

/** The number of the line is its place in the list. */
function readStreet(element: AdfElement, reading: AdfReading): string[] {
  const street = lineOf(element, reading)
  if (street === null) return []
  if (lineNumber(element) !== 0) markUsed(reading, element, 'line')
  return [street]
}

function lineNumber({ attributes }: AdfElement): number {
  const number = Number(attributes['line'])
  return Number.isFinite(number) ? number : 0
}

/** The dealer that the lead is for; null if the document names none. */
export function readVendor(element: AdfElement | null, reading: AdfReading): AdfLead['vendor'] {
  if (element === null) return null
  const children = childrenOf(element, reading)
  const { contact, ids: contactIds } = readContact(children.one('contact'), { at: 'vendor/contact', reading })
  const ids = idsOf(children.all('id'), reading)
  const url = children.line('url')
  if (url !== null && !isUrl(url)) reading.warn('vendorUrlInvalid', url)
  const vendor = {
    ids: [...ids, ...contactIds],
    name: children.line('vendorname') ?? contact.name.company ?? contact.name.full,
    url,
    contact: filledContact(contact),
  }
  children.keepRest('vendor')
  const isEmpty = vendor.ids.length === 0 && vendor.name === null && url === null && vendor.contact === null
  return isEmpty ? null : vendor
}

/** The system that sent the lead. Its email and phone may stand next to its name. */
export function readProvider(element: AdfElement | null, reading: AdfReading): AdfLead['provider'] {
  if (element === null) return null
  const children = childrenOf(element, reading)
  const emails = children.all('email')
  const phones = children.all('phone')
  const isOutside = emails.length + phones.length > 0
  if (isOutside) reading.warn('providerContactFields')
  const { contact, ids: contactIds } = readContact(children.one('contact'), {
    at: 'provider/contact',
    reading,
  })
  const whole = {
    ...contact,
    emails: [...contact.emails, ...emails.flatMap((email) => readEmail(email, reading))],
    phones: [...contact.phones, ...phones.flatMap((phone) => readPhone(phone, reading))],
  }
  const ids = idsOf(children.all('id'), reading)
  const url = children.line('url')
  if (url !== null && !isUrl(url)) reading.warn('providerUrlInvalid', url)
  const provider = {
    ids: [...ids, ...contactIds],
    name: readName(children.all('name').flatMap(partsOf), reading),
    service: children.line('service'),
    url,
    contact: filledContact(whole),
  }
  children.keepRest('provider')
  const texts = [provider.service, url, ...Object.values(provider.name)]
  const isEmpty =
    provider.ids.length === 0 && texts.every((text) => text === null) && provider.contact === null
  return isEmpty ? null : provider
}

function filledContact(contact: AdfContact): AdfContact | null {
  const { name, emails, phones, address } = contact
  const isFilled =
    Object.values(name).some((part) => part !== null) || emails.length + phones.length > 0 || address !== null
  return isFilled ? contact : null
}

/** Senders often leave out `https://`, but a sentence isn't a URL. */
const isUrl = (url: string): boolean => /^(?:https?:\/\/)?[^\s/?#]+\.[^\s/?#]{2,}(?:[/?#]\S*)?$/i.test(url)
