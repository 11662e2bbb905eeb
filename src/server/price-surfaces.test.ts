import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FEE_CLASSES, MandatoryFee } from '#contract/customers/details/fees.ts'
import { disclaimersOf } from '#contract/customers/details/details.ts'
import { PRICE_LAW_CODES } from '#contract/customers/details/price-laws.ts'
import { type ListingFacts, vehicleListing } from '#contract/channels/listings/vehicle-listing.ts'
import { explainPrice } from '#contract/pricing/totals/explain-price.ts'
import { advertisedLines, type PriceLine, priceLines } from '#contract/pricing/advertised/price-lines.ts'
import type { PriceSurface, SurfaceInput } from '#contract/channels/listings/price-surface.ts'
import { RULE_KIND_CODES, RULE_KINDS } from '#contract/pricing/rules/rule-kinds.ts'
import { amountsIn, vehiclePageOf } from './marketing/site/site-price-surfaces.ts'
import { advertisedOf } from './pricing/advertised/inventory-price-surfaces.ts'
import { PRICE_SURFACES } from './price-surfaces.ts'

const FACTS: ListingFacts = {
  id: '7',
  vin: '1FADP3F20DL000001',
  stock: 'A7',
  condition: 'used',
  status: 'live',
  year: 2021,
  make: 'Ford',
  model: 'Focus',
  trim: null,
  body: null,
  doors: 4,
  color: 'Blue',
  interiorColor: null,
  fuel: null,
  electrification: null,
  transmission: null,
  drivetrain: null,
  engine: null,
  mileage: 31_204,
  priceCents: null,
  msrpCents: null,
  description: null,
  options: [],
  certification: null,
  pageUrl: null,
  photos: [],
  inStockOn: '2026-09-01',
  isDuplicate: false,
  dealer: 'Northgate Ford',
  lotCode: 'NGF',
  lotName: 'Main',
  isLotPublic: true,
  address: null,
  city: null,
  region: null,
  postalCode: null,
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
  custom: {},
}

