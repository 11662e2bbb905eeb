import type { AdfElement, AdfLead } from '#contract/leads/adf/adf-lead.ts'
import type { AdfWarningCode } from '#contract/leads/adf/adf-warnings.ts'
import { readAdf } from '#contract/leads/adf/read-adf.ts'
import { buyersIn, SEVERAL } from './buyers-in-mail.ts'
import { besideNoName, withoutOthers } from './others-in-mail.ts'
import { FOREIGN_METHODS } from './foreign-labels.ts'
import { element, elementName, labeled, oneOf } from './adf-elements.ts'
import { linesOfHtml } from './html-lines.ts'
import { plainLines } from './line-marks.ts'
import { missingLines } from './mail-body.ts'
import { type MailField, type MailFields, readFields } from './mail-fields.ts'
import type { LabelKind } from './label-kinds.ts'
import { isForward, unquoted } from './quoted-mail.ts'
import { vehicleElement } from './vehicle-in-mail.ts'

/** The inquiry of a buyer that a form or portal sent. */
export type FormMail = Readonly<{
  /** The same as of an ADF document, so that it is kept, shown and sent on whole. */
  lead: AdfLead
  preferredContact: 'email' | 'call' | 'text' | null
  contactTime: string | null
  /** Addresses and numbers that aren't beside the buyer's name: not theirs if they are known to be of someone else. */
  apart: readonly string[]
}>

export type MailBodies = Readonly<{
  subject: string | null
  text: string | null
  html: string | null
  /** What the person wrote who forwarded it as an attachment. */
  note?: string | null
}>

/**
 * Reads an email by its labels: the inquiry of each of its buyers. None unless it says who the buyer is and how to reach them. Only for
 * a thread: HTML takes long.
 */
export function readFormMails({ subject, text, html, note = null }: MailBodies): FormMail[] {
  const bodies = [
    ...(html === null || html.trim() === '' ? [] : [linesOfHtml(html)]),
    ...(text === null || text.trim() === '' ? [] : [text.replaceAll(/\r\n?/g, '\n')]),
  ]
  const read = bodies
    .map((body) => ({ body, ...readBody(body, isForward(subject)) }))
    .toSorted((one, other) => knownIn(other.fields) - knownIn(one.fields))
  const [best, ...others] = read
  if (best === undefined || !isInquiry(best.fields)) return []
  const left = others.flatMap(({ body }) => missingLines(body, best.body))
  const rest = { subject, left: [...(note === null ? [] : [note]), ...left] }
  const saysSeveral = [subject ?? '', ...best.texts.slice(0, 5)].some((line) =>
    SEVERAL.test(line.slice(0, LONGEST_LINE)),
  )
  return buyersIn(best.fields, { isInquiry, saysSeveral }).flatMap(
    (fields) => formMailOf({ ...best, fields: withoutOthers(fields) }, rest) ?? [],
  )
}

/** What the sender wrote themselves; of a forwarded email also what it quotes. */
function readBody(body: string, isForwarded: boolean): MailFields {
  const { own, head, quoted } = unquoted(body)
  const fields = withSenders(readFields(own))
  const around = [own, head].map(plainLines).filter((text) => text !== '')
  if (quoted === '' && head === '') return fields
  if (isInquiry(fields.fields) || !isForwarded)
    return { ...fields, frame: [...fields.frame, plainLines(`${head}\n${quoted}`)] }
  const inside = withSenders(readFields(quoted))
  return { ...inside, frame: [...around, ...inside.frame] }
}

