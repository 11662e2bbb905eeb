import type {
  AdfAddress,
  AdfContact,
  AdfElement,
  AdfId,
  AdfName,
  AdfPhone,
  AdfPrice,
  AdfVehicle,
  LeadDocument,
  StoredAdf,
} from './adf-lead.ts'

/** A value with its label, to be read by a person. */
export type Detail = readonly [label: string, value: string]
export type DetailSection = Readonly<{ title: string; facts: readonly Detail[] }>

/** How an amount is shown. `value`: a decimal number as text, otherwise what the source wrote. */
export type ShowAmount = (value: string, currency: string | null) => string

/** Amounts as in files and emails: $18,500.00. */
export const plainAmount: ShowAmount = (value, currency) => {
  if (!/^-?\d+(?:\.\d+)?$/.test(value)) return [value, currency].filter(Boolean).join(' ')
  if (currency === null || !/^[A-Z]{3}$/i.test(currency)) return [value, currency].filter(Boolean).join(' ')
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(value))
}

/** What a document says, for readers of a lead: the values that ADF has no field for are one list. */
export function leadDocument({ extensions, rest, ...document }: StoredAdf): LeadDocument {
  return {
    ...document,
    more: [
      ...extensions.flatMap(({ at, element }) => moreOfElement(element, at)),
      ...rest.map(({ at, attribute, value }) => {
        const [name = at, ...above] = at.split('/').toReversed()
        return attribute === null
          ? { name, at: above.toReversed().join('/'), value }
          : { name: attribute, at, value }
      }),
    ],
  }
}

function moreOfElement({ name, attributes, text, children }: AdfElement, at: string): LeadDocument['more'] {
  const own = at === 'prospect' ? name : `${at}/${name}`
  return [
    ...(text.trim() === '' ? [] : [{ name, at, value: text }]),
    ...Object.entries(attributes).flatMap(([key, value]) =>
      value.trim() === '' ? [] : [{ name: key, at: own, value }],
    ),
    ...children.flatMap((child) => moreOfElement(child, own)),
  ]
}

const PHONE_TYPES = { voice: 'Phone', cellphone: 'Mobile', fax: 'Fax', pager: 'Pager' } as const
const PHONE_TIMES = {
  nopreference: null,
  morning: 'in the morning',
  afternoon: 'in the afternoon',
  evening: 'in the evening',
  day: 'during the day',
} as const
const ADDRESS_TYPES = { work: 'Work address', home: 'Home address', delivery: 'Delivery address' } as const
const INTERESTS = {
  buy: 'Buy',
  lease: 'Lease',
  sell: 'Sell',
  'trade-in': 'Trade in',
  'test-drive': 'Test drive',
} as const
const PRICE_TYPES = {
  quote: 'Quoted price',
  offer: 'Offer',
  msrp: 'MSRP',
  invoice: 'Invoice price',
  call: 'Price',
  appraisal: 'Appraisal',
  asking: 'Asking price',
} as const
const AMOUNT_TYPES = { total: 'Amount', downpayment: 'Down payment', monthly: 'Monthly payment' } as const
const AMOUNT_LIMITS = { maximum: 'up to ', minimum: 'at least ', exact: 'exactly ' } as const
const BALANCE_TYPES = { finance: 'Balance', residual: 'Residual value' } as const

/** What a phone number is, in the sender's own word if ADF has none: "Mobile", "Phone (home)". */
export const phoneLabel = ({ type, label }: AdfPhone): string =>
  label === null ? PHONE_TYPES[type] : `${PHONE_TYPES[type]} (${label})`

/** When someone wants to be called, and that they prefer it. */
export const phoneNote = ({ time, isPreferred }: AdfPhone): string =>
  [isPreferred ? 'preferred' : null, PHONE_TIMES[time]].filter((part) => part !== null).join(', ')

export const nameText = ({ full, first, middle, last, suffix, company }: AdfName): string =>
  [
    ...new Set(
      [full, [first, middle, last, suffix].filter(Boolean).join(' '), company].filter(
        (part) => part !== null && part !== '',
      ),
    ),
  ].join(', ')

export const addressText = ({ streets, apartment, city, region, postalCode, country }: AdfAddress): string =>
  [...streets, apartment, city, [region, postalCode].filter(Boolean).join(' '), country]
    .filter(Boolean)
    .join(', ')

const idTexts = (ids: readonly AdfId[]): string[] =>
  ids.map(({ value, source, sequence }) =>
    [
      value,
      source === null ? null : `(${source})`,
      sequence === null || sequence === '1' ? null : `no. ${sequence}`,
    ]
      .filter((part) => part !== null)
      .join(' '),
  )
