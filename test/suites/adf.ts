import fc from 'fast-check'
import { expect } from 'vitest'
import { readNumber } from '#contract/feeds/mappings/read-feed-number.ts'
import {
  type AdfContact,
  type AdfElement,
  AdfLead,
  type AdfPrice,
  type AdfVehicle,
} from '#contract/leads/adf/adf-lead.ts'
import {
  ADF_ADDRESS_TYPES,
  ADF_AMOUNT_LIMITS,
  ADF_AMOUNT_TYPES,
  ADF_BALANCE_TYPES,
  ADF_ODOMETER_STATUSES,
  ADF_ODOMETER_UNITS,
  ADF_PHONE_TIMES,
  ADF_PHONE_TYPES,
  ADF_PRICE_BASES,
  ADF_PRICE_DELTAS,
  ADF_PRICE_TYPES,
  ADF_STATUSES,
  ADF_VEHICLE_STATUSES,
} from '#contract/leads/adf/adf-values.ts'
import { writeAdf } from '#contract/leads/adf/write-adf.ts'
import { parseAdf } from '#server/leads/adf/parse-adf.ts'

/** Characters that need care: markup, quotes, accents, outside the basic plane, and text that looks like a reference. */
const piece = fc.constantFrom(
  'a',
  'Z',
  '7',
  'é',
  'ß',
  '日',
  '🚗',
  '&',
  '<',
  '>',
  '"',
  "'",
  ']]>',
  '&amp;',
  '&#65;',
  // Alone, it would stand for a missing value.
  'x--',
  '{}',
  '%',
)
const word = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
/** One line without spaces around it. */
const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const comment = fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join('\n'))
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null })
const amount = fc.integer({ min: -10_000_000, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2))

const ids = fc.array(fc.record({ value: line, source: maybe(line), sequence: maybe(line) }), { maxLength: 2 })
const name = fc.record({
  full: maybe(line),
  first: maybe(line),
  middle: maybe(line),
  last: maybe(line),
  suffix: maybe(line),
  company: maybe(line),
})
const emails = fc.array(
  fc.oneof(
    fc.record({
      value: fc.constantFrom('ann@example.com', "o'neil+x@mail.example.co.uk"),
      isValid: fc.constant(true),
      isPreferred: fc.boolean(),
    }),
    fc.record({ value: line, isValid: fc.constant(false), isPreferred: fc.boolean() }),
  ),
  { maxLength: 2 },
)
const phones = fc.array(
  fc.record({
    value: line,
    type: fc.constantFrom(...ADF_PHONE_TYPES),
    label: maybe(line),
    time: fc.constantFrom(...ADF_PHONE_TIMES),
    isPreferred: fc.boolean(),
  }),
  { maxLength: 3 },
)
const address = fc
  .record({
    type: maybe(fc.constantFrom(...ADF_ADDRESS_TYPES)),
    streets: fc.array(line, { maxLength: 3 }),
    apartment: maybe(line),
    city: maybe(line),
    region: maybe(line),
    postalCode: maybe(line),
    country: maybe(line),
  })
  .filter(({ type: _type, streets, ...parts }) => streets.length > 0 || isFilled(parts))
const contact: fc.Arbitrary<AdfContact> = fc.record({
  isPrimary: fc.boolean(),
  name,
  emails,
  phones,
  address: maybe(address),
})
const otherContact = contact.filter(
  (one) => isFilled(one.name) || one.emails.length + one.phones.length > 0 || one.address !== null,
)

const price: fc.Arbitrary<AdfPrice> = fc.record({
  // Words stay as they are; what is a number in any spelling is read as one.
  value: fc.oneof(
    amount,
    line.filter((text) => readNumber(text) === null),
  ),
  type: maybe(fc.constantFrom(...ADF_PRICE_TYPES)),
  currency: maybe(fc.constantFrom('USD', 'CAD')),
  delta: maybe(fc.constantFrom(...ADF_PRICE_DELTAS)),
  relativeTo: maybe(fc.constantFrom(...ADF_PRICE_BASES)),
  source: maybe(line),
})
const finance = fc
  .record({
    method: maybe(line),
    amounts: fc.array(
      fc.record({
        value: amount,
        type: maybe(fc.constantFrom(...ADF_AMOUNT_TYPES)),
        limit: maybe(fc.constantFrom(...ADF_AMOUNT_LIMITS)),
        currency: maybe(line),
      }),
      { maxLength: 2 },
    ),
    balance: maybe(
      fc.record({
        value: amount,
        type: fc.constantFrom(...ADF_BALANCE_TYPES),
        currency: maybe(line),
      }),
    ),
  })
  .filter(({ method, amounts, balance }) => method !== null || amounts.length > 0 || balance !== null)

