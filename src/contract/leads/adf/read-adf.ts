import type { AdfDocument, AdfElement, AdfLead, AdfRest } from './adf-lead.ts'
import {
  childrenOf,
  choose,
  idsOf,
  keepRest,
  lineOf,
  markUnused,
  markUsed,
  newReading,
  restOf,
  textOf,
  warnOfAttributes,
  type AdfReading,
  type Children,
} from './adf-reading.ts'
import { ADF_LIMITS, ADF_STATUSES, REST_ELEMENT } from './adf-values.ts'
import { adfWarning, type AdfWarning } from './adf-warnings.ts'
import { readContact, readProvider, readVendor } from './read-contact.ts'
import { isTradeIn, readVehicle } from './read-vehicle.ts'

/**
 * Reads the leads of a parsed ADF 1.0 document. It never throws: whatever is unusual becomes a warning, and elements that ADF
 * doesn't have are kept. Names of elements and attributes are in lower case.
 * @param found warnings about the document as a whole, which each lead then has
 */
export function readAdf(root: AdfElement, found: readonly AdfWarning[] = []): AdfDocument {
  const { prospects, wrapper } = findProspects(root)
  const around = restAround(root, prospects)
  const shared = [...found, ...(wrapper === null ? [] : [adfWarning('wrapped', wrapper)])]
  if (prospects.length > ADF_LIMITS.prospects) shared.push(adfWarning('tooManyProspects'))
  const read: AdfDocument = { leads: [], unusable: [] }
  for (const prospect of prospects.slice(0, ADF_LIMITS.prospects)) {
    const lead = readProspect(prospect, { shared, around })
    if (isReachable(lead)) read.leads.push(lead)
    else read.unusable.push({ lead, message: NO_CUSTOMER })
  }
  return read
}

const NO_CUSTOMER = 'The lead has no name, email address or phone number of a customer.'

/** The outermost prospects, wherever they are. */
function findProspects(root: AdfElement): { prospects: AdfElement[]; wrapper: string | null } {
  if (root.name === 'adf') {
    const direct = root.children.filter(({ name }) => name === 'prospect')
    if (direct.length > 0) return { prospects: direct, wrapper: null }
  }
  const prospects: AdfElement[] = []
  const open = [root]
  for (let element = open.pop(); element !== undefined; element = open.pop()) {
    if (element.name === 'prospect') prospects.push(element)
    else open.push(...element.children.toReversed())
  }
  return { prospects, wrapper: prospects.length > 0 ? root.name : null }
}

/** What stands in the document around its prospects belongs to each of them. */
function restAround(root: AdfElement, prospects: readonly AdfElement[]): AdfRest[] {
  const found = restOf(root, { at: '', reading: newReading(), leaves: new Set(prospects) })
  return found.filter(({ at, attribute }) => !(/(?:^|\/)adf$/.test(at) && attribute === 'version'))
}

function readProspect(
  prospect: AdfElement,
  { shared, around }: { shared: readonly AdfWarning[]; around: readonly AdfRest[] },
): AdfLead {
  const reading = newReading()
  reading.warnings.push(...shared)
  const children = childrenOf(prospect, reading)
  const status = readStatus(prospect, children, reading)
  const ids = idsOf(children.all('id'), reading)
  const requestedAt = readRequestDate(children.one('requestdate'), reading)
  const { vehicles, tradeIns } = readVehicles(children.all('vehicle'), reading)
  const { customer, comments } = readCustomer(children.one('customer'), reading)
  const vendor = readVendor(children.one('vendor'), reading)
  if (vendor === null) reading.warn('noVendor')
  const provider = readProvider(children.one('provider'), reading)
  const misplaced = children.text('comments')
  if (misplaced !== null) reading.warn('misplacedElement', 'comments')
  const written = readWritten(prospect, children, reading)
  children.keepRest('prospect')
  const left = restOf(prospect, { at: '', reading }).map((one) => ({ ...one, at: withoutProspect(one.at) }))
  return {
    status,
    ids,
    requestedAt,
    vehicles,
    tradeIns,
    customer,
    comments: [comments, misplaced].filter((text) => text !== null).join('\n\n') || null,
    vendor,
    provider,
    extensions: reading.extensions,
    rest: keepRest([...written, ...left, ...around], reading),
    warnings: reading.warnings,
  }
}

