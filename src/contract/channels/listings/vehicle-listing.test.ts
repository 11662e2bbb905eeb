import { describe, expect, test } from 'vitest'
import { MandatoryFee } from '#contract/customers/details/fees.ts'
import { feedColumns, feedRow, moneyText } from './listing-row.ts'
import { CHANNEL_KINDS } from '#contract/pricing/totals/price-meanings.ts'
import { exclusionReasons } from './exclusion-reasons.ts'
import { jsonLdOf } from './json-ld.ts'
import { belowMsrp, type ListingFacts, vehicleListing } from './vehicle-listing.ts'

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
  color: 'Blue',
  interiorColor: null,
  fuel: 'Plug-in hybrid',
  electrification: null,
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
  postalCode: '95814',
  phone: null,
  currency: 'USD',
  distanceUnit: 'mi',
  lotId: '1',
  fees: [],
  lotLaw: null,
  customerLaw: 'us',
  profiles: [],
  minute: '2026-11-24T09:30',
  rules: [],
  feedPriceCents: null,
  marketPriceCents: null,
  invoiceCents: null,
  costCents: null,
  special: null,
}
const OPTIONS = {
  pageTemplate: 'https://dealer.example/{lot}/{stock}',
  pictureAddress: (_: ListingFacts, place: string) => `https://pictures.example/${place}`,
}
const listingWith = (facts: Partial<ListingFacts>) => vehicleListing({ ...FACTS, ...facts }, OPTIONS)

test('a price without fees has none that prices already contain, and both parts are the total', () => {
  const fee = { vehicles: 'all' as const, lotIds: [], from: null, percent: null, isInPrice: false }
  const listing = listingWith({
    priceCents: 2_000_000,
    fees: [
      { ...fee, name: 'Document', class: 'document', cents: 8_500, isInPrice: true },
      { ...fee, name: 'Filing', class: 'electronic-filing', cents: 3_300 },
      { ...fee, name: 'Registration', class: 'government', cents: 20_000, isInPrice: true },
    ],
  })
  expect(listing.price?.cents).toBe(2_003_300)
  expect(listing.priceWithoutFees?.cents).toBe(1_991_500)
  expect(feedRow('csv', listing)).toMatchObject({ price_without_fees: '19915.00', dealer_fees: '118.00' })
})

test('every channel includes a complete vehicle', () => {
  expect(CHANNEL_KINDS.map((kind) => exclusionReasons(kind, listingWith({})))).toEqual([[], [], [], []])
})

describe.each([
  [{ status: 'hold' }, 'notForSale'],
  [{ isLotPublic: false }, 'hiddenLot'],
  [{ priceCents: 0 }, 'noPrice'],
  [{ photos: [] }, 'noPicture'],
  [
    { photos: [{ kind: 'address' as const, place: 'https://x.example/No-Image.png', alt: '' }] },
    'placeholderOnly',
  ],
  [{ vin: null }, 'noVin'],
  [{ vin: 'SHORT' }, 'shortVin'],
  [{ isDuplicate: true }, 'duplicate'],
  [{ model: null }, 'noName'],
  [{ mileage: null }, 'noMileage'],
  [{ stock: null }, 'noPage'],
] as const)('%o', (facts, reason) => {
  test(`is excluded from Google: ${reason}`, () => {
    expect(exclusionReasons('google', listingWith(facts))).toEqual([reason])
  })
})

test('a custom file includes vehicles without a VIN, and a new vehicle needs no mileage', () => {
  expect(exclusionReasons('csv', listingWith({ vin: null, mileage: null }))).toEqual([])
  expect(exclusionReasons('google', listingWith({ condition: 'new', msrpCents: null }))).toEqual(['noMsrp'])
  // A demo vehicle is sent as a used one, and in Canada the MSRP is optional.
  expect(exclusionReasons('google', listingWith({ condition: 'demo', msrpCents: null }))).toEqual([])
  const inCanada = listingWith({ condition: 'new', msrpCents: null, currency: 'CAD' })
  expect(exclusionReasons('google', inCanada)).toEqual([])
  const fresh = listingWith({ condition: 'new', mileage: null, msrpCents: 4_500_000 })
  expect(exclusionReasons('google', fresh)).toEqual([])
  expect(feedRow('google', fresh).mileage).toBe('0 miles')
})

test('an amount that a feed typed into the description is left out of what buyers see', () => {
  const { description } = listingWith({ description: 'One owner. Only $9,999 today! New tires.' })
  expect(description).toBe('One owner. New tires.')
})

test('uses the URL of the vehicle, or else fills in the template', () => {
  expect(listingWith({}).url).toBe('https://dealer.example/NGF/A%207%2Fb')
  expect(listingWith({ pageUrl: 'https://own.example/7' }).url).toBe('https://own.example/7')
})

