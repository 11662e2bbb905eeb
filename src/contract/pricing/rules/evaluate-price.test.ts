import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluatePrice } from './evaluate-price.ts'
import type { PriceFacts, PriceRule } from './price-rule.ts'
import { RULE_FIELD_CODES, RULE_KIND_CODES } from './rule-kinds.ts'

const TIME = { minute: '2026-11-24T09:30', deductsRebates: true }
const FACTS: PriceFacts = {
  priceCents: 4_648_000,
  msrpCents: 4_782_500,
  feedPriceCents: 4_648_000,
  marketPriceCents: null,
  invoiceCents: 4_300_000,
  costCents: 4_133_000,
  inStockOn: '2026-08-19',
}
let made = 0
const rule = (given: Partial<PriceRule> & Pick<PriceRule, 'kind'>): PriceRule => ({
  id: String(++made),
  name: given.kind,
  cents: 0,
  percent: null,
  field: null,
  stepCents: null,
  steps: [],
  group: null,
  aboveCostCents: null,
  aboveInvoiceCents: null,
  offMsrpPercent: null,
  keepsMinimum: false,
  whenMissing: given.kind === 'floor' ? 'stop' : 'skip',
  from: null,
  until: null,
  qualifier: null,
  roundingMode: 'down',
  disclaimer: null,
  label: null,
  ...given,
})

const EXAMPLE = [
  rule({ name: 'Spray-in bed liner', kind: 'accessory', cents: 69_500 }),
  rule({
    name: 'Aging stock',
    kind: 'discount',
    steps: [
      { days: 60, cents: 50_000, percent: null },
      { days: 90, cents: 115_000, percent: null },
    ],
  }),
  rule({
    name: 'November clearance',
    kind: 'discount',
    percent: 2,
    field: 'price',
    until: '2026-12-01T00:00',
  }),
  rule({ name: 'Retail Customer Cash', kind: 'rebate', cents: 100_000 }),
  rule({ name: 'Cost plus 500', kind: 'floor', field: 'cost', percent: 100, cents: 50_000 }),
  rule({ name: 'Ends in 95', kind: 'rounding', cents: 9_500, stepCents: 10_000 }),
  rule({ name: 'Military', kind: 'offer', cents: 50_000, qualifier: 'Proof of service' }),
]

test('every kind, in the order of calculation', () => {
  const { lines, sellingCents, offers, nextChange } = evaluatePrice(EXAMPLE, FACTS, TIME)
  expect(lines.map(({ name, amountCents, runningCents }) => [name, amountCents, runningCents])).toEqual([
    ['Spray-in bed liner', 69_500, 4_717_500],
    ['Aging stock', -115_000, 4_602_500],
    // Two percent of the price before the discounts.
    ['November clearance', -94_350, 4_508_150],
    ['Retail Customer Cash', -100_000, 4_408_150],
    ['Ends in 95', -8_650, 4_399_500],
  ])
  expect(sellingCents).toBe(4_399_500)
  expect(offers).toMatchObject([{ name: 'Military', cents: 50_000, qualifier: 'Proof of service' }])
  expect(nextChange).toBe('2026-12-01T00:00')
})

test('where the law deducts no rebate, it is listed below the price', () => {
  const { sellingCents, offers } = evaluatePrice(EXAMPLE, FACTS, { ...TIME, deductsRebates: false })
  expect(sellingCents).toBe(4_499_500)
  expect(offers.map(({ name, isRebate }) => [name, isRebate])).toEqual([
    ['Military', false],
    ['Retail Customer Cash', true],
  ])
})

test('the lowest price raises a price below it, and rounding never goes below it', () => {
  const rules = [
    rule({ kind: 'discount', cents: 1_000_000 }),
    rule({ kind: 'floor', field: 'cost', percent: 100, cents: 50_100 }),
    rule({ kind: 'rounding', cents: 9_500, stepCents: 10_000 }),
  ]
  expect(evaluatePrice(rules, FACTS, TIME).lines.map(({ runningCents }) => runningCents)).toEqual([
    3_648_000, 4_183_100, 4_189_500,
  ])
})

