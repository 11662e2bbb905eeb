import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AdfLead } from '#contract/leads/adf/adf-lead.ts'
import type { AdfWarningCode } from '#contract/leads/adf/adf-warnings.ts'
import { leadDocument } from '#contract/leads/adf/describe-adf.ts'
import { writeAdf } from '#contract/leads/adf/write-adf.ts'
import { findReferenceFile } from '#test/harness/reference-data.ts'
import { expectedFact } from '#test/suites/expected-adf.ts'
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
    const found = [...leads, ...unusable.map(({ lead }) => lead)]
    const prospects = found.map(leadDocument)
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
      expect({ [fact]: expectedFact(fact, { lead, prospects, value }) }).toEqual({ [fact]: value })
    const codes = found.flatMap((one) => one.warnings.map(({ code }) => code))
    for (const warning of warnings) {
      const known = CODES[warning]
      if (known === undefined) throw new Error(`No code for "${warning}".`)
      expect(codes).toEqual(expect.arrayContaining(known))
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