test('writes exact cents everywhere and omits an MSRP of zero', () => {
  const listing = listingWith({})
  expect(moneyText({ cents: 5, currency: 'USD' })).toBe('0.05')
  expect(moneyText({ cents: 1_899_550, currency: 'USD' })).toBe('18995.50')
  expect(feedRow('google', listing)).toMatchObject({ price: '18995.05 USD', vehicle_msrp: '' })
  expect(jsonLdOf(listing)).toMatchObject({
    offers: { price: '18995.05', seller: { name: 'Northgate Ford' } },
  })
  expect(JSON.stringify(jsonLdOf(listing))).not.toContain('null')
})

test('Google vehicle listings get the columns of that product, and no MSRP of a used vehicle', () => {
  const row = feedRow('google-listings', listingWith({ msrpCents: 3_000_000 }))
  expect(Object.keys(row)).toEqual(feedColumns('google-listings'))
  expect(row).toMatchObject({
    id: 'A 7/b',
    store_code: 'NGF',
    dealership_name: 'Northgate Ford',
    dealership_address: '1 Main St, Sacramento, CA 95814, US',
    price: '18995.05 USD',
    vehicle_msrp: '',
    condition: 'used',
    certified_pre_owned: 'no',
    mileage: '31204 miles',
  })
  expect(exclusionReasons('google-listings', listingWith({ postalCode: null }))).toEqual(['noAddress'])
  // It asks for neither.
  expect(exclusionReasons('google-listings', listingWith({ color: null, pageUrl: null }))).toEqual([])
})

test('photos of other servers are sent as they are, as a JPEG of this server, or not at all', () => {
  const photosOf = (...places: string[]) =>
    listingWith({ photos: places.map((place) => ({ kind: 'address' as const, place, alt: '' })) })
  const places = [
    'https://x.example/1.JPG',
    'https://x.example/2.webp',
    'https://x.example/3?fm=avif',
    'https://x.example/4.heic?v=2',
    'https://x.example/webp/5',
  ]
  const sent = [
    'https://x.example/1.JPG',
    'https://pictures.example/https://x.example/2.webp',
    'https://pictures.example/https://x.example/3?fm=avif',
    'https://x.example/webp/5',
  ]
  expect(feedRow('csv', photosOf(...places))['photos']).toEqual(sent)
  const only = photosOf('https://x.example/4.heic')
  expect(feedRow('google', only)['image_link']).toBe('')
  expect(exclusionReasons('google', only)).toEqual(['refusedPictures'])
})

test("uses Meta's enum values and writes the same columns for every vehicle", () => {
  expect(feedRow('meta', listingWith({}))).toMatchObject({
    body_style: 'TRUCK',
    fuel_type: 'PLUGIN_HYBRID',
    transmission: 'AUTOMATIC',
    drivetrain: 'AWD',
    state_of_vehicle: 'USED',
    'image[0].url': 'https://pictures.example/Stock/blue.jpg',
  })
  for (const kind of CHANNEL_KINDS) {
    expect(Object.keys(feedRow(kind, listingWith({ trim: 'SE', photos: [] })))).toEqual(
      feedColumns(kind, 'both'),
    )
  }
})

test('channels and structured data advertise the total price by the rules of the lot', () => {
  const document = MandatoryFee.parse({ name: 'Document', class: 'document', cents: 8_500 })
  const tire = MandatoryFee.parse({ name: 'Tire fee', class: 'levy', cents: 875 })
  const listing = listingWith({ fees: [document, tire] })
  expect(listing.price).toEqual({ cents: 1_908_005, currency: 'USD' })
  expect(listing.priceWithoutFees).toEqual({ cents: 1_899_505, currency: 'USD' })
  for (const kind of CHANNEL_KINDS) expect(String(feedRow(kind, listing)['price'])).toContain('19080.05')
  expect(jsonLdOf(listing)).toMatchObject({ offers: { price: '19080.05' } })
  expect(listingWith({ fees: [document, tire], region: 'ON' }).price?.cents).toBe(1_908_880)
  expect(listingWith({ fees: [document], lotLaw: 'none' }).price?.cents).toBe(1_899_505)
  expect(listingWith({ fees: [document], priceCents: 0 }).price).toBeNull()
})

const usd = (cents: number) => ({ cents, currency: 'USD' })

test.each([
  ['a new vehicle below its MSRP', true, usd(4_500_000), usd(4_250_000), 250_000],
  ['at its MSRP', true, usd(4_500_000), usd(4_500_000), null],
  ['above its MSRP', true, usd(4_500_000), usd(4_600_000), null],
  ['a used one', false, usd(4_500_000), usd(2_250_000), null],
  ['without an MSRP', true, null, usd(4_250_000), null],
  ['without a price', true, usd(4_500_000), null, null],
  ['in two currencies', true, usd(4_500_000), { cents: 4_250_000, currency: 'CAD' }, null],
])('how far below the MSRP: %s', (_, isNew, msrp, price, savedCents) => {
  expect(belowMsrp({ isNew, msrp, price })?.savedCents ?? null).toBe(savedCents)
})