/** "From: Paula Formtest <paula@mail.example>" has a name and an address. */
function withSenders({ fields, ...lines }: MailFields): MailFields {
  return {
    ...lines,
    fields: fields.flatMap((field): MailField[] => {
      if (field.known?.kind !== 'sender') return [field]
      const [email = null] =
        /[^\s<>"(),;:]+@[^\s<>"(),;:]+\.[a-z]{2,}/i.exec(field.value.slice(0, LONGEST_LINE)) ?? []
      const name = field.value
        .replace(email ?? '', '')
        .replaceAll(/[<>"(),;]/g, '')
        .trim()
      const { known } = field
      return [
        ...(name === '' ? [] : [{ ...field, value: name, known: { ...known, kind: 'name' as const } }]),
        ...(email === null ? [] : [{ ...field, value: email, known: { ...known, kind: 'email' as const } }]),
      ]
    }),
  }
}

const knownIn = (fields: readonly MailField[]): number =>
  new Set(fields.flatMap(({ known }) => known?.kind ?? [])).size

const REACHABLE: ReadonlySet<LabelKind> = new Set(['email', 'phone'])
const NAMED: ReadonlySet<LabelKind> = new Set(['name', 'firstName', 'lastName'])

/** Someone's signature has a phone and an email, too: it takes a name, or what only forms ask for. */
function isInquiry(fields: readonly MailField[]): boolean {
  const kinds = fields.flatMap(({ known }) => known?.kind ?? [])
  const isNamed = kinds.some((kind) => NAMED.has(kind))
  // Portals that show neither address nor number have an answer address of their own.
  if (!kinds.some((kind) => REACHABLE.has(kind))) return isNamed && kinds.includes('comments')
  if (isNamed) return true
  const others = new Set(kinds.filter((kind) => !REACHABLE.has(kind) && kind !== 'fax'))
  return others.size >= 2 && (others.has('comments') || others.has('vehicle') || others.has('model'))
}

function formMailOf(
  { fields, texts, frame }: MailFields,
  { subject, left }: { subject: string | null; left: readonly string[] },
): FormMail | null {
  const taken = new Set<MailField>()
  const take = (...kinds: LabelKind[]): MailField[] => {
    const found = fields.filter(
      ({ known }) => known !== null && kinds.includes(known.kind) && known.section !== 'dealer',
    )
    for (const one of found) taken.add(one)
    return found
  }
  const words = take('comments').map(({ value }) => value)
  // Without a label for them, the words of the buyer are among the other lines.
  const comments = words.length > 0 ? words : texts
  const others = [...(words.length > 0 ? texts : []), ...frame, ...left]
  const method = fields.find(({ known }) => known?.kind === 'contactMethod')?.value ?? ''
  const time = fields.find(({ known }) => known?.kind === 'contactTime')?.value ?? null
  const prospect = element('prospect', [
    ...take('leadId').map(({ value }) => element('id', value)),
    ...take('requestedAt').flatMap(({ label, value }) =>
      /^\d{4}-\d\d-\d\dT/.test(value) ? element('requestdate', value) : element(elementName(label), value),
    ),
    ...vehicleElement(fields, { isTrade: false, taken }),
    ...vehicleElement(fields, { isTrade: true, taken }),
    element('customer', [
      element('contact', [...nameElements(take), ...contactElements(take), ...addressElements(take)]),
      ...oneOf(take('timeframe'), (value) => element('timeframe', [element('description', value)])),
      ...(comments.length === 0 ? [] : [element('comments', comments.join('\n\n'))]),
    ]),
    ...dealerElements(fields, taken),
    ...oneOf(take('service'), (value) => element('provider', [element('service', value)])),
    ...fields.flatMap((field) => (taken.has(field) ? [] : [labeled(field)])),
    ...(subject === null ? [] : [element('Subject', subject)]),
    ...(others.length === 0 ? [] : [element('Text_of_the_email', others.join('\n'))]),
  ])
  const [lead] = readAdf(element('adf', [prospect])).leads
  if (lead === undefined) return null
  return {
    lead: { ...lead, warnings: lead.warnings.filter(({ code }) => ABOUT_VALUES.has(code)) },
    preferredContact: methodOf(method),
    contactTime: time === null ? null : time.slice(0, 100).toWellFormed(),
    apart: besideNoName(fields),
  }
}

/** What can be wrong with a value. The other warnings are about the form of ADF documents. */
const ABOUT_VALUES: ReadonlySet<AdfWarningCode> = new Set([
  'emailInvalid',
  'vinInvalid',
  'vinCheckDigit',
  'textCut',
  'tooManyEntries',
])

type Take = (...kinds: LabelKind[]) => MailField[]

function nameElements(take: Take): AdfElement[] {
  const [full, ...others] = take('name')
  const last = take('lastName')
  const hasFirst = take('firstName').length > 0
  // "Name: Rosa" above "Last name: Vega".
  const isFirst =
    full !== undefined &&
    others.length === 0 &&
    !hasFirst &&
    last.length > 0 &&
    !last.some(({ value }) => full.value.includes(value))
  const parts = {
    name: isFirst ? 'first' : 'full',
    firstName: 'first',
    middleName: 'middle',
    lastName: 'last',
  } as const
  return [
    ...(['name', 'firstName', 'middleName', 'lastName'] as const).flatMap((kind) =>
      oneOf(take(kind), (value) => element('name', value, { part: parts[kind] })),
    ),
    ...oneOf(take('company'), (value) => element('name', value, { part: 'full', type: 'business' })),
  ]
}

/** In characters: no address is longer. */
const LONGEST_LINE = 500

function contactElements(take: Take): AdfElement[] {
  const emails = take('email').flatMap((field) => {
    const { value } = field
    if (value.length > LONGEST_LINE) return [labeled(field)]
    const found = value.match(/[^\s<>"(),;:]+@[^\s<>"(),;:]+\.[a-z]{2,}/gi) ?? []
    const rest = found
      .reduce((text, one) => text.replaceAll(one, ''), value)
      .replaceAll(/[<>"(),;:]|mailto/gi, '')
    return [
      ...[...new Set(found.length > 0 ? found : [value])].map((one) => element('email', one)),
      ...(found.length > 0 && /[\p{L}\p{N}]/u.test(rest) ? [element('Email_note', rest.trim())] : []),
    ]
  })
  const phones = take('phone').map(({ label, value }) => element('phone', value, phoneType(label)))
  return [...emails, ...phones, ...take('fax').map(({ value }) => element('phone', value, { type: 'fax' }))]
}

function phoneType(label: string): Record<string, string> {
  if (/mobile|cell/i.test(label)) return { type: 'cellphone' }
  if (/home|house|evening|night/i.test(label)) return { type: 'voice', label: 'home' }
  return /work|office|business/i.test(label) ? { type: 'voice', label: 'work' } : { type: 'voice' }
}

function addressElements(take: Take): AdfElement[] {
  const line = take('cityLine')[0]?.value
  const [, city, region, zip] = /^(.+?),?\s+([A-Z]{2}),?(?:\s+([\d -]{5,10}))?$/.exec(line ?? '') ?? []
  const streets = take('street')
  const whole = line === undefined ? wholeAddress(streets[0]?.value ?? '') : null
  const parts = [
    ...streets.map((one, at) => element('street', at === 0 && whole !== null ? whole.street : one.value)),
    ...take('street2').map(({ value }) => element('street', value)),
    ...(whole === null ? [] : whole.parts),
    ...oneOf(take('city'), (value) => element('city', value)),
    ...oneOf(take('region'), (value) => element('regioncode', value)),
    ...oneOf(take('postalCode'), (value) => element('postalcode', value)),
    ...oneOf(take('country'), (value) => element('country', value)),
    ...(city === undefined ? [] : [element('city', city)]),
    ...(region === undefined ? [] : [element('regioncode', region)]),
    ...(zip === undefined ? [] : [element('postalcode', zip.trim())]),
    ...(line === undefined || city !== undefined ? [] : [element('city', line)]),
  ]
  return parts.length === 0 ? [] : [element('address', parts)]
}

/** "12 Oak St, Sacramento, CA 95825-1234" in one line. */
function wholeAddress(value: string): { street: string; parts: AdfElement[] } | null {
  const [, street, city, region, zip] =
    /^([^\n]{1,200}?),\s*([\p{L} .'’-]{2,60}),\s*([A-Z]{2})\.?,?\s+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)$/u.exec(
      value
        .slice(0, LONGEST_LINE)
        .replace(/,?\s*(?:USA?|United States|Canada)\.?$/i, '')
        .trim(),
    ) ?? []
  if (street === undefined || city === undefined || region === undefined || zip === undefined) return null
  return {
    street: street.trim(),
    parts: [element('city', city.trim()), element('regioncode', region), element('postalcode', zip)],
  }
}

function dealerElements(fields: readonly MailField[], taken: Set<MailField>): AdfElement[] {
  const own = fields.filter(({ known }) => known?.kind === 'dealer' || known?.kind === 'dealerCode')
  for (const one of own) taken.add(one)
  if (own.length === 0) return []
  const of = (kind: LabelKind) => own.filter(({ known }) => known?.kind === kind)
  return [
    element('vendor', [
      ...of('dealerCode').map(({ value }) => element('id', value)),
      ...oneOf(of('dealer'), (value) => element('vendorname', value)),
    ]),
  ]
}

function methodOf(value: string): FormMail['preferredContact'] {
  const found = (
    [
      [/e-?mail/i, 'email'],
      [/\btext|sms/i, 'text'],
      [/phone|call|mobile|cell/i, 'call'],
    ] as const
  ).filter(([words, method]) => words.test(value) || FOREIGN_METHODS[method].test(value))
  return found.length === 1 ? (found[0]?.[1] ?? null) : null
}