const withoutProspect = (at: string): string => (at === 'prospect' ? at : at.replace(/^prospect\//, ''))

/** What a product like this one wrote of the rest of another document, in elements of its own (`writeAdf`). */
function readWritten(prospect: AdfElement, children: Children, reading: AdfReading): AdfRest[] {
  // Taken as a whole: there can be more than other lists may have.
  const found = prospect.children.filter(({ name }) => name === REST_ELEMENT)
  if (found.length > 0) children.all(REST_ELEMENT)
  return found.flatMap((element): AdfRest[] => {
    const { at, attribute = null } = element.attributes
    const isOurs = at !== undefined && element.children.length === 0 && element.text.trim() !== ''
    if (!isOurs) return []
    for (const part of ['at', 'attribute', '']) markUsed(reading, element, part)
    return [{ at, attribute, value: element.text.trim() }]
  })
}

function readStatus(prospect: AdfElement, children: Children, reading: AdfReading): AdfLead['status'] {
  warnOfAttributes(prospect, ['status'], reading)
  const element = children.line('status')
  if (element !== null) reading.warn('statusElement')
  const own = prospect.attributes['status']?.trim() || null
  const given = own ?? element
  if (given === null) return 'new'
  const isKnown = ADF_STATUSES.some((status) => status === given.toLowerCase())
  if (isKnown && own !== null) markUsed(reading, prospect, 'status')
  const child = prospect.children.find(({ name }) => name === 'status')
  if ((own !== null || !isKnown) && child !== undefined) markUnused(reading, child, '')
  return choose(given, { name: 'status', values: ADF_STATUSES, standard: 'new', reading })
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/

/** A date without a zone could be off by hours, so it isn't used. */
function readRequestDate(element: AdfElement | null, reading: AdfReading): string | null {
  const given = lineOf(element, reading)
  if (element === null || given === null) {
    reading.warn('requestDateMissing')
    return null
  }
  const zone = ISO.exec(given)
  if (zone === null || !isMoment(given)) {
    reading.warn('requestDateUnreadable', given)
    markUnused(reading, element, '')
    return null
  }
  if (zone[1] === undefined) {
    reading.warn('requestDateNoZone', given)
    markUnused(reading, element, '')
    return null
  }
  return withColon(given)
}

const withColon = (iso: string): string => iso.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')

/** Whether an ISO text is a real date and time: February 30 is not. */
function isMoment(iso: string): boolean {
  const day = iso.slice(0, 10)
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return false
  return !Number.isNaN(new Date(withColon(iso)).getTime())
}

function readVehicles(
  elements: readonly AdfElement[],
  reading: AdfReading,
): Pick<AdfLead, 'vehicles' | 'tradeIns'> {
  const read: Pick<AdfLead, 'vehicles' | 'tradeIns'> = { vehicles: [], tradeIns: [] }
  for (const element of elements) {
    const list = isTradeIn(element) ? 'tradeIns' : 'vehicles'
    const vehicle = readVehicle(element, { at: `${list}/${read[list].length}`, reading })
    if (vehicle !== null) read[list].push(vehicle)
  }
  if (read.vehicles.length === 0) reading.warn('noVehicle')
  return read
}

function readCustomer(
  element: AdfElement | null,
  reading: AdfReading,
): Pick<AdfLead, 'customer' | 'comments'> {
  const customer = element ?? { name: 'customer', attributes: {}, text: '', children: [] }
  const children = childrenOf(customer, reading)
  const given = children.one('contact')
  // Some senders leave out the contact around the customer's name.
  const isBare = given === null && customer.children.some(({ name }) => CONTACT_PARTS.has(name))
  if (isBare) reading.warn('misplacedElement', 'customer/name')
  const { contact, ids: contactIds } = readContact(
    isBare ? { ...customer, name: 'contact', children: onlyContact(customer) } : given,
    { at: 'customer/contact', reading },
  )
  warnAboutContact(contact, reading)
  const ids = idsOf(children.all('id'), reading)
  const timeframe = readTimeframe(children.one('timeframe'), reading)
  const comments = children.text('comments')
  if (isBare) for (const name of CONTACT_PARTS) children.all(name)
  children.keepRest('customer')
  return { customer: { ids: [...ids, ...contactIds], contact, timeframe }, comments }
}

const CONTACT_PARTS = new Set([
  'name',
  'email',
  'phone',
  'address',
  'firstname',
  'lastname',
  'first_name',
  'last_name',
  'fullname',
])
const onlyContact = ({ children }: AdfElement): AdfElement[] =>
  children.filter(({ name }) => CONTACT_PARTS.has(name))

function warnAboutContact(
  { name, emails, phones }: AdfLead['customer']['contact'],
  reading: AdfReading,
): void {
  if (Object.values(name).every((part) => part === null)) reading.warn('nameMissing')
  if (emails.length === 0) reading.warn('noEmail')
  if (phones.length === 0 && !emails.some(({ isValid }) => isValid)) reading.warn('notContactable')
}

function readTimeframe(element: AdfElement | null, reading: AdfReading): AdfLead['customer']['timeframe'] {
  if (element === null) return null
  const children = childrenOf(element, reading)
  const date = (name: string): string | null => {
    const given = lineOf(children.one(name), reading)
    if (given !== null && !/^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(given))
      reading.warn('timeframeUnreadable', given)
    return given
  }
  const timeframe = {
    // In the DTD the text is in the element itself.
    description: children.text('description') ?? textOf(element, reading),
    earliest: date('earliestdate'),
    latest: date('latestdate'),
  }
  children.keepRest('customer/timeframe')
  return Object.values(timeframe).every((part) => part === null) ? null : timeframe
}

function isReachable({ customer: { contact } }: AdfLead): boolean {
  const isNamed = Object.values(contact.name).some((part) => part !== null)
  return isNamed || contact.emails.length > 0 || contact.phones.length > 0
}
