import type {
  AdfAddress,
  AdfContact,
  AdfElement,
  AdfFinance,
  AdfId,
  AdfLead,
  AdfName,
  AdfPrice,
  AdfVehicle,
} from './adf-lead.ts'
import { REST_ELEMENT } from './adf-values.ts'
import { withoutForbidden } from './xml-characters.ts'

/**
 * Writes leads as an ADF 1.0 document, with the elements in the order of the DTD. Reading it gives the same leads. What ADF
 * requires and a lead doesn't have is an empty element; only a lead without a vehicle has none, because an empty one would
 * say that the customer wants to buy a new vehicle. Elements that ADF doesn't have come last in their place.
 */
export function writeAdf(leads: readonly AdfLead[]): string {
  const prospects = leads.map((lead) => writeProspect(lead))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<?adf version="1.0"?>',
    ...linesOf(element('adf', {}, prospects), ''),
    '',
  ].join('\n')
}

/** An element to write: its content is a text, or elements of which null ones are left out. */
type Node = { name: string; attributes: Attributes; content: string | readonly Node[] }
type Attributes = Readonly<Record<string, string | null>>
type Extend = (at: string) => Node[]

function element(name: string, attributes: Attributes, content: string | readonly (Node | null)[]): Node {
  return {
    name,
    attributes,
    content: typeof content === 'string' ? content : content.filter((node) => node !== null),
  }
}

/** An element with a text, or null if there is none. */
function optional(name: string, text: string | null, attributes: Attributes = {}): Node | null {
  return text === null ? null : element(name, attributes, text)
}

/** An element that the DTD requires. */
const required = (name: string, text: string | null): Node => element(name, {}, text ?? '')

function writeProspect(lead: AdfLead): Node {
  const extend: Extend = (at) =>
    lead.extensions
      .filter((extension) => extension.at === at)
      .map((extension) => extensionNode(extension.element))
  return element('prospect', { status: lead.status }, [
    ...writeIds(lead.ids),
    required('requestdate', lead.requestedAt),
    ...lead.vehicles.map((vehicle, place) => writeVehicle(vehicle, extend(`vehicles/${place}`))),
    ...lead.tradeIns.map((vehicle, place) => writeVehicle(vehicle, extend(`tradeIns/${place}`))),
    writeCustomer(lead, extend),
    writeVendor(lead.vendor, extend),
    lead.provider === null ? null : writeProvider(lead.provider, extend),
    ...extend('prospect'),
    ...lead.rest.map(({ at, attribute, value }) => element(REST_ELEMENT, { at, attribute }, value)),
  ])
}

const writeIds = (ids: readonly AdfId[]): Node[] =>
  ids.map(({ value, source, sequence }) => element('id', { sequence, source }, value))

function writeVehicle(vehicle: AdfVehicle, extensions: readonly Node[]): Node {
  const { interest, status, statusText, odometer } = vehicle
  return element('vehicle', { interest, status: statusText === null ? null : status }, [
    ...writeIds(vehicle.ids),
    required('year', vehicle.year),
    required('make', vehicle.make),
    required('model', vehicle.model),
    optional('vin', vehicle.vin),
    optional('stock', vehicle.stock),
    optional('trim', vehicle.trim),
    optional('doors', vehicle.doors),
    optional('bodystyle', vehicle.bodyStyle),
    optional('transmission', vehicle.transmission),
    odometer === null
      ? null
      : element('odometer', { status: odometer.status, units: odometer.units }, odometer.value),
    optional('condition', vehicle.condition),
    ...vehicle.colors.map(({ interior, exterior, preference }) =>
      element('colorcombination', {}, [
        optional('interiorcolor', interior),
        optional('exteriorcolor', exterior),
        required('preference', preference),
      ]),
    ),
    ...vehicle.images.map(({ url, width, height, altText }) =>
      element('imagetag', { width, height, alttext: altText }, url),
    ),
    writePrice(vehicle.price),
    optional('pricecomments', vehicle.priceComments),
    ...vehicle.options.map((option) =>
      element('option', {}, [
        required('optionname', option.name),
        optional('manufacturercode', option.manufacturerCode),
        optional('stock', option.stock),
        optional('weighting', option.weighting),
        writePrice(option.price),
      ]),
    ),
    writeFinance(vehicle.finance),
    optional('comments', vehicle.comments),
    ...extensions,
  ])
}

function writePrice(price: AdfPrice | null): Node | null {
  if (price === null) return null
  const { type, currency, delta, relativeTo, source, value } = price
  return element('price', { type, currency, delta, relativeto: relativeTo, source }, value)
}

