import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FEE_CLASSES, type FeeCap, MandatoryFee } from '#contract/customers/details/fees.ts'
import {
  lawOf,
  PRICE_LAW_CODES,
  profileOf,
  changesOf,
  type OwnProfile,
  OwnProfiles,
} from '#contract/customers/details/price-laws.ts'
import { nextTotal, type PricedVehicle, totalOn } from './price-explanation.ts'
import { totalPrice, type TotalPriceFacts } from './total-price.ts'

const fee = (given: Partial<MandatoryFee> & Pick<MandatoryFee, 'class'>): MandatoryFee =>
  MandatoryFee.parse({ name: given.class, cents: 10_000, ...given })

const FACTS: TotalPriceFacts = {
  sellingCents: 4_409_500,
  isNew: false,
  lotId: '7',
  region: 'CA',
  day: '2026-11-24',
  fees: FEE_CLASSES.map(({ value }) => fee({ class: value })),
  profile: profileOf('us', '2026-11-24', []),
}

const WITHOUT_RULES = {
  minute: '2026-11-24T09:30',
  rules: [],
  amounts: {
    priceCents: 100_000,
    msrpCents: null,
    feedPriceCents: null,
    marketPriceCents: null,
    invoiceCents: null,
    costCents: null,
    inStockOn: null,
  },
}

describe('the classes that each law includes', () => {
  test.each([
    ['us', 4_409_500 + 60_000],
    ['us-ca', 4_409_500 + 60_000],
    ['us-ok', 4_409_500 + 60_000],
    ['ca', 4_409_500 + 70_000],
    ['none', 4_409_500],
  ] as const)('%s', (law, total) => {
    const price = totalPrice({ ...FACTS, profile: profileOf(law, FACTS.day, []) })
    expect(price.totalCents).toBe(total)
    expect(price.fees.find((one) => one.class === 'government')?.treatment).toBe('extra')
  })
})

test('California stops deducting rebates on October 1, 2026, and says how else its law is read', () => {
  expect(profileOf('us-ca', '2026-09-30', []).deductsRebates).toBe(true)
  const now = profileOf('us-ca', '2026-10-01', [])
  expect(now.deductsRebates).toBe(false)
  expect(now.otherReading).toContain('document processing charge')
})

test('a lot follows its own rules, then those of its state, then the customer', () => {
  const customerLaw = 'us'
  expect(lawOf({ lotLaw: 'us-ok', region: 'CA', customerLaw })).toEqual({ law: 'us-ok', origin: 'lot' })
  expect(lawOf({ lotLaw: null, region: ' california ', customerLaw })).toEqual({
    law: 'us-ca',
    origin: 'state',
  })
  expect(lawOf({ lotLaw: null, region: 'Québec', customerLaw })).toEqual({ law: 'ca', origin: 'state' })
  expect(lawOf({ lotLaw: null, region: 'NV', customerLaw: 'us-ca' })).toEqual({ law: 'us', origin: 'state' })
  expect(lawOf({ lotLaw: null, region: 'Bavaria', customerLaw })).toEqual({ law: 'us', origin: 'customer' })
  expect(lawOf({ lotLaw: null, region: 'CA', customerLaw: 'none' })).toEqual({
    law: 'none',
    origin: 'customer',
  })
})

test('a fee applies to its vehicles, its lots and from its first day', () => {
  const fees = [
    fee({ name: 'Freight', class: 'freight', vehicles: 'new' }),
    fee({ name: 'Elsewhere', class: 'dealer', lotIds: ['8'] }),
    fee({ name: 'Next year', class: 'dealer', from: '2027-01-01' }),
    fee({ name: 'Here', class: 'dealer', lotIds: ['7', '8'], from: '2026-11-24' }),
  ]
  expect(totalPrice({ ...FACTS, fees }).fees.map(({ name }) => name)).toEqual(['Here'])
  expect(totalPrice({ ...FACTS, fees, isNew: true }).fees.map(({ name }) => name)).toEqual([
    'Freight',
    'Here',
  ])
})

test('of fees with one name, the latest that has started applies', () => {
  const fees = [
    fee({ name: 'Document', class: 'document', cents: 8_500 }),
    fee({ name: 'document ', class: 'document', cents: 9_000, from: '2026-11-01' }),
    fee({ name: 'Document', class: 'document', cents: 9_500, from: '2026-12-01' }),
  ]
  const vehicle: PricedVehicle = {
    priceCents: 100_000,
    msrpCents: null,
    condition: 'used',
    lotId: '7',
    region: 'CA',
    lotLaw: null,
    customerLaw: 'us',
    profiles: [],
    ...WITHOUT_RULES,
    day: '2026-11-24',
    fees,
    caps: [],
  }
  expect(totalOn(vehicle, '2026-10-31')?.totalCents).toBe(108_500)
  expect(totalOn(vehicle, '2026-11-24')?.totalCents).toBe(109_000)
  expect(nextTotal(vehicle)).toEqual({ minute: '2026-12-01T00:00', totalCents: 109_500 })
  expect(nextTotal({ ...vehicle, day: '2026-12-01', minute: '2026-12-01T00:00' })).toBeNull()
})