function vehicleOf(interests: readonly AdfVehicle['interest'][]): fc.Arbitrary<AdfVehicle> {
  return fc
    .record({
      ids,
      interest: fc.constantFrom(...interests),
      statusText: maybe(fc.constantFrom(...ADF_VEHICLE_STATUSES)),
      year: maybe(fc.constantFrom('1999', '2024')),
      make: maybe(line),
      model: maybe(line),
      vin: maybe(fc.constantFrom('1HGCM82633A004352', 'SHORT1')),
      stock: maybe(line),
      trim: maybe(line),
      doors: maybe(line),
      bodyStyle: maybe(line),
      transmission: maybe(line),
      odometer: maybe(
        fc.record({
          value: amount,
          units: maybe(fc.constantFrom(...ADF_ODOMETER_UNITS)),
          status: maybe(fc.constantFrom(...ADF_ODOMETER_STATUSES)),
        }),
      ),
      condition: maybe(line),
      colors: fc.array(fc.record({ interior: line, exterior: maybe(line), preference: maybe(line) }), {
        maxLength: 2,
      }),
      images: fc.array(
        fc.record({ url: line, width: maybe(line), height: maybe(line), altText: maybe(line) }),
        { maxLength: 1 },
      ),
      price: maybe(price),
      priceComments: maybe(comment),
      options: fc.array(
        fc.record({
          name: line,
          manufacturerCode: maybe(line),
          stock: maybe(line),
          weighting: maybe(line),
          price: maybe(price),
        }),
        { maxLength: 2 },
      ),
      finance: maybe(finance),
      comments: maybe(comment),
    })
    .filter(({ interest: _interest, statusText: _status, ...facts }) => isFilled(facts))
    .map((vehicle) => ({ ...vehicle, status: vehicle.statusText ?? 'new' }))
}

function isFilled(facts: Readonly<Record<string, unknown>>): boolean {
  return Object.values(facts).some((fact) => (Array.isArray(fact) ? fact.length > 0 : fact !== null))
}

const leaf = fc.record({
  name: fc.constantFrom('keyword', 'x-campaign', 'utm_source'),
  attributes: fc.dictionary(fc.constantFrom('id', 'kind'), line, { maxKeys: 2 }),
  text: comment,
  children: fc.constant<AdfElement[]>([]),
})
const extensionElement: fc.Arbitrary<AdfElement> = fc.oneof(
  leaf,
  fc.record({
    name: fc.constantFrom('history', 'form'),
    attributes: fc.constant({}),
    text: fc.constant(''),
    children: fc.array(leaf, { minLength: 1, maxLength: 2 }),
  }),
)
const PLACES = ['prospect', 'customer', 'customer/contact', 'vendor', 'provider'] as const

/** A lead as a reader would return it, without warnings. */
const anyLead: fc.Arbitrary<AdfLead> = fc
  .record({
    status: fc.constantFrom(...ADF_STATUSES),
    ids,
    requestedAt: maybe(fc.constantFrom('2026-03-11T00:28:48.542Z', '2024-02-29T23:59-05:00')),
    vehicles: fc.array(vehicleOf(['buy', 'lease', 'test-drive']), { maxLength: 2 }),
    tradeIns: fc.array(vehicleOf(['trade-in', 'sell']), { maxLength: 2 }),
    customer: fc.record({
      ids,
      contact: otherContact.filter((one) => isFilled(one.name) || one.emails.length + one.phones.length > 0),
      timeframe: maybe(
        fc.record({ description: comment, earliest: maybe(line), latest: maybe(fc.constant('2026-05-01')) }),
      ),
    }),
    comments: maybe(comment),
    vendor: maybe(fc.record({ ids, name: line, url: maybe(line), contact: maybe(otherContact) })),
    provider: maybe(
      fc.record({
        ids,
        name: name.filter(isFilled),
        service: maybe(line),
        url: maybe(line),
        contact: maybe(otherContact),
      }),
    ),
    extensions: fc.array(fc.record({ at: fc.constantFrom(...PLACES), element: extensionElement }), {
      maxLength: 3,
    }),
    rest: fc.array(
      fc.record({
        at: fc.constantFrom('prospect', 'customer/contact/email', 'vehicle/price'),
        attribute: maybe(fc.constantFrom('optin', 'x')),
        value: comment,
      }),
      { maxLength: 3 },
    ),
    warnings: fc.constant<AdfLead['warnings']>([]),
  })
  .map((lead) => ({ ...lead, extensions: inOrder(lead) }))