function writeFinance(finance: AdfFinance | null): Node | null {
  if (finance === null) return null
  const { method, amounts, balance } = finance
  return element('finance', {}, [
    required('method', method),
    ...amounts.map(({ type, limit, currency, value }) => element('amount', { type, limit, currency }, value)),
    balance === null
      ? null
      : element('balance', { type: balance.type, currency: balance.currency }, balance.value),
  ])
}

function writeCustomer({ customer, comments }: AdfLead, extend: Extend): Node {
  const { timeframe } = customer
  const inTimeframe = extend('customer/timeframe')
  return element('customer', {}, [
    writeContact(customer.contact, [...extend('customer/contact'), ...extend('customer/contact/address')]),
    ...writeIds(customer.ids),
    timeframe === null && inTimeframe.length === 0
      ? null
      : element('timeframe', {}, [
          optional('description', timeframe?.description ?? null),
          optional('earliestdate', timeframe?.earliest ?? null),
          optional('latestdate', timeframe?.latest ?? null),
          ...inTimeframe,
        ]),
    optional('comments', comments),
    ...extend('customer'),
  ])
}

function writeContact(contact: AdfContact, extensions: readonly Node[] = []): Node {
  return element('contact', { primarycontact: contact.isPrimary ? '1' : null }, [
    ...writeName(contact.name),
    ...contact.emails.map(({ value, isPreferred }) =>
      element('email', { preferredcontact: isPreferred ? '1' : '0' }, value),
    ),
    ...contact.phones.map(({ value, type, label, time, isPreferred }) =>
      element('phone', { type, label, time, preferredcontact: isPreferred ? '1' : '0' }, value),
    ),
    writeAddress(contact.address),
    ...extensions,
  ])
}

function writeName({ full, first, middle, last, suffix, company }: AdfName): Node[] {
  const person = { full, first, middle, last, suffix }
  const written = [
    optional('name', company, { part: 'full', type: 'business' }),
    ...Object.entries(person).map(([part, value]) => optional('name', value, { part, type: 'individual' })),
  ].filter((node) => node !== null)
  return written.length > 0 ? written : [element('name', { part: 'full' }, '')]
}

function writeAddress(address: AdfAddress | null): Node | null {
  if (address === null) return null
  const streets = address.streets.length > 0 ? address.streets : ['']
  return element('address', { type: address.type }, [
    ...streets.map((street, place) => element('street', { line: String(place + 1) }, street)),
    optional('apartment', address.apartment),
    optional('city', address.city),
    optional('regioncode', address.region),
    optional('postalcode', address.postalCode),
    optional('country', address.country),
  ])
}

function writeVendor(vendor: AdfLead['vendor'], extend: Extend): Node {
  const { ids = [], name = null, url = null, contact = null } = vendor ?? {}
  return element('vendor', {}, [
    ...writeIds(ids),
    required('vendorname', name),
    optional('url', url),
    writeContact(contact ?? NO_CONTACT, extend('vendor/contact')),
    ...extend('vendor'),
  ])
}

const NO_CONTACT: AdfContact = {
  isPrimary: false,
  name: { full: null, first: null, middle: null, last: null, suffix: null, company: null },
  emails: [],
  phones: [],
  address: null,
}

function writeProvider(provider: NonNullable<AdfLead['provider']>, extend: Extend): Node {
  const inContact = extend('provider/contact')
  return element('provider', {}, [
    ...writeIds(provider.ids),
    ...writeName(provider.name),
    optional('service', provider.service),
    optional('url', provider.url),
    provider.contact === null && inContact.length === 0
      ? null
      : writeContact(provider.contact ?? NO_CONTACT, inContact),
    ...extend('provider'),
  ])
}

function extensionNode({ name, attributes, text, children }: AdfElement): Node {
  return element(
    name,
    attributes,
    children.length === 0 ? text : [...(text === '' ? [] : [textNode(text)]), ...children.map(extensionNode)],
  )
}

/** A text between elements. */
const textNode = (text: string): Node => ({ name: '', attributes: {}, content: text })

function linesOf({ name, attributes, content }: Node, indent: string): string[] {
  if (name === '' && typeof content === 'string') return [`${indent}${escaped(content)}`]
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escaped(value ?? '').replaceAll('"', '&quot;')}"`)
  const start = `${indent}<${name}${written.join('')}`
  if (content.length === 0) return [`${start}/>`]
  if (typeof content === 'string') return [`${start}>${escaped(content)}</${name}>`]
  return [`${start}>`, ...content.flatMap((node) => linesOf(node, `${indent}  `)), `${indent}</${name}>`]
}

/** A carriage return would become a line feed when it is read. */
function escaped(text: string): string {
  return withoutForbidden(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;')
}