const cents = fc.integer({ min: 1, max: 400_000 })
const drawn = fc.record({
  priceCents: fc.integer({ min: 1, max: 3_000_000 }),
  msrpCents: fc.option(fc.integer({ min: 1, max: 3_000_000 }), { nil: null }),
  costCents: fc.option(fc.integer({ min: 1, max: 3_000_000 }), { nil: null }),
  condition: fc.constantFrom('new', 'used'),
  special: fc.option(fc.record({ cents, until: fc.constant(null), reason: fc.constant('Scratch') }), {
    nil: null,
  }),
  lotLaw: fc.option(fc.constantFrom(...PRICE_LAW_CODES), { nil: null }),
  region: fc.constantFrom(null, 'CA', 'OK', 'TX', 'ON'),
  fees: fc.array(
    fc.record({
      name: fc.constantFrom('Document', 'Freight', 'Filing', 'Levy'),
      class: fc.constantFrom(...FEE_CLASSES.map(({ value }) => value)),
      cents,
      percent: fc.option(fc.constantFrom(0.5, 10), { nil: null }),
      isInPrice: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  rules: fc.array(
    fc.record({
      kind: fc.constantFrom(...RULE_KIND_CODES),
      cents,
      percent: fc.option(fc.constantFrom(1, 50, 95), { nil: null }),
      field: fc.constantFrom('price' as const, 'msrp' as const, 'cost' as const),
      stepCents: fc.constant(10_000),
    }),
    { maxLength: 6 },
  ),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

const DISCLAIMERS = [
  { text: 'Subject to prior sale.', appliesTo: 'all' as const },
  { text: 'Mileage as shown:\n- by the odometer\n- at delivery', appliesTo: 'used' as const },
]
/** What buyers must read of a rebate or an offer. */
const TERMS = 'With $1,000 down.'

/** The same vehicle as a listing and as an explanation. */
function inputOf({ fees, rules: given, condition, ...values }: Drawn, name = 'Rule'): SurfaceInput {
  const rules = given.map((rule, at) => ({
    ...rule,
    id: String(at + 1),
    name: `${name} ${at + 1}`,
    steps: [],
    group: null,
    aboveCostCents: at % 3 === 0 ? 50_000 : null,
    aboveInvoiceCents: null,
    offMsrpPercent: null,
    keepsMinimum: at % 4 === 0,
    whenMissing: 'skip' as const,
    from: null,
    until: null,
    qualifier: 'Members',
    roundingMode: at % 2 === 0 ? ('down' as const) : ('nearest' as const),
    disclaimer: TERMS,
    // Some have a name for buyers.
    label: at % 3 === 2 ? 'Dealer discount' : null,
  }))
  const facts: ListingFacts = {
    ...FACTS,
    ...values,
    condition: condition === 'new' ? 'new' : 'used',
    fees: fees.map((fee) => MandatoryFee.parse(fee)),
    rules,
  }
  const { id, vin, stock, year, make, model, trim, lotName } = facts
  const shown = {
    currency: 'USD',
    at: '2026-11-24T17:30:00Z',
    zone: 'America/Los_Angeles',
    simulatedMinute: null,
    special: null,
  }
  const more = { costCents: null, marketPriceCents: null, description: null, provenance: {} }
  const priced = { ...facts, day: '2026-11-24', caps: [], amounts: facts }
  const listing = vehicleListing(facts, { pageTemplate: null, pictureAddress: (_, place) => place })
  return {
    listing,
    price: explainPrice(priced, { ...shown, ...more }),
    vehicle: { id, vin, stock, year, make, model, trim, lotName },
    disclaimers: disclaimersOf(DISCLAIMERS, [listing]),
  }
}

/** Prints nothing below the total price as prominently, and the total price first. */
const printsTotal = ({ amounts, isCompletedByReceiver }: Omit<PriceSurface, 'name' | 'text'>) =>
  fc.property(drawn, (values) => {
    const input = inputOf(values)
    const { totalCents } = input.price
    const shown = amounts(input)
    const first = shown.filter(({ prominence }) => prominence === 1).map((one) => one.cents)
    // Where the receiver adds the fees, both together are the total.
    const expected = isCompletedByReceiver === true ? input.listing.quote?.withoutFeesCents : totalCents
    expect([first[0], Math.min(...first)]).toEqual([expected, expected])
    expect(input.listing.quote?.totalCents).toBe(totalCents)
  })
const RUNS = { numRuns: 300, seed: 20_261_125 }

test.for(PRICE_SURFACES.map((surface) => [surface.name, surface] as const))(
  '%s prints nothing below the total price as prominently, and the total price first',
  ([, surface]) => {
    const report = fc.check(printsTotal(surface), RUNS)
    expect(report.failed ? fc.defaultReportMessage(report) : null).toBeNull()
  },
)

/** Pages and files as they would be with one mistake. */
const MISTAKES: Record<string, PriceSurface['amounts']> = {
  'the price before fees in the bar of a phone': (input) =>
    amountsIn(
      vehiclePageOf(input).body.replace(
        /(class="sticky"><strong>)[^<]+/,
        `$1${dollars(input.price.sellingCents)}`,
      ),
    ),
  'the price before fees in the heading of the page': (input) =>
    amountsIn(vehiclePageOf(input).body.replace('</h1>', ` ${dollars(input.price.sellingCents)}</h1>`)),
  'the price before fees in bold below the total price': (input) =>
    amountsIn(
      `${vehiclePageOf(input).body}<p>From <strong>${dollars(input.price.sellingCents)}</strong></p>`,
    ),
  'the price before fees on the card of a similar vehicle': (input) =>
    amountsIn(
      vehiclePageOf(input).body.replace(
        /(<li class="card">[\s\S]*<strong>)[^<]+/,
        `$1${dollars(input.price.sellingCents)}`,
      ),
    ),
  'the price before fees in the preview of a link': (input) =>
    amountsIn(`<title>${input.listing.title}, ${dollars(input.price.sellingCents)}</title>`),
  'only the MSRP in a file': (input) => {
    const { listing } = input
    return amountsOfFile(listing.msrp === null ? input : { ...input, listing: { ...listing, price: null } })
  },
}
const amountsOfFile: PriceSurface['amounts'] = (input) =>
  PRICE_SURFACES.find(({ name }) => name === 'channel file for csv, total')?.amounts(input) ?? []
const dollars = (amount: number | null): string => `$${((amount ?? 0) / 100).toFixed(2)}`

test.for(Object.entries(MISTAKES))('the check finds %s', ([, amounts]) => {
  expect(fc.check(printsTotal({ amounts }), RUNS).failed).toBe(true)
})

test('the check of pages accepts the page without a mistake', () => {
  const amounts: PriceSurface['amounts'] = (input) => amountsIn(vehiclePageOf(input).body)
  const [input] = fc.sample(drawn, { numRuns: 1, seed: 1 }).map((one) => inputOf(one))
  const prominent = input && amounts(input).filter(({ prominence }) => prominence === 1)
  // The price, the card of the similar vehicle, and the bar of a phone.
  expect(prominent).toHaveLength(3)
  expect(fc.check(printsTotal({ amounts }), RUNS).failed).toBe(false)
})

test('a conditional offer never lowers what a surface prints', () => {
  fc.assert(
    fc.property(drawn, (values) => {
      const isOffer = ({ kind }: Drawn['rules'][number]) => kind === 'offer'
      const without = inputOf({
        ...values,
        rules: values.rules.map((rule) => (isOffer(rule) ? { ...rule, cents: 0, percent: null } : rule)),
      })
      const input = inputOf(values)
      for (const { amounts } of PRICE_SURFACES) expect(amounts(input)).toEqual(amounts(without))
    }),
    { numRuns: 200, seed: 7 },
  )
})

/** The first line and every change after it, without looking at the totals between. */
const sumOf = (lines: readonly PriceLine[]): number =>
  lines.reduce((sum, { changeCents }) => sum + (changeCents ?? 0), lines[0]?.priceCents ?? 0)

test('the explanation, the listing and the proof of price have the same total, recomputed from their lines alone', () => {
  fc.assert(
    fc.property(drawn, (values) => {
      const { listing, price, disclaimers } = inputOf(values)
      const texts = { money: String, day: (day: string) => day, source: () => '' }
      expect(sumOf(priceLines(price, texts))).toBe(price.totalCents)
      expect(listing.quote?.totalCents).toBe(price.totalCents)
      const proof = advertisedOf(listing, disclaimers)
      expect(proof && sumOf(advertisedLines(proof, String))).toBe(price.totalCents)
    }),
    { numRuns: 300, seed: 11 },
  )
})

/** Amounts that no calculation makes by chance, as they would be written: 9,876,543.21. */
const COSTS = {
  costCents: 987_654_321,
  invoiceCents: 976_543_219,
  marketPriceCents: 965_432_198,
  feedPriceCents: 954_321_987,
}
const WRITTEN_COSTS = Object.values(COSTS).flatMap((cost) => [
  String(cost),
  (cost / 100).toFixed(2),
  (cost / 100).toLocaleString('en-US'),
])

/** The same vehicle with a marker in every internal field: names of rules, the reason of a special price, and costs. */
function marked(input: SurfaceInput, mark: string): SurfaceInput {
  const { price, listing } = input
  const line = <T extends { name: string }>(one: T): T => ({ ...one, name: `${mark} rule` })
  return {
    ...input,
    listing: {
      ...listing,
      quote: listing.quote && { ...listing.quote, lines: listing.quote.lines.map(line) },
    },
    price: {
      ...price,
      ...COSTS,
      ruleLines: price.ruleLines.map(line),
      offers: price.offers.map(line),
      skippedRules: [{ ruleId: '1', name: `${mark} skipped`, reason: 'floor', by: null }],
      special: {
        cents: 1,
        until: null,
        reason: `${mark} reason`,
        setAt: price.at,
        setBy: `${mark} user`,
        version: 1,
      },
      textFindings: [],
    },
  }
}

const SURFACES_OF_BUYERS = PRICE_SURFACES.flatMap(({ name, text }) =>
  text === null ? [] : [[name, text] as const],
)

test('only the Price tab is for users alone', () => {
  expect(PRICE_SURFACES.filter(({ text }) => text === null).map(({ name }) => name)).toEqual(['Price tab'])
})

test.for(SURFACES_OF_BUYERS)('%s tells buyers no name or reason of a rule, and no cost', ([, text]) => {
  const property = fc.property(drawn, (values) => {
    const shown = text(marked(inputOf(values, 'INTERNAL'), 'INTERNAL'))
    expect(shown).not.toContain('INTERNAL')
    expect(WRITTEN_COSTS.filter((written) => shown.includes(written))).toEqual([])
  })
  const report = fc.check(property, { numRuns: 60, seed: 3 })
  expect(report.failed ? fc.defaultReportMessage(report) : null).toBeNull()
})

test.for(SURFACES_OF_BUYERS)(
  '%s is the same whatever led to the price, so that nothing internal can be calculated from it',
  ([, text]) => {
    const property = fc.property(drawn, fc.integer({ min: 1, max: 99_999 }), (values, raised) => {
      const input = inputOf(values)
      expect(text(withOtherOrigin(input, raised))).toBe(text(input))
    })
    const report = fc.check(property, { numRuns: 60, seed: 4 })
    expect(report.failed ? fc.defaultReportMessage(report) : null).toBeNull()
  },
)

/** Surfaces that have no room for texts, by the start of their names, with where buyers read them instead. */
const WITHOUT_DISCLAIMERS: Record<string, string> = {
  'structured data': 'machines read it, on the page that has them',
  'channel file': 'the receiver has no field for them; the page that it links to has them',
  'vehicle in a list': 'its page has them once, below all vehicles',
  'preview of a link': 'the page that it opens has them',
  'email about a lead': 'it goes to the dealer',
  'webhook call about a lead': 'it goes to the dealer',
  'ADF document of a lead': 'it goes to the dealer',
}
const startsAs = (name: string) => Object.keys(WITHOUT_DISCLAIMERS).find((start) => name.startsWith(start))

test('every surface that has no disclaimers says where they are', () => {
  const named = new Set(SURFACES_OF_BUYERS.map(([name]) => startsAs(name)))
  expect(Object.keys(WITHOUT_DISCLAIMERS).filter((start) => !named.has(start))).toEqual([])
})

test.for(SURFACES_OF_BUYERS.filter(([name]) => startsAs(name) === undefined))(
  '%s has the disclaimers of the vehicle wherever it has a price, with the terms of rebates in it and of offers beside it',
  ([, text]) => {
    let priced = 0
    let rebated = 0
    const rebate = {
      kind: 'rebate' as const,
      cents: 100,
      percent: null,
      field: 'price' as const,
      stepCents: 10_000 as const,
    }
    const property = fc.property(drawn, (values) => {
      const input = inputOf({ ...values, special: null, rules: [...values.rules, rebate] })
      const { price, listing, disclaimers } = input
      if (listing.quote === null) return
      priced += 1
      const shown = text(input)
      expect(shown).toContain('Subject to prior sale.')
      expect(shown.includes('by the odometer')).toBe(values.condition === 'used')
      const isRebated = price.ruleLines.some(({ kind }) => kind === 'rebate')
      if (isRebated) rebated += 1
      expect(disclaimers.includes(TERMS)).toBe(isRebated)
      const printsOffers = /You may also qualify|Offers for buyers|(?:>|^)Offer</.test(shown)
      const needsTerms = isRebated || (printsOffers && price.offers.length > 0)
      expect(!needsTerms || shown.includes(TERMS)).toBe(true)
    })
    const report = fc.check(property, { numRuns: 120, seed: 5 })
    expect(report.failed ? fc.defaultReportMessage(report) : null).toBeNull()
    expect(Math.min(priced, rebated)).toBeGreaterThan(5)
  },
)

test.for(SURFACES_OF_BUYERS)('%s never says the name of a line twice', ([, text]) => {
  const property = fc.property(drawn, (values) => {
    const input = inputOf(values)
    const named = {
      ...input.price,
      ruleLines: input.price.ruleLines.map(asItsKind),
      fees: input.price.fees.map(asItsClass),
    }
    const words = text({ ...input, price: named })
      .replaceAll(/<[^>]*>/g, '\n')
      .replaceAll(/\s*\n\s*/g, '\n')
    expect(words).not.toMatch(
      /^(Dealer discount|Rebate for every buyer|Accessory|Documentation fee)(?:\n|[:,] )\1$/m,
    )
  })
  const report = fc.check(property, { numRuns: 60, seed: 6 })
  expect(report.failed ? fc.defaultReportMessage(report) : null).toBeNull()
})

const asItsKind = <L extends { kind: string; label: string | null }>(line: L): L => {
  const kind = RULE_KINDS.find(({ value }) => value === line.kind)
  return kind === undefined ? line : { ...line, name: kind.label, label: kind.label }
}
const asItsClass = <F extends { class: string; name: string }>(fee: F): F => {
  const known = FEE_CLASSES.find(({ value }) => value === fee.class)
  return known === undefined ? fee : { ...fee, name: known.label }
}

/** The same selling price from another price before it, by a limit above another cost that users didn't name for buyers. */
function withOtherOrigin(input: SurfaceInput, raised: number): SurfaceInput {
  const { price, listing } = input
  const floor = {
    ruleId: '99',
    name: 'Cost plus $500',
    label: null,
    kind: 'floor' as const,
    amountCents: raised,
  }
  const withFloor = <L extends { amountCents: number; runningCents: number }>(
    lines: readonly L[],
    selling: number,
  ) => [{ ...floor, runningCents: selling - lines.reduce((sum, one) => sum + one.amountCents, 0) }, ...lines]
  const { quote } = listing
  const { base, sellingCents } = price
  return {
    ...input,
    price: {
      ...price,
      ...COSTS,
      base: base && { ...base, cents: base.cents - raised },
      ruleLines: sellingCents === null ? [] : withFloor(price.ruleLines, sellingCents),
    },
    listing: {
      ...listing,
      quote: quote && {
        ...quote,
        baseCents: quote.baseCents - raised,
        lines: withFloor(quote.lines, quote.sellingCents),
      },
    },
  }
}

test('the checks find a cost, a reason and a price before limits', () => {
  const [input] = fc.sample(drawn, { numRuns: 1, seed: 9 }).map((one) => inputOf(one))
  if (input === undefined) throw new Error('No sample.')
  const leaks: ((one: SurfaceInput) => string)[] = [
    ({ price }) => `Cost ${price.costCents}`,
    ({ price }) => price.special?.reason ?? '',
    ({ price }) =>
      price.offers.map(({ name }) => name).join() + price.ruleLines.map(({ name }) => name).join(),
  ]
  for (const leak of leaks) {
    const shown = leak(marked(input, 'INTERNAL'))
    expect(shown.includes('INTERNAL') || WRITTEN_COSTS.some((written) => shown.includes(written))).toBe(true)
  }
  const base = ({ price }: SurfaceInput) => String(price.base?.cents)
  expect(base(withOtherOrigin(input, 1))).not.toBe(base(input))
})
