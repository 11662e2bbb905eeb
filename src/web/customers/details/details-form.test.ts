import { expect, test } from 'vitest'
import type { CustomerDetails } from '#contract/customers/details/details.ts'
import { checkDetails, showDetail, toDetailsInput, toDetailsValues } from './details-form.ts'

const FEE = {
  name: 'Document fee',
  class: 'document' as const,
  vehicles: 'all' as const,
  lotIds: [],
  isInPrice: false,
}
const details: CustomerDetails = {
  id: '1',
  name: 'Northgate Motor Group',
  legalName: null,
  website: null,
  phone: null,
  timeZone: 'America/Los_Angeles',
  currency: 'USD',
  distanceUnit: 'mi',
  priceLaw: 'us-ca',
  makes: ['Ford'],
  contacts: [{ name: 'Dana Whitfield', role: null, email: 'dana@northgate.example', phone: null }],
  fees: [{ ...FEE, cents: 8500, percent: 2.5, from: null }],
  priceProfiles: [
    {
      law: 'us-ca',
      from: '2026-12-01',
      includes: ['dealer'],
      deductsRebates: false,
      sentence: 'All fees included.',
      source: 'Our counsel',
    },
  ],
  feeCaps: [{ class: 'document', region: 'CA', cents: 8500, source: 'Vehicle Code', from: '2025-01-01' }],
  disclaimers: [],
  customFields: [],
  priceLimits: { changePercent: 30, stockPercent: 10, minCents: 50_000, maxCents: 100_000_000 },
  domains: [],
  organizations: 2,
  people: 5,
  lots: 5,
  lock: null,
  version: 3,
  updatedAt: '2026-11-14T10:00:00Z',
  updatedBy: null,
}

test('round-trips details, with fees in cents', () => {
  const values = toDetailsValues(details)
  expect(checkDetails(values)).toEqual({})
  expect(values.fees).toEqual([{ ...FEE, cents: '85.00', percent: '2.5', from: '' }])
  expect(toDetailsInput(values)).toMatchObject({
    fees: details.fees,
    feeCaps: details.feeCaps,
    priceProfiles: details.priceProfiles,
    legalName: '',
  })
})

test('reports errors by row and field', () => {
  const values = toDetailsValues(details)
  expect(
    checkDetails({
      ...values,
      website: 'northgate',
      fees: [{ ...FEE, name: '', cents: 'free', percent: 'half', from: '' }],
      contacts: [{ name: 'A', role: '', email: 'nobody', phone: '' }],
      disclaimers: [{ name: 'Price', text: '', appliesTo: 'all' }],
    }),
  ).toEqual({
    website: 'Enter a full web address, such as https://www.example.com.',
    'fees.0.name': 'Name is required.',
    'fees.0.cents': 'Amount must be a number.',
    'fees.0.percent': 'Percentage must be a number.',
    'contacts.0.email': 'Enter a valid email address.',
    'disclaimers.0.text': 'Text is required.',
  })
})

test('shows lists as text in a comparison', () => {
  const values = toDetailsValues(details)
  const shown = ['fees', 'contacts', 'disclaimers', 'priceLaw', 'makes', 'phone']
  expect(shown.map((name) => showDetail(name, values))).toEqual([
    'Document fee 85.00 (Document processing, at most 2.5%)',
    'Dana Whitfield (dana@northgate.example)',
    'None',
    'California',
    'Ford',
    'None',
  ])
})

test('a limit is read whole or refused, never without the decimal sign', () => {
  const values = toDetailsValues(details)
  for (const typed of ['1.5', '1.234', '1.234,56', '1,5', '1e3', '12 cars', '-1'])
    expect([typed, Object.keys(checkDetails({ ...values, approvalAbove: typed }))]).toEqual([
      typed,
      ['approvalAbove'],
    ])
  for (const typed of ['2.5', '1e1', '1,5 %'])
    expect([typed, Object.keys(checkDetails({ ...values, priceStockPercent: typed }))]).toEqual([
      typed,
      ['priceStockPercent'],
    ])
  const read = { ...values, approvalAbove: '1,000', priceStockPercent: '12 %' }
  expect(toDetailsInput(read).priceLimits).toMatchObject({ approvalAbove: 1000, stockPercent: 12 })
})