test('no price goes above the highest price, unless the lowest price is above it', () => {
  const ceiling = rule({ kind: 'ceiling', field: 'msrp', percent: 100 })
  const liner = rule({ kind: 'accessory', cents: 500_000 })
  const priceOf = (rules: readonly PriceRule[], facts = FACTS) => evaluatePrice(rules, facts, TIME)
  expect(priceOf([ceiling, liner]).lines.map(({ kind, runningCents }) => [kind, runningCents])).toEqual([
    ['accessory', 5_148_000],
    ['ceiling', 4_782_500],
  ])
  expect(priceOf([ceiling]).lines).toEqual([])
  const floor = rule({ kind: 'floor', cents: 5_000_000 })
  expect(priceOf([ceiling, liner, floor]).sellingCents).toBe(5_000_000)
  // The lowest of several applies; one that is unknown doesn't.
  const second = rule({ kind: 'ceiling', cents: 4_700_000 })
  expect(priceOf([ceiling, second, liner]).sellingCents).toBe(4_700_000)
  expect(priceOf([ceiling], { ...FACTS, priceCents: 4_900_000 }).sellingCents).toBe(4_782_500)
  expect(priceOf([ceiling, liner], { ...FACTS, msrpCents: null }).skipped).toMatchObject([
    { reason: 'unknown' },
  ])
})

test.each([
  [4_648_000, 'down', 4_639_500],
  [4_648_000, 'nearest', 4_649_500],
  [4_644_400, 'nearest', 4_639_500],
  // Halfway, the buyer gets the lower one.
  [4_644_500, 'nearest', 4_639_500],
  [4_644_501, 'nearest', 4_649_500],
] as const)('%i rounded %s to 95 is %i', (priceCents, roundingMode, expected) => {
  const rounding = rule({ kind: 'rounding', cents: 9_500, stepCents: 10_000, roundingMode })
  expect(evaluatePrice([rounding], { ...FACTS, priceCents }, TIME).sellingCents).toBe(expected)
})

test('rounding to the nearest ending stays between the lowest and the highest price', () => {
  const rounding = rule({ kind: 'rounding', cents: 9_500, stepCents: 10_000, roundingMode: 'nearest' })
  const ceiling = rule({ kind: 'ceiling', cents: 4_649_000 })
  expect(evaluatePrice([rounding, ceiling], FACTS, TIME).sellingCents).toBe(4_639_500)
  const floor = rule({ kind: 'floor', cents: 4_640_000 })
  expect(evaluatePrice([rounding, ceiling, floor], FACTS, TIME)).toMatchObject({
    sellingCents: 4_648_000,
    skipped: [{ ruleId: rounding.id, reason: 'ceiling' }],
  })
})

test('without the cost that the lowest price needs, nothing is discounted', () => {
  const rules = [rule({ kind: 'discount', cents: 100 }), rule({ kind: 'floor', field: 'cost', percent: 100 })]
  const evaluation = evaluatePrice(rules, { ...FACTS, costCents: null }, TIME)
  expect(evaluation.sellingCents).toBe(FACTS.priceCents)
  expect(evaluation.skipped.map(({ reason }) => reason).toSorted()).toEqual(['floor', 'unknown'])
})

test('of a group only the best for the buyer applies', () => {
  const rules = [200, 300, 100].map((cents) => rule({ kind: 'discount', cents, group: 'winter' }))
  const evaluation = evaluatePrice([...rules, rule({ kind: 'discount', cents: 50 })], FACTS, TIME)
  expect(evaluation.lines.map(({ amountCents }) => amountCents)).toEqual([-300, -50])
  expect(evaluation.skipped.map(({ reason }) => reason)).toEqual(['group', 'group'])
})

test('of equal rules of a group the first applies, and the other names it', () => {
  const [one, other] = ['one', 'other'].map((name) =>
    rule({ name, kind: 'discount', cents: 500, group: 'a' }),
  )
  const rules = [other, one].flatMap((given) => given ?? [])
  const { lines, skipped } = evaluatePrice(rules, FACTS, TIME)
  expect(lines.map(({ name, amountCents }) => [name, amountCents])).toEqual([['one', -500]])
  expect(skipped).toMatchObject([{ name: 'other', reason: 'group', by: { ruleId: one?.id, name: 'one' } }])
})

