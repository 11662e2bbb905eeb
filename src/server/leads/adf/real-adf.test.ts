import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AdfLead } from '#contract/leads/adf/adf-lead.ts'
import type { AdfWarningCode } from '#contract/leads/adf/adf-warnings.ts'
import { writeAdf } from '#contract/leads/adf/write-adf.ts'
import { findReferenceFile } from '#test/harness/reference-data.ts'
import { parseAdf } from './parse-adf.ts'

const folder = findReferenceFile('adf')

test.runIf(folder === null)(
  'Skipped: the real ADF files (../shared/data/adf) are not on this machine',
  () => {
    expect(folder).toBe(null)
  },
)

type Expected = Record<string, unknown> & { accept: boolean; prospects?: number; warnings?: string[] }
const read = (name: string): Buffer => readFileSync(join(folder ?? '', name))
const expected: Record<string, Expected> =
  folder === null ? {} : JSON.parse(read('expected.json').toString('utf8'))

/** The codes that each sentence in expected.json stands for. */
const CODES: Record<string, AdfWarningCode[]> = {
  'no <?adf?> PI': ['noAdfInstruction'],
  'phone type="phone" is not a DTD value (voice|fax|cellphone|pager)': ['phoneType'],
  'id element empty': ['idEmpty'],
  'requestdate not ISO 8601': ['requestDateUnreadable'],
  'provider contact fields outside contact': ['providerContactFields'],
  'no vehicle': ['noVehicle'],
  'vendor url is not a URL': ['vendorUrlInvalid'],
  'unknown element provider/leadtype kept': ['unknownElement'],
  'no email': ['noEmail'],
  'requestdate T8:47:50 one-digit hour no zone': ['requestDateUnreadable'],
  'non-DTD phone types home, work, mobile, business': ['phoneType'],
  'timezone -08:0 malformed': ['requestDateUnreadable'],
  'email not valid: keep as text, do not mail': ['emailInvalid'],
  'requestdate not a date': ['requestDateUnreadable'],
  'second prospect has no customer and no vendor: unusable lead, reject that one only': [
    'noVendor',
    'notContactable',
  ],
  'stocknumber instead of stock': ['stockNumberElement'],
  'status element': ['statusElement'],
  'placeholder VIN: check digit fails': ['vinCheckDigit'],
  'no email and no phone: lead not contactable': ['notContactable'],
  'XML declaration after the adf PI (not well-formed, but common)': ['lateDeclaration'],
}

describe.skipIf(folder === null)('the real ADF files', () => {
  const all = Object.entries(expected)
  test.each(all.filter(([, { accept }]) => !accept))('%s is refused', (name) => {
    const adf = parseAdf(new Uint8Array(read(name)))
    expect(adf.kind).toBe('refused')
    expect(JSON.stringify(adf)).not.toContain('root:')
  })

  test.each(all.filter(([, { accept }]) => accept))('%s is read as expected', (name, wanted) => {
    const adf = parseAdf(new Uint8Array(read(name)))
    if (adf.kind !== 'document') throw new Error(adf.message)
    const { leads, unusable } = adf.document
    const prospects = [...leads, ...unusable.map(({ lead }) => lead)]
    expect(prospects).toHaveLength(wanted.prospects ?? 1)
    const [lead] = prospects
    if (lead === undefined) throw new Error('There is no lead.')
    const {
      accept: _accept,
      prospects: _prospects,
      warnings = [],
      note: _note,
      reason: _reason,
      ...facts
    } = wanted
    for (const [fact, value] of Object.entries(facts))
      expect({ [fact]: factOf(fact, { lead, prospects, value }) }).toEqual({ [fact]: value })
    const codes = prospects.flatMap((one) => one.warnings.map(({ code }) => code))
    for (const warning of warnings) {
      const found = CODES[warning]
      if (found === undefined) throw new Error(`No code for "${warning}".`)
      expect(codes).toEqual(expect.arrayContaining(found))
    }
    const again = parseAdf(new TextEncoder().encode(writeAdf(leads)))
    if (again.kind !== 'document') throw new Error(again.message)
    expect(again.document.leads.map(withoutWarnings)).toEqual(leads.map(withoutWarnings))
  })

  test('a prospect without a customer is rejected alone', () => {
    const adf = parseAdf(new Uint8Array(read('14-two-prospects-comments-between.xml')))
    expect(adf).toMatchObject({
      kind: 'document',
      document: { leads: [{ status: 'new' }], unusable: [{ lead: { status: 'resend' } }] },
    })
  })
})

const withoutWarnings = ({ warnings: _warnings, ...lead }: AdfLead) => lead

type Fact = { lead: AdfLead; prospects: AdfLead[]; value: unknown }

/** What expected.json calls by this name, in its shape. */
function factOf(name: string, { lead, prospects, value }: Fact): unknown {
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
      return lead.extensions.filter(({ at }) => at === 'provider').map(({ element }) => element.name)
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

function customerFacts({ customer: { contact }, extensions }: AdfLead, value: unknown): unknown {
  const given: Record<string, unknown> = { ...Object(value) }
  const { name, emails, phones } = contact
  const facts: Record<string, unknown> = {
    full: name.full,
    first: name.first,
    last: name.last,
    email: emails.find(({ isValid }) => isValid)?.value,
    email_invalid: emails.find(({ isValid }) => !isValid)?.value,
    locale: extensions.find(({ element }) => element.name === 'locale')?.element.text,
    preferred: [
      ...emails.filter(({ isPreferred }) => isPreferred).map(() => 'email'),
      ...phones.filter(({ isPreferred }) => isPreferred).map((phone) => `phone ${phone.value}`),
    ],
    phones: phonesLike(given['phones'], contact),
  }
  return Object.fromEntries(keysOf(value).map((key) => [key, facts[key]]))
}

/** expected.json has their number, their values, or their values by type. */
function phonesLike(given: unknown, { phones }: AdfLead['customer']['contact']): unknown {
  if (typeof given === 'number') return phones.length
  if (Array.isArray(given)) return phones.map(({ value }) => value)
  return Object.fromEntries(phones.map(({ label, type, value }) => [label ?? type, value]))
}

function vehicleFacts(vehicle: AdfLead['vehicles'][number], value: unknown): unknown {
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