test('an MSRP without a price is the advertised price', () => {
  const vehicle: PricedVehicle = {
    ...FACTS,
    ...WITHOUT_RULES,
    condition: 'new',
    amounts: { ...WITHOUT_RULES.amounts, priceCents: null },
    priceCents: null,
    msrpCents: 2_000_000,
    lotLaw: null,
    customerLaw: 'us',
    profiles: [],
    fees: [fee({ class: 'document' })],
    caps: [],
  }
  expect(totalOn(vehicle, vehicle.day)?.totalCents).toBe(2_010_000)
  expect(totalOn({ ...vehicle, msrpCents: 0 }, vehicle.day)).toBeNull()
})

test('the lesser of an amount and a share, rounded down to a cent', () => {
  const fees = [fee({ class: 'document', cents: 8_500, percent: 0.5 })]
  expect(totalPrice({ ...FACTS, sellingCents: 1_000_199, fees })).toMatchObject({
    totalCents: 1_000_199 + 5_000,
    fees: [{ chargedCents: 5_000, limitedByPercent: 0.5 }],
  })
  expect(totalPrice({ ...FACTS, fees }).fees).toMatchObject([{ chargedCents: 8_500, limitedByPercent: null }])
})

test('a fee that the price already contains is not added again', () => {
  const price = totalPrice({ ...FACTS, fees: [fee({ class: 'freight', isInPrice: true })] })
  expect(price).toMatchObject({
    totalCents: FACTS.sellingCents,
    fees: [{ chargedCents: 10_000, addedCents: 0, treatment: 'in-price' }],
  })
})

test('a fee above the limit of its state is reported and not cut', () => {
  const cap: FeeCap = {
    class: 'document',
    region: 'california',
    cents: 8_500,
    source: 'Code',
    from: '2026-01-01',
  }
  const later = { ...cap, cents: 26_000, from: '2027-01-01' }
  const at = (given: Partial<TotalPriceFacts>) =>
    totalPrice({ ...FACTS, fees: [fee({ class: 'document' })], caps: [later, cap], ...given }).fees[0]
  expect(at({})).toMatchObject({ chargedCents: 10_000, exceeds: { cents: 8_500, source: 'Code' } })
  expect(at({ region: 'NV' })?.exceeds).toBeNull()
  expect(at({ day: '2027-01-01' })?.exceeds).toBeNull()
})

test('the total is always the selling price plus what its lines add, and never below it', () => {
  const anyFee = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    class: fc.constantFrom(...FEE_CLASSES.map(({ value }) => value)),
    cents: fc.integer({ min: 0, max: 100_000_000 }),
    percent: fc.option(fc.integer({ min: 1, max: 10_000 }).map((part) => part / 100)),
    vehicles: fc.constantFrom('all' as const, 'new' as const, 'used' as const),
    lotIds: fc.subarray(['7', '8']),
    from: fc.option(fc.constantFrom('2026-01-01', '2026-11-24', '2027-01-01')),
    isInPrice: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000_000 }),
      fc.array(anyFee, { maxLength: 8 }),
      fc.boolean(),
      fc.constantFrom(...PRICE_LAW_CODES),
      (sellingCents, fees, isNew, law) => {
        const price = totalPrice({
          ...FACTS,
          sellingCents,
          fees,
          isNew,
          profile: profileOf(law, FACTS.day, []),
        })
        const added = price.fees.map(({ addedCents }) => addedCents)
        expect(price.totalCents).toBe(added.reduce((sum, one) => sum + one, sellingCents))
        expect(price.totalCents).toBeGreaterThanOrEqual(sellingCents)
        expect(Number.isSafeInteger(price.totalCents)).toBe(true)
        expect(price.fees.at(-1)?.runningCents ?? sellingCents).toBe(price.totalCents)
        expect(new Set(price.fees.map(({ name }) => name)).size).toBe(price.fees.length)
      },
    ),
  )
})

test('the reading of the customer applies from its day on, until the built-in rules change', () => {
  const own = (from: string, sentence: string) =>
    ({
      law: 'us-ca',
      from,
      includes: ['dealer'],
      deductsRebates: true,
      sentence,
      source: 'Our counsel',
    }) satisfies OwnProfile
  const profiles = [own('2026-11-01', 'Second'), own('2026-05-01', 'First')]
  const sentenceOn = (day: string) => profileOf('us-ca', day, profiles).sentence
  const builtIn = (day: string) => profileOf('us-ca', day, []).sentence
  expect(sentenceOn('2026-04-30')).toBe(builtIn('2026-04-30'))
  expect(sentenceOn('2026-05-01')).toBe('First')
  // California's rules of October 1 replace the earlier reading.
  expect(sentenceOn('2026-10-01')).toBe(builtIn('2026-10-01'))
  expect(sentenceOn('2026-11-01')).toBe('Second')
  expect(profileOf('us', '2026-11-24', profiles)).toEqual(profileOf('us', '2026-11-24', []))
  expect(changesOf('us-ca', '2026-05-01', profiles)).toEqual(['2026-10-01', '2026-11-01'])
  const price = totalPrice({ ...FACTS, profile: profileOf('us-ca', FACTS.day, profiles) })
  expect(price.totalCents).toBe(FACTS.sellingCents + 10_000)
  expect(OwnProfiles.safeParse([profiles[0], profiles[0]]).success).toBe(false)
  // On the day of a built-in version, the customer's reading applies.
  expect(profileOf('us-ca', '2026-10-02', [own('2026-10-01', 'Ours')]).sentence).toBe('Ours')
})