test('a base price replaces the price, but not a missing one', () => {
  const rules = [rule({ kind: 'base', field: 'msrp', percent: 95, cents: -10_000 })]
  const expected = 4_543_375 - 10_000
  expect(evaluatePrice(rules, FACTS, TIME)).toMatchObject({ baseCents: 4_648_000, sellingCents: expected })
  expect(evaluatePrice(rules, { ...FACTS, priceCents: 0 }, TIME).sellingCents).toBeNull()
  expect(evaluatePrice(rules, { ...FACTS, msrpCents: null }, TIME)).toMatchObject({
    sellingCents: 4_648_000,
    skipped: [{ reason: 'unknown' }],
  })
  expect(evaluatePrice([], { ...FACTS, priceCents: null }, TIME)).toMatchObject({
    baseCents: null,
    sellingCents: null,
  })
})

test('a special price skips the rules but not the lowest price', () => {
  const special = { cents: 4_000_000, until: null, reason: 'Hail damage' }
  const evaluation = evaluatePrice(EXAMPLE, { ...FACTS, special }, TIME)
  expect(evaluation.lines.map(({ kind, runningCents }) => [kind, runningCents])).toEqual([
    ['special', 4_000_000],
    ['floor', 4_183_000],
  ])
  expect(evaluation.offers).toHaveLength(1)
})

describe('from the first to before the last minute', () => {
  const rules = [rule({ kind: 'discount', cents: 100, from: '2026-11-24T09:30', until: '2026-11-24T10:00' })]
  test.each([
    ['2026-11-24T09:29', 0, '2026-11-24T09:30'],
    ['2026-11-24T09:30', -100, '2026-11-24T10:00'],
    ['2026-11-24T09:59', -100, '2026-11-24T10:00'],
    ['2026-11-24T10:00', 0, null],
  ] as const)('at %s', (minute, change, next) => {
    const { sellingCents, nextChange } = evaluatePrice(rules, FACTS, { ...TIME, minute })
    expect([(sellingCents ?? 0) - 4_648_000, nextChange]).toEqual([change, next])
  })
})

const anyRule = fc
  .record({
    id: fc.integer({ min: 1, max: 1_000_000 }).map(String),
    kind: fc.constantFrom(...RULE_KIND_CODES),
    cents: fc.integer({ min: 0, max: 5_000_000 }),
    percent: fc.option(fc.integer({ min: 1, max: 10_000 }).map((part) => part / 100)),
    field: fc.option(fc.constantFrom(...RULE_FIELD_CODES)),
    stepCents: fc.option(fc.constantFrom(100, 1_000, 10_000)),
    roundingMode: fc.constantFrom('down' as const, 'nearest' as const),
    group: fc.option(fc.constantFrom('a', 'b')),
    steps: fc.array(
      fc.record({
        days: fc.integer({ min: 0, max: 200 }),
        cents: fc.integer({ min: 0, max: 500_000 }),
        percent: fc.constant(null),
      }),
      { maxLength: 2 },
    ),
    from: fc.option(fc.constantFrom('2026-11-24T00:00', '2026-12-01T00:00')),
    until: fc.option(fc.constantFrom('2026-11-24T09:30', '2026-12-02T00:00')),
  })
  .map((given) => rule({ ...given, name: given.id }))
const rulesArbitrary = fc.uniqueArray(anyRule, { selector: ({ id }) => id, maxLength: 8 })
const cents = fc.option(fc.integer({ min: 0, max: 10_000_000 }))
const anyFacts = fc.record({
  priceCents: cents,
  msrpCents: cents,
  feedPriceCents: cents,
  marketPriceCents: cents,
  invoiceCents: cents,
  costCents: cents,
  inStockOn: fc.option(fc.constantFrom('2026-08-19', '2026-11-20')),
})
const anyTime = fc.record({ minute: fc.constant(TIME.minute), deductsRebates: fc.boolean() })

/** The amount of a rule now, from its settings alone; null if it has none, or depends on what other rules do. */
function limitOf(demanding: PriceRule, facts: PriceFacts): number | null {
  const { percent, field, steps, from, until } = demanding
  const { minute } = TIME
  const isNow = (from === null || from <= minute) && (until === null || minute < until)
  if (!isNow || steps.length > 0) return null
  if (percent === null) return demanding.cents
  const value = field === null || field === 'price' ? null : facts[`${field}Cents`]
  return value === null || value <= 0
    ? null
    : demanding.cents + Math.round((value * Math.round(percent * 100)) / 10_000)
}