const idFacts = (ids: readonly AdfId[]): Detail[] => idTexts(ids).map((text): Detail => ['ID', text])

function contactFacts({ name, emails, phones, address }: AdfContact): Detail[] {
  const note = (value: string, ...notes: string[]) => {
    const said = notes.filter((part) => part !== '').join(', ')
    return said === '' ? value : `${value} (${said})`
  }
  return filled([
    ['Name', nameText(name)],
    ...phones.map((phone): Detail => [phoneLabel(phone), note(phone.value, phoneNote(phone))]),
    ...emails.map(({ value, isPreferred, isValid }): Detail => [
      'Email',
      note(value, isPreferred ? 'preferred' : '', isValid ? '' : 'not a valid address'),
    ]),
    [addressLabel(address), address === null ? '' : addressText(address)],
  ])
}

export const addressLabel = (address: AdfAddress | null): string =>
  address?.type == null ? 'Address' : ADDRESS_TYPES[address.type]

const filled = (facts: readonly Detail[]): Detail[] => facts.filter(([, value]) => value !== '')

/** Year, make, model and trim. */
export const vehicleName = ({ year, make, model, trim }: AdfVehicle): string =>
  [year, make, model, trim].filter((part) => part !== null).join(' ')

/** What a document says about a vehicle besides its name. */
export function vehicleDetails(vehicle: AdfVehicle, show: ShowAmount): Detail[] {
  const { interest, odometer, price, finance } = vehicle
  return filled([
    ['Interest', interest === 'buy' || interest === 'trade-in' ? '' : INTERESTS[interest]],
    ['Status', vehicle.statusText ?? ''],
    ['VIN', vehicle.vin ?? ''],
    ['Stock number', vehicle.stock ?? ''],
    ['Mileage', odometer === null ? '' : odometerText(odometer)],
    ['Condition', vehicle.condition ?? ''],
    ...vehicle.colors.map(({ exterior, interior, preference }): Detail => [
      preference === null ? 'Color' : `Color, choice ${preference}`,
      [exterior, interior === null ? null : `${interior} inside`].filter((part) => part !== null).join(', '),
    ]),
    ['Body style', vehicle.bodyStyle ?? ''],
    ['Doors', vehicle.doors ?? ''],
    ['Transmission', vehicle.transmission ?? ''],
    ...(price === null ? [] : [priceFact(price, show)]),
    ['About the price', vehicle.priceComments ?? ''],
    ...vehicle.options.map((option): Detail => ['Option', optionText(option, show)]),
    ['Financing', finance?.method ?? ''],
    ...(finance?.amounts ?? []).map(({ type, limit, value, currency }): Detail => [
      type === null ? 'Amount' : AMOUNT_TYPES[type],
      `${limit === null ? '' : AMOUNT_LIMITS[limit]}${show(value, currency)}`,
    ]),
    finance?.balance == null
      ? ['Balance', '']
      : [BALANCE_TYPES[finance.balance.type], show(finance.balance.value, finance.balance.currency)],
    ['Comments', vehicle.comments ?? ''],
    ...vehicle.images.map(({ url, altText, width, height }): Detail => [
      'Picture',
      [url, altText, width !== null && height !== null ? `${width} × ${height}` : (width ?? height)]
        .filter(Boolean)
        .join(', '),
    ]),
    ...idFacts(vehicle.ids),
  ])
}

const ODOMETER_STATUSES = {
  unknown: 'not known whether it is right',
  rolledover: 'rolled over',
  replaced: 'odometer replaced',
  original: 'original odometer',
} as const

const odometerText = ({ value, units, status }: NonNullable<AdfVehicle['odometer']>): string =>
  [
    `${/^\d{4,}$/.test(value) ? Number(value).toLocaleString('en-US') : value}${units === null ? '' : ` ${units}`}`,
    status === null ? null : ODOMETER_STATUSES[status],
  ]
    .filter((part) => part !== null)
    .join(', ')

function priceFact({ type, value, currency, delta, relativeTo, source }: AdfPrice, show: ShowAmount): Detail {
  const isPercent = delta === 'percentage'
  const compared = [
    isPercent ? 'percent' : null,
    delta === 'relative' ? 'difference' : null,
    relativeTo === null ? null : `to ${PRICE_TYPES[relativeTo]}`,
    source === null ? null : `by ${source}`,
  ].filter((part) => part !== null)
  const amount = isPercent ? value : show(value, currency)
  const said = compared.length === 0 ? '' : ` (${compared.join(', ')})`
  return [type === null ? 'Price' : PRICE_TYPES[type], `${amount}${said}`]
}