/** In the order in which a reader meets them; a vendor or provider that isn't there has none. */
function inOrder({ extensions, vendor, provider }: AdfLead): AdfLead['extensions'] {
  const order = ['customer/contact', 'customer', 'vendor', 'provider', 'prospect']
  return extensions
    .filter(({ at }) => (at !== 'vendor' || vendor !== null) && (at !== 'provider' || provider !== null))
    .toSorted((one, other) => order.indexOf(one.at) - order.indexOf(other.at))
}

const anyLeads: fc.Arbitrary<AdfLead[]> = fc.array(anyLead, { minLength: 1, maxLength: 3 })

/** Ways to write the same document, as senders do. */
type Style = (xml: string) => string
function withTextAround(xml: string): string {
  return `New lead from our website:\n\n${xml}\n-- \nSent by Example`
}
/** What such a text is kept as. */
const TEXT_AROUND = {
  at: 'text_around_the_lead',
  attribute: null,
  value: 'New lead from our website:\n-- \nSent by Example',
}
const STYLES: readonly Style[] = [
  (xml) => xml,
  (xml) => xml.replaceAll('\n', '\r\n'),
  (xml) => xml.replace(/^<\?xml.*\n<\?adf.*\n/, ''),
  (xml) => xml.replace(/^(<\?xml.*)\n(<\?adf.*)\n/, '$2\n$1\n'),
  (xml) => xml.replace('<?xml version', '<?XML VERSION').replace('<?adf version', '<?ADF VERSION'),
  (xml) => xml.replace(/(<\?adf version="1.0")\?>/, '$1>'),
  (xml) => xml.replace('<adf>', '<!DOCTYPE adf SYSTEM "http://example.com/adf.dtd">\n<adf version=1.0>'),
  (xml) => `\n\n  ${xml}`,
  withTextAround,
  (xml) => xml.replace('<adf>', '<Envelope><body><adf>').replace(/<\/adf>\s*$/, '</adf></body></Envelope>'),
  (xml) => xml.replace('<adf>', '<a:adf xmlns:a="urn:adf">').replace(/<\/adf>\s*$/, '</a:adf>'),
  (xml) =>
    xml.replaceAll(
      /<(\/?)(prospect|customer|contact|vehicle)\b/g,
      (_all, slash: string, tag: string) => `<${slash}${tag.toUpperCase()}`,
    ),
  (xml) => xml.replaceAll('<prospect', '<!-- before -- the <prospect> --><prospect'),
  (xml) => xml.replaceAll(/<\/(comments|model|vendorname)>/g, '<?x y?></$1>'),
  (xml) =>
    xml
      .replace(/<\?adf.*\n<adf>/, '<adf>')
      .replaceAll('</prospect>\n', '</prospect></adf>\n<adf>')
      .replace(/<adf>\s*<\/adf>\s*$/, ''),
  (xml) => xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
]

type Encoding = (xml: string) => Uint8Array<ArrayBuffer>
const wide = (xml: string, isLittle: boolean): Uint8Array<ArrayBuffer> => {
  const buffer = Buffer.from(xml, 'utf16le')
  return new Uint8Array(isLittle ? buffer : buffer.swap16())
}
const ENCODINGS: readonly Encoding[] = [
  (xml) => new TextEncoder().encode(xml),
  (xml) => new TextEncoder().encode(`\uFEFF${xml}`),
  (xml) => wide(`\uFEFF${xml}`, true),
  (xml) => wide(`\uFEFF${xml}`, false),
  (xml) => wide(xml.replace('UTF-8', 'UTF-16'), true),
  // Numeric references for what the encoding doesn't have.
  (xml) => new Uint8Array(Buffer.from(asLatin(xml.replace('UTF-8', 'windows-1252')), 'latin1')),
  (xml) => new Uint8Array(Buffer.from(asLatin(xml.replace(' encoding="UTF-8"', '')), 'latin1')),
]
const asLatin = (xml: string): string =>
  xml.replace(
    /[\u0080-\u009F\u0100-\uFFFF]|[\u{10000}-\u{10FFFF}]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  )

