import { describe, expect, test } from 'vitest'
import { feedColumns, feedRow, moneyText } from './listing-row.ts'
import { CHANNEL_KINDS, reasonsAgainst } from './hold-back.ts'
import { jsonLdOf } from './json-ld.ts'
import { type ListingFacts, vehicleListing } from './vehicle-listing.ts'

const FACTS: ListingFacts = {
  custom: { custom_board: 'B 4', custom_loaner: false },
  id: '7',
  vin: '1FADP3F20DL000001',
  stock: 'A 7/b',
  condition: 'used',
  status: 'live',
  year: 2021,
  make: 'Ford',
  model: 'Focus',
  trim: null,
  body: 'Crew Cab Pickup',
  doors: 4,
  colour: 'Blue',
  interiorColour: null,
  fuel: 'Plug-in hybrid',
  transmission: 'CVT',
  drivetrain: 'AWD',
  engine: null,
  mileage: 31_204,
  priceCents: 1_899_505,
  msrpCents: 0,
  description: 'One owner.',
  options: ['Tow bar'],
  certification: null,
  pageUrl: null,
  photos: [{ kind: 'file', place: 'Stock/blue.jpg', alt: 'Side' }],
  inStockOn: '2026-11-01',
  isDuplicate: false,
  dealer: 'Northgate Ford',
  lotCode: 'NGF',
  lotName: 'Main',
  isLotPublic: true,
  address: '1 Main St',
  city: 'Sacramento',
  region: 'CA',
  postalCode: null,
  phone: null,
  currency: 'USD',
  distanceUnit: 'mi',
}
const WAYS = {
  pageTemplate: 'https://dealer.example/{lot}/{stock}',
  pictureAddress: (_: ListingFacts, place: string) => `https://pictures.example/${place}`,
}
const offerWith = (facts: Partial<ListingFacts>) => vehicleListing({ ...FACTS, ...facts }, WAYS)

test('every channel takes a whole vehicle', () => {
  expect(CHANNEL_KINDS.map((kind) => reasonsAgainst(kind, offerWith({})))).toEqual([[], [], []])
})

describe.each([
  [{ status: 'hold' }, 'notLive'],
  [{ isLotPublic: false }, 'hiddenLot'],
  [{ priceCents: 0 }, 'noPrice'],
  [{ photos: [] }, 'noPicture'],
  [
    { photos: [{ kind: 'address' as const, place: 'https://x.example/No-Image.png', alt: '' }] },
    'placeholderOnly',
  ],
  [{ vin: null }, 'noVin'],
  [{ vin: 'SHORT' }, 'shortVin'],
  [{ isDuplicate: true }, 'twin'],
  [{ model: null }, 'noName'],
  [{ mileage: null }, 'noMileage'],
  [{ stock: null }, 'noPage'],
] as const)('%o', (facts, reason) => {
  test(`is held back from Google: ${reason}`, () => {
    expect(reasonsAgainst('google', offerWith(facts))).toEqual([reason])
  })
})

test('a plain file takes what has no VIN, and a new vehicle needs no mileage', () => {
  expect(reasonsAgainst('csv', offerWith({ vin: null, mileage: null }))).toEqual([])
  const fresh = offerWith({ condition: 'new', mileage: null })
  expect(reasonsAgainst('google', fresh)).toEqual([])
  expect(feedRow('google', fresh).mileage).toBe('0 miles')
})

test('the address of a page is filled in, or there is none', () => {
  expect(offerWith({}).url).toBe('https://dealer.example/NGF/A%207%2Fb')
  expect(offerWith({ pageUrl: 'https://own.example/7' }).url).toBe('https://own.example/7')
})

test('amounts are whole cents everywhere, and nothing is said of an MSRP of nothing', () => {
  const offer = offerWith({})
  expect(moneyText({ cents: 5, currency: 'USD' })).toBe('0.05')
  expect(feedRow('google', offer)).toMatchObject({ price: '18995.05 USD', vehicle_msrp: '' })
  expect(jsonLdOf(offer)).toMatchObject({ offers: { price: '18995.05', seller: { name: 'Northgate Ford' } } })
  expect(JSON.stringify(jsonLdOf(offer))).not.toContain('null')
})

test('Meta gets its own words, in the same columns for every vehicle', () => {
  expect(feedRow('meta', offerWith({}))).toMatchObject({
    body_style: 'TRUCK',
    fuel_type: 'PLUGIN_HYBRID',
    transmission: 'AUTOMATIC',
    drivetrain: 'AWD',
    state_of_vehicle: 'USED',
    'image[0].url': 'https://pictures.example/Stock/blue.jpg',
  })
  for (const kind of CHANNEL_KINDS) {
    expect(Object.keys(feedRow(kind, offerWith({ trim: 'SE', photos: [] })))).toEqual(feedColumns(kind))
  }
})
