import { expect, test } from 'vitest'
import { AdvertisedPrice } from '#contract/pricing/advertised/advertised-prices.ts'
import { priceProof } from './price-documents.ts'

const PRICE = AdvertisedPrice.parse({
  id: '1',
  vehicleId: '7',
  title: '2021 Ford Focus',
  vin: null,
  stock: 'A7',
  channelId: null,
  channelName: 'Website',
  priceMeaning: 'total',
  priceCents: 2_008_500,
  sellingCents: 2_000_000,
  totalCents: 2_008_500,
  currency: 'USD',
  baseCents: 2_050_000,
  lines: [
    { ruleId: '1', name: 'Cost plus $500', kind: 'floor', amountCents: -20_000, runningCents: 2_030_000 },
    {
      ruleId: '2',
      name: 'MIL-26',
      label: 'Dealer discount',
      kind: 'discount',
      amountCents: -30_000,
      runningCents: 2_000_000,
    },
  ],
  law: 'us',
  sentence: null,
  fees: [{ name: 'Document', class: 'document', cents: 8_500 }],
  shown: null,
  fromAt: '2026-11-24T17:30:01Z',
  untilAt: '2026-11-24T17:30:05Z',
})

test('a proof says when a page showed the price, with seconds if a minute is not enough', () => {
  expect(priceProof(PRICE, 'UTC').figures.slice(1)).toEqual([
    { title: 'From', value: 'Nov 24, 2026, 5:30:01 PM UTC' },
    { title: 'Until', value: 'Nov 24, 2026, 5:30:05 PM UTC' },
  ])
  const later = priceProof({ ...PRICE, untilAt: '2026-11-24T17:31:05Z' }, 'UTC')
  expect(later.figures.at(-1)?.value).toBe('Nov 24, 2026, 5:31 PM UTC')
  expect(priceProof(PRICE, 'UTC').groups.at(-1)?.rows[0]).toContain('The page showed the total price.')
})

test('a proof has the lines that buyers may read', () => {
  expect(priceProof(PRICE, 'UTC').groups[0]?.rows.map(([name, , , price]) => `${name} ${price}`)).toEqual([
    'Price $20,300',
    'Dealer discount $20,000',
    'Selling price $20,000',
    'Document $20,085',
    'Total price $20,085',
  ])
})
