import { expect, test } from 'vitest'
import { VehiclePrice } from '#contract/pricing/totals/vehicle-price.ts'
import { buyerPrice } from '#contract/pricing/advertised/buyer-price.ts'
import { htmlOf } from '#server/printed-html.ts'
import { buyerDocument, type BuyerVehicle } from './buyer-documents.ts'

const LISTING: BuyerVehicle['listing'] = {
  id: '1',
  title: '2026 Ford Transit',
  vin: null,
  stock: 'F1204',
  isNew: false,
  isCertified: true,
  mileage: { value: 31_204, unit: 'mi' },
  body: 'Van',
  doors: null,
  color: 'White',
  interiorColor: null,
  engine: null,
  fuel: null,
  transmission: null,
  drivetrain: null,
  certification: null,
  options: ['Backup camera', 'Heated <seats>'],
  seller: {
    name: 'Northgate Ford',
    lotCode: 'NGF',
    lotName: 'Main',
    address: '1200 Main Street',
    city: 'Sacramento',
    region: 'CA',
    postalCode: '95814',
    country: 'US',
    phone: '+1 916 555 0140',
  },
}
const LINK = 'https://cars.example/v/1'

/** The vehicle with this price. */
function vehicleWith(price: VehiclePrice): BuyerVehicle {
  const shown = buyerPrice(price, (cents) => `$${(cents / 100).toLocaleString('en-US')}`)
  if (shown === null) throw new Error('No price.')
  return { listing: LISTING, price: shown, disclaimers: ['Mileage as shown.'], link: LINK, priceEnd: null }
}
const dealSheet = (price: VehiclePrice) => buyerDocument('deal-sheet', vehicleWith(price), null)

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
    lacksFees: false,
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
  const { groups } = dealSheet(PRICE)
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
    ['Military bonus', 'Active duty, until Dec 30, 2026. One per household.', '$500', ''],
    ['Rebate for every buyer', '', '$500', ''],
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
  const { groups, figures, title, notes } = dealSheet(price)
  expect(groups[0]?.rows).toEqual([
    // The limit took a part of the discount away again.
    ['Price', '', '', '$46,004.99'],
    ['Dealer discount', '', '−$249.99', '$45,755'],
    ['Selling price', 'For every buyer, before fees', '', '$45,755'],
    ['Total price', '', '', '$45,755'],
  ])
  expect(JSON.stringify({ groups, figures, title, notes })).not.toMatch(/cost|approved|Limit|95|123|Aging/i)
})

test('a deal sheet has the dealer, what it is about, its last day, the disclaimers and places to sign', () => {
  const { letterhead, facts, notes, signatures, paper } = buyerDocument(
    'deal-sheet',
    vehicleWith(PRICE),
    '2026-12-01',
  )
  expect({ letterhead, notes, paper }).toEqual({
    letterhead: {
      name: 'Northgate Ford',
      lines: ['Main', '1200 Main Street', 'Sacramento, CA 95814', '+1 916 555 0140'],
    },
    notes: ['Mileage as shown.'],
    paper: 'us-letter',
  })
  expect(facts.map(({ title, value }) => `${title}: ${value}`)).toEqual([
    'Stock: F1204',
    'Condition: Certified pre-owned',
    'Mileage: 31,204 mi',
    'Exterior color: White',
    'Prepared: Nov 24, 2026, 9:30 AM PST',
    'Valid through: Dec 1, 2026',
  ])
  expect(signatures).toEqual(['Buyer', 'Date', 'For the dealer', 'Date'])
})

test('a deal sheet ends no later than its price is known to change', () => {
  const endOf = (priceEnd: string | null) =>
    buyerDocument('deal-sheet', { ...vehicleWith(PRICE), priceEnd }, '2026-12-05').facts.at(-1)
  expect(endOf(null)).toEqual({ title: 'Valid through', value: 'Dec 5, 2026' })
  expect(endOf('2026-12-06T00:00')).toEqual({ title: 'Valid through', value: 'Dec 5, 2026' })
  expect(endOf('2026-12-01T00:00')).toEqual({ title: 'Valid through', value: 'Nov 30, 2026' })
  expect(endOf('2026-12-05T17:00')).toMatchObject({
    title: 'Valid until',
    value: expect.stringMatching(/^Dec 5, 2026, 5:00\sPM$/),
  })
})

test('a window sticker and a hang tag have the advertised total of the day, and the code of the page', () => {
  for (const kind of ['window-sticker', 'hang-tag'] as const) {
    const { figures, codes, facts } = buyerDocument(kind, vehicleWith(PRICE), null)
    expect(figures).toEqual([{ title: 'Total price', value: '$45,755' }])
    expect(codes?.map(({ link }) => link)).toEqual([LINK])
    expect(facts).toContainEqual({ title: 'Price of', value: 'Nov 24, 2026' })
  }
})

test('only a new vehicle has an MSRP, and a sticker has the offers with who gets them', () => {
  const price = { ...PRICE, msrpCents: 5_000_000 }
  const vehicle = vehicleWith(price)
  const textOf = (isNew: boolean) =>
    (['deal-sheet', 'window-sticker'] as const).map((kind) =>
      htmlOf([buyerDocument(kind, { ...vehicle, listing: { ...vehicle.listing, isNew } }, null)]),
    )
  for (const text of textOf(true)) expect(text).toMatch(/\$50,000[\s\S]*MSRP|MSRP[\s\S]*\$50,000/)
  for (const text of textOf(false)) {
    expect(text).not.toContain('MSRP')
    expect(text).toContain('Offers for buyers who qualify, not in the total price')
    expect(text).toContain('Active duty, until Dec 30, 2026. One per household.')
  }
})

test('the page of HTML has what the PDF has, as text', () => {
  const text = htmlOf([buyerDocument('window-sticker', vehicleWith(PRICE), null)])
  for (const words of ['Northgate Ford', '$45,755', 'Heated &lt;seats&gt;', 'Mileage as shown.', LINK])
    expect(text).toContain(words)
  expect(text).not.toMatch(/<script|src=|@import|url\(/)
})