/** The lowest price that a rule demands; 0 if none. */
const leastOf = (one: PriceRule, facts: PriceFacts): number =>
  one.kind === 'floor' ? (limitOf(one, facts) ?? 0) : 0

/** The highest price that a rule allows; no limit if none. */
const mostOf = (one: PriceRule, facts: PriceFacts): number =>
  one.kind === 'ceiling' ? limitOf(one, facts) || Infinity : Infinity

describe('any rules on any vehicle', () => {
  test('the selling price is the base plus the lines, positive, and never below a known lowest price', () => {
    fc.assert(
      fc.property(rulesArbitrary, anyFacts, anyTime, (rules, facts, time) => {
        const { baseCents, lines, sellingCents } = evaluatePrice(rules, facts, time)
        expect(lines.reduce((sum, { amountCents }) => sum + amountCents, baseCents ?? 0)).toBe(
          sellingCents ?? 0,
        )
        expect(sellingCents ?? 1).toBeGreaterThan(0)
        expect(Number.isSafeInteger(sellingCents ?? 0)).toBe(true)
        const least = Math.max(0, ...rules.map((one) => leastOf(one, facts)))
        expect(sellingCents ?? least).toBeGreaterThanOrEqual(least)
        // With lowest prices, one that depends on other rules or is unknown may hold the price above the highest one.
        if (rules.some(({ kind }) => kind === 'floor')) return
        const most = Math.min(Infinity, ...rules.map((one) => mostOf(one, facts)))
        expect(sellingCents ?? 0).toBeLessThanOrEqual(most)
      }),
      { numRuns: 300, seed: 5 },
    )
  })

  test('a lowest price that is cents above what the rules lead to is never undercut', () => {
    fc.assert(
      fc.property(
        rulesArbitrary,
        anyFacts,
        anyTime,
        fc.integer({ min: 1, max: 300 }),
        (drawn, facts, time, gap) => {
          const rules = drawn.filter(({ kind }) => kind !== 'floor')
          const { sellingCents } = evaluatePrice(rules, facts, time)
          if (sellingCents === null) return
          const floor = rule({ kind: 'floor', cents: sellingCents + gap })
          const raised = evaluatePrice([...rules, floor], facts, time).sellingCents
          expect(raised).toBeGreaterThanOrEqual(sellingCents + gap)
        },
      ),
      { numRuns: 300, seed: 6 },
    )
  })

  test('the order of the rules has no effect', () => {
    fc.assert(
      fc.property(rulesArbitrary, anyFacts, anyTime, (rules, facts, time) => {
        const one = evaluatePrice(rules, facts, time)
        const other = evaluatePrice(rules.toReversed(), facts, time)
        expect(other).toEqual(one)
      }),
    )
  })

  test('conditional offers never change the price, and a rule that is over changes nothing', () => {
    fc.assert(
      fc.property(rulesArbitrary, anyFacts, anyTime, (rules, facts, time) => {
        const price = evaluatePrice(rules, facts, time).sellingCents
        const withoutOffers = rules.filter(({ kind }) => kind !== 'offer')
        expect(evaluatePrice(withoutOffers, facts, time).sellingCents).toBe(price)
        const current = rules.filter(
          ({ from, until }) => (from ?? '') <= time.minute && (until ?? '9') > time.minute,
        )
        expect(evaluatePrice(current, facts, time).sellingCents).toBe(price)
      }),
    )
  })

  test('before its next change, time changes nothing', () => {
    fc.assert(
      fc.property(rulesArbitrary, anyFacts, anyTime, (rules, facts, time) => {
        const { nextChange, sellingCents } = evaluatePrice(rules, facts, time)
        const later = nextChange === null ? '2027-06-01T00:00' : minuteBefore(nextChange)
        expect(evaluatePrice(rules, facts, { ...time, minute: later }).sellingCents).toBe(sellingCents)
      }),
    )
  })
})

function minuteBefore(minute: string): string {
  return new Date(Date.parse(`${minute}:00Z`) - 60_000).toISOString().slice(0, 16)
}
