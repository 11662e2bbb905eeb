import { expect, test } from 'vitest'
import { VehiclePrice } from '#contract/pricing/totals/vehicle-price.ts'
import { dealSheet } from './price-documents.ts'

const VEHICLE = {
  id: '1',
  vin: null,
  stock: 'F1204',
  year: 2026,
  make: 'Ford',
  model: 'Transit',
  trim: null,
  lotName: 'Main',
}
const line = { ruleId: '9', kind: 'discount', amountCents: -75_000, runningCents: 4_575_500 }
const offer = { ruleId: '3', cents: 50_000, qualifier: null, until: null, isRebate: false }
const PRICE = VehiclePrice.parse({
  currency: 'USD',
  at: '2026-11-24T17:30:00Z',
  day: '2026-11-24',
  zone: 'America/Los_Angeles',
  simulatedMinute: null,
  base: { field: 'price', cents: 4_650_500, provenance: null },
  special: null,
  ruleLines: [
    { ...line, name: 'Aging stock', label: 'Dealer discount' },
    { ...line, ruleId: '10', name: 'Clearance', label: null, amountCents: 0 },
  ],
  offers: [
    {
      ...offer,
      name: 'MIL-26',
      label: 'Military bonus',
      qualifier: 'Active duty',
      disclaimer: 'One per household.',
      until: '2026-12-31T00:00',
    },
    { ...offer, name: 'Customer Cash', label: null, disclaimer: null, isRebate: true },
  ],
  skippedRules: [],
  sellingCents: 4_575_500,
  fees: [],
  totalCents: 4_575_500,
  law: {
    code: 'us-ca',
    origin: 'state',
    from: '2026-10-01',
    deductsRebates: false,
    sentence: null,
    otherReading: null,
    source: 'California SB 766',
  },
  textFindings: [],
  nextChange: null,
  msrpCents: null,
  costCents: null,
  marketPriceCents: null,
})

test('a deal sheet names rules as buyers read them, and lists offers apart from the price', () => {
  const { groups } = dealSheet(VEHICLE, PRICE)
  expect(groups.map(({ title }) => title)).toEqual([
    'How the total price is calculated',
    'Offers for buyers who qualify, not in the total price',
  ])
  expect(groups[0]?.rows.map(([name]) => name)).toEqual([
    'Price',
    'Dealer discount',
    'Selling price',
    'Total price',
  ])
  expect(groups[1]?.rows).toEqual([
    ['Military bonus', 'Active duty. Until Dec 30, 2026. One per household.', '$500', ''],
    ['Customer Cash', 'For every buyer', '$500', ''],
  ])
})

test('a deal sheet tells nothing internal: no limit, rounding, reason, or name and amount of a rule without a name for buyers', () => {
  const lines = [
    {
      ...line,
      kind: 'special',
      ruleId: null,
      name: 'Manager approved, cost 32,680',
      label: null,
      amountCents: -50_001,
      runningCents: 4_600_499,
    },
    { ...line, name: 'Aging stock', label: 'Dealer discount', runningCents: 4_525_499 },
    {
      ...line,
      ruleId: '11',
      kind: 'floor',
      name: 'Cost plus $500',
      label: 'Limit',
      amountCents: 12_345,
      runningCents: 4_537_844,
    },
    {
      ...line,
      ruleId: '12',
      kind: 'rounding',
      name: 'End in 95',
      label: null,
      amountCents: 37_656,
      runningCents: 4_575_500,
    },
  ]
  const price = VehiclePrice.parse({ ...PRICE, ruleLines: lines, special: null })
  const { groups, ...rest } = dealSheet(VEHICLE, price)
  expect(groups[0]?.rows).toEqual([
    ['Price', '', '', '$46,505'],
    ['Dealer discount', 'Dealer discount', '-$750', '$45,755'],
    ['Selling price', 'For every buyer, before fees', '', '$45,755'],
    ['Total price', 'What buyers see', '', '$45,755'],
  ])
  expect(JSON.stringify({ groups, rest })).not.toMatch(/cost|approved|Limit|95|123|Aging/i)
})