/** A document with the leads that must be found in it. */
const anyDocument: fc.Arbitrary<{ leads: AdfLead[]; bytes: Uint8Array<ArrayBuffer> }> = fc
  .record({
    leads: anyLeads,
    style: fc.constantFrom(...STYLES),
    encoding: fc.constantFrom(...ENCODINGS),
  })
  .map(({ leads, style, encoding }) => ({
    leads:
      style === withTextAround
        ? leads.map((lead) => ({ ...lead, rest: [TEXT_AROUND, ...lead.rest] }))
        : leads,
    bytes: encoding(style(writeAdf(leads))),
  }))

/** Bytes that are damaged, cut, repeated, or never were a document. */
const anyBytes: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => new Uint8Array(bytes)),
  fc
    .record({ bytes: anyDocument, from: fc.nat(3_000), to: fc.nat(3_000) })
    .map(
      ({ bytes: { bytes }, from, to }) => new Uint8Array([...bytes.subarray(0, from), ...bytes.subarray(to)]),
    ),
  fc
    .record({
      bytes: anyDocument,
      places: fc.array(fc.record({ at: fc.nat(3_000), byte: fc.nat(255) }), { maxLength: 10 }),
    })
    .map(({ bytes: { bytes }, places }) => {
      const damaged = new Uint8Array(bytes)
      for (const { at, byte } of places) if (at < damaged.length) damaged[at] = byte
      return damaged
    }),
  fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        '</',
        '/>',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<?',
        '?>',
        '<!DOCTYPE',
        '[',
        '"',
        "'",
        '&',
        ';',
        '=',
        'adf',
        'prospect',
        'customer',
        'name',
        ' ',
        '\n',
        'constructor',
        '__proto__',
        'x:y',
      ),
      { maxLength: 200 },
    )
    .map((pieces) => new TextEncoder().encode(pieces.join(''))),
)

type AdfBody = { bytes: Uint8Array<ArrayBuffer>; type: string }
const XML = 'application/xml'
const FORM = 'application/x-www-form-urlencoded'
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** What senders post: documents, wrapped in a form or in JSON or not, and damaged ones. */
export const anyAdfBody: fc.Arbitrary<AdfBody> = fc.oneof(
  anyDocument.map(({ bytes }) => ({ bytes, type: XML })),
  anyBytes.map((bytes) => ({ bytes, type: XML })),
  anyBytes.map((bytes) => ({ bytes, type: FORM })),
  anyLeads.map((leads) => ({
    bytes: utf8(new URLSearchParams({ adf: writeAdf(leads) }).toString()),
    type: FORM,
  })),
  anyLeads.map((leads) => ({
    bytes: utf8(JSON.stringify({ lead: [writeAdf(leads)] })),
    type: 'application/json',
  })),
  fc.record({ leads: anyLeads, cut: fc.nat(2_000) }).map(({ leads, cut }) => ({
    bytes: utf8(JSON.stringify(writeAdf(leads)).slice(0, cut)),
    type: 'text/plain',
  })),
)

function leadsIn(bytes: Uint8Array<ArrayBuffer>): AdfLead[] {
  const adf = parseAdf(bytes)
  if (adf.kind === 'refused') throw new Error(adf.message)
  return adf.document.leads.map((lead) => ({ ...lead, warnings: [] }))
}

/** What holds for every document. */
export const ADF_RULES: readonly { rule: string; check: (cases: number) => void }[] = [
  {
    rule: 'reading what was written gives the same leads',
    check: (cases) =>
      fc.assert(
        fc.property(anyLeads, (leads) => {
          expect(leadsIn(new TextEncoder().encode(writeAdf(leads)))).toEqual(leads)
        }),
        { numRuns: cases },
      ),
  },
  {
    rule: 'encoding, wrapping and style do not change the leads',
    check: (cases) =>
      fc.assert(
        fc.property(anyDocument, ({ leads, bytes }) => {
          expect(leadsIn(bytes)).toEqual(leads)
        }),
        { numRuns: cases },
      ),
  },
  {
    rule: 'damaged documents are read or refused with a sentence',
    check: (cases) =>
      fc.assert(
        fc.property(anyBytes, (bytes) => {
          const adf = parseAdf(bytes)
          if (adf.kind === 'refused') {
            expect(adf.message).toMatch(/^[A-Z].*\.$/s)
            return
          }
          const { leads, unusable } = adf.document
          for (const lead of [...leads, ...unusable.map((one) => one.lead)]) AdfLead.parse(lead)
        }),
        // A name that the parser refuses.
        { numRuns: cases, examples: [[new TextEncoder().encode('<__proto__/>')]] },
      ),
  },
]