function optionText(option: AdfVehicle['options'][number], show: ShowAmount): string {
  const { name, manufacturerCode, stock, weighting, price } = option
  return [
    name,
    manufacturerCode === null ? null : `code ${manufacturerCode}`,
    stock === null ? null : `stock number ${stock}`,
    weighting === null ? null : `weight ${weighting}`,
    price === null ? null : priceFact(price, show).join(' '),
  ]
    .filter((part) => part !== null)
    .join(', ')
}

/** When the buyer wants to have the vehicle. */
export function timeframeText(
  { customer: { timeframe } }: Pick<LeadDocument, 'customer'>,
  showDate = (date: string): string => date,
): string {
  const dates = [timeframe?.earliest, timeframe?.latest].filter((date) => date != null)
  return [timeframe?.description, dates.map(showDate).join(' to ')].filter(Boolean).join(', ')
}

/** The dealer that the source names, with its IDs and how to reach it. */
export const vendorDetails = ({ vendor }: Pick<LeadDocument, 'vendor'>): Detail[] =>
  vendor === null
    ? []
    : filled([
        ['Dealer', vendor.name ?? ''],
        ...idFacts(vendor.ids),
        ['Website', vendor.url ?? ''],
        ...(vendor.contact === null ? [] : contactFacts(vendor.contact)).filter(
          ([label, value]) => label !== 'Name' || value !== vendor.name,
        ),
      ])

/** The system that sent the lead. */
export const providerDetails = ({ provider }: Pick<LeadDocument, 'provider'>): Detail[] =>
  provider === null
    ? []
    : filled([
        ['Provider', nameText(provider.name)],
        ['Service', provider.service ?? ''],
        ...idFacts(provider.ids),
        ['Website', provider.url ?? ''],
        ...(provider.contact === null ? [] : contactFacts(provider.contact)),
      ])

/** The IDs of the lead and its buyer at the source. */
export const idDetails = ({ ids, customer }: Pick<LeadDocument, 'ids' | 'customer'>): Detail[] => [
  ...idTexts(ids).map((text): Detail => ['ID at the source', text]),
  ...idTexts(customer.ids).map((text): Detail => ['Customer ID', text]),
]

/** Everything that a document says, in words: for exports, searches and emails. */
export function describeDocument(document: LeadDocument, show: ShowAmount = plainAmount): DetailSection[] {
  const vehicle = (title: string) => (one: AdfVehicle) => ({
    title,
    facts: filled([['Name', vehicleName(one)], ...vehicleDetails(one, show)]),
  })
  const sections: DetailSection[] = [
    {
      title: 'Request',
      facts: filled([
        ['Requested', document.requestedAt ?? ''],
        ['Sent', document.status === 'resend' ? 'again' : ''],
        ...idDetails(document),
        ['Time frame', timeframeText(document)],
        ['Comments', document.comments ?? ''],
      ]),
    },
    { title: 'Customer', facts: contactFacts(document.customer.contact) },
    ...document.vehicles.map(vehicle('Vehicle')),
    ...document.tradeIns.map(vehicle('Trade-in')),
    { title: 'Dealer', facts: vendorDetails(document) },
    { title: 'Provider', facts: providerDetails(document) },
    { title: 'More from the source', facts: moreFacts(document) },
  ]
  return sections.filter(({ facts }) => facts.length > 0)
}

/** Whether an element that ADF doesn't have is the buyer's message: `<remarks>` of a large provider has the whole question. */
export const isMessage = (name: string, at: string): boolean =>
  MESSAGES.test(name) && /^(?:prospect|customer|customer\/contact)$/.test(at)
const MESSAGES =
  /^(?:customer|additional|buyer)?[-_]?(?:remarks?|messages?|notes?|questions?|comments?|inquiry)$/

/** What ADF has no field for, with the name of its element. */
export const moreFacts = ({ more }: Pick<LeadDocument, 'more'>): Detail[] =>
  more.map(({ name, at, value }) => [
    at === '' || PLAIN_PLACES.has(at) || /\/\d+$|^provider$/.test(at)
      ? readable(name)
      : `${readable(at.split('/').at(-1) ?? '')}: ${readable(name).toLowerCase()}`,
    value,
  ])

/** `x_campaign` is "X campaign". */
const readable = (name: string): string => {
  const words = name.replaceAll(/[-_.]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Where an element of its own needs no other name to be understood. */
const PLAIN_PLACES = new Set(['prospect', 'customer', 'customer/contact'])

/** Everything that a document says, as lines of text. */
export const documentText = (document: LeadDocument): string =>
  describeDocument(document)
    .flatMap(({ title, facts }) => [`${title}:`, ...facts.map(([label, value]) => `${label}: ${value}`)])
    .join('\n')
