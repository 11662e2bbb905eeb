import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluatePrice, type PriceFacts, type PriceRule } from './evaluate-price.ts'
import { RULE_FIELD_CODES, RULE_KIND_CODES } from './rule-kinds.ts'

// A second, slow implementation of the rules in exact integers, written from the specification of the kinds. Where the product
// has one pass with explanations, it filters, sorts and sums.

type Time = { minute: string; deductsRebates: boolean }

const divided = (value: bigint, by: bigint): bigint => (value + by / 2n) / by

/** The amount in cents; undefined if the rule has none now, null if a value is missing. */
function oracleAmount(
  rule: PriceRule,
  facts: PriceFacts,
  before: bigint,
  minute: string,
): bigint | null | undefined {
  let [cents, percent] = [rule.cents, rule.percent]
  if (rule.steps.length > 0) {
    if (facts.inStockOn === null) return null
    const days = (Date.parse(minute.slice(0, 10)) - Date.parse(facts.inStockOn)) / 86_400_000
    const reached = rule.steps.filter((step) => step.days <= days)
    const step = reached.find((one) => reached.every((other) => other.days <= one.days))
    if (step === undefined) return undefined
    ;[cents, percent] = [step.cents, step.percent]
  }
  if (percent === null) return BigInt(cents)
  const values = {
    price: Number(before),
    msrp: facts.msrpCents,
    feedPrice: facts.feedPriceCents,
    marketPrice: facts.marketPriceCents,
    invoice: facts.invoiceCents,
    cost: facts.costCents,
  }
  const value = values[rule.field ?? 'price']
  if (value === null || value <= 0) return null
  return BigInt(cents) + divided(BigInt(value) * BigInt(Math.round(percent * 100)), 10_000n)
}

function oraclePrice(rules: readonly PriceRule[], facts: PriceFacts, { minute, deductsRebates }: Time) {
  if (facts.priceCents === null || facts.priceCents <= 0) return { selling: null, offers: [] }
  const active = rules
    .filter(({ from, until }) => (from === null || from <= minute) && (until === null || minute < until))
    .toSorted((one, other) => Number(one.id) - Number(other.id))
  const own = BigInt(facts.priceCents)
  const withAmounts = (kinds: readonly string[], before: bigint) =>
    active.flatMap((rule) => {
      const amount = kinds.includes(rule.kind) ? oracleAmount(rule, facts, before, minute) : undefined
      return amount === undefined || amount === null ? [] : [{ rule, amount }]
    })
  const isUnknown = active.some(
    (rule) => rule.kind === 'floor' && oracleAmount(rule, facts, own, minute) === null,
  )
  const chosen = (of: readonly { rule: PriceRule; amount: bigint }[], before: bigint | null) => {
    const alone = of.filter(({ rule }) => rule.group === null)
    const groups = Map.groupBy(
      of.filter(({ rule }) => rule.group !== null),
      ({ rule }) => rule.group?.toLowerCase(),
    )
    const best = [...groups.values()].map((members) => {
      const possible = before === null ? members : members.filter(({ amount }) => amount < before)
      const among = possible.length === 0 ? members : possible
      return among.reduce((one, other) => {
        const isMore = before === null ? other.amount < one.amount : other.amount > one.amount
        return isMore ? other : one
      })
    })
    return [...alone, ...best].toSorted((one, other) => Number(one.rule.id) - Number(other.rule.id))
  }
  let price = own
  const lower = (of: readonly { amount: bigint }[]) => {
    for (const { amount } of of) if (price - amount > 0n) price -= amount
  }
  const bases = withAmounts(['base'], own).map(({ amount }) => amount)
  const base = bases
    .filter((amount) => amount > 0n)
    .reduce<bigint | null>((one, other) => (one === null || other < one ? other : one), null)
  if (base !== null && !(base < price && isUnknown)) price = base
  for (const { amount } of chosen(withAmounts(['accessory'], price), null)) price += amount
  if (!isUnknown) {
    const before = price
    const all = chosen(withAmounts(deductsRebates ? ['discount', 'rebate'] : ['discount'], before), before)
    lower(all.filter(({ rule }) => rule.kind === 'discount'))
    const rebates = withAmounts(['rebate'], price)
    lower(
      all
        .filter(({ rule }) => rule.kind === 'rebate')
        .flatMap(({ rule }) => rebates.filter((one) => one.rule === rule)),
    )
  }
  const ceilings = withAmounts(['ceiling'], price)
    .map(({ amount }) => amount)
    .filter((amount) => amount > 0n)
  if (!isUnknown) for (const ceiling of ceilings) if (price > ceiling) price = ceiling
  const floors = withAmounts(['floor'], price).map(({ amount }) => amount)
  for (const floor of floors) if (price < floor) price = floor
  const roundings = active.filter(({ kind }) => kind === 'rounding')
  const largest = roundings.find((one) =>
    roundings.every((other) => (other.stepCents ?? 0) <= (one.stepCents ?? 0)),
  )
  if (largest !== undefined && (largest.stepCents ?? 0) > 0) {
    const step = BigInt(largest.stepCents ?? 0)
    const ending = BigInt(largest.cents) % step
    const isEnding = (amount: bigint) => ((amount % step) + step) % step === ending
    // A price above its highest price is held there by the lowest price, or by one that is unknown.
    const isAllowed = (amount: bigint) =>
      ceilings.every((ceiling) => amount <= ceiling) || ceilings.some((ceiling) => price > ceiling)
    let rounded = price
    while (!isEnding(rounded)) rounded -= 1n
    const up = rounded + step
    if (largest.roundingMode === 'nearest' && up - price < price - rounded && isAllowed(up)) rounded = up
    while (floors.some((floor) => rounded < floor)) rounded += step
    if (rounded > 0n && isAllowed(rounded) && !(rounded < price && isUnknown)) price = rounded
  }
  const offers = chosen(withAmounts(deductsRebates ? ['offer'] : ['offer', 'rebate'], price), price)
    .filter(({ amount }) => amount > 0n && amount < price)
    .map(({ rule, amount }) => [rule.id, Number(amount)])
  return { selling: Number(price), offers }
}

// Equal amounts are frequent, because only they show which of two equal rules applies.
const cents = fc.oneof(fc.integer({ min: 0, max: 6_000 }), fc.constantFrom(0, 1, 2_500, 3_999, 4_000, 4_001))
const percent = fc.option(fc.constantFrom(0.01, 0.5, 1, 33.33, 50, 99.99, 100, 250), { nil: null, freq: 1 })
const minute = fc.constantFrom(
  '2028-02-28T23:59',
  '2028-02-29T00:00',
  '2028-02-29T12:30',
  '2028-03-01T00:00',
  '2026-03-08T02:30',
  '2026-11-01T01:30',
)
const drawnRule = fc.record({
  kind: fc.constantFrom(...RULE_KIND_CODES),
  cents,
  percent,
  field: fc.constantFrom(...RULE_FIELD_CODES),
  stepCents: fc.constantFrom(null, 1, 7, 100, 1_000),
  roundingMode: fc.constantFrom('down' as const, 'nearest' as const),
  steps: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.uniqueArray(fc.record({ days: fc.integer({ min: 0, max: 3 }), cents, percent }), {
        maxLength: 3,
        selector: ({ days }) => days,
      }),
    },
  ),
  group: fc.constantFrom(null, null, 'A', 'a', 'A'),
  from: fc.option(minute, { nil: null, freq: 2 }),
  until: fc.option(minute, { nil: null, freq: 2 }),
})
const amount = fc.option(fc.oneof(fc.integer({ min: 0, max: 8_000 }), fc.constantFrom(1, 4_000)), {
  nil: null,
  freq: 4,
})
const drawnFacts = fc.record({
  priceCents: amount,
  msrpCents: amount,
  feedPriceCents: amount,
  marketPriceCents: amount,
  invoiceCents: amount,
  costCents: amount,
  inStockOn: fc.constantFrom(null, '2028-02-27', '2028-02-28', '2028-02-29', '2026-03-07', '2026-11-01'),
})

const TEXTS = { qualifier: 'Members', disclaimer: null, label: null }
const toRules = (drawn: readonly Omit<PriceRule, 'id' | 'name' | keyof typeof TEXTS>[]): PriceRule[] =>
  drawn.map((rule, at) => ({ ...rule, ...TEXTS, id: String(at + 8), name: `Rule ${at + 8}` }))

test('equals a second implementation in exact integers, for random rules, vehicles and minutes', () => {
  fc.assert(
    fc.property(
      fc.array(drawnRule, { maxLength: 8 }),
      drawnFacts,
      minute,
      fc.boolean(),
      (drawn, facts, now, deductsRebates) => {
        const rules = toRules(drawn)
        const time = { minute: now, deductsRebates }
        const { sellingCents, offers } = evaluatePrice(rules, facts, time)
        expect({
          selling: sellingCents,
          offers: offers
            .map(({ ruleId, cents: off }) => [ruleId, off])
            .toSorted((one, other) => Number(one[0]) - Number(other[0])),
        }).toEqual(oraclePrice(rules, facts, time))
      },
    ),
    { numRuns: 4_000, seed: 20_261_125 },
  )
})

test('lines add up to the selling price, and every rule has one outcome', () => {
  fc.assert(
    fc.property(
      fc.array(drawnRule, { maxLength: 8 }),
      drawnFacts,
      minute,
      fc.boolean(),
      (drawn, facts, now, deductsRebates) => {
        const rules = toRules(drawn)
        const { baseCents, lines, sellingCents, offers, skipped } = evaluatePrice(rules, facts, {
          minute: now,
          deductsRebates,
        })
        const sum = lines.reduce((total, { amountCents }) => total + amountCents, baseCents ?? 0)
        expect(sum).toBe(sellingCents ?? 0)
        expect(lines.every(({ amountCents, runningCents }) => amountCents !== 0 && runningCents > 0)).toBe(
          true,
        )
        if (baseCents === null) return
        const outcomes = [...lines, ...offers, ...skipped].map(({ ruleId }) => ruleId)
        expect(new Set(outcomes).size).toBe(outcomes.length)
        // A limit that no price crosses has no outcome.
        const silent = rules.filter(({ id }) => !outcomes.includes(id))
        expect(silent.every(({ kind }) => kind === 'floor' || kind === 'ceiling')).toBe(true)
      },
    ),
    { numRuns: 3_000, seed: 7 },
  )
})

test('percentages of the highest prices are exact to the cent', () => {
  const amounts = fc.integer({ min: 90_000_000_000, max: 100_000_000_000 })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 100_000 }), (priceCents, hundredths) => {
      const exact = divided(BigInt(priceCents) * BigInt(hundredths), 10_000n)
      const [rule] = toRules([
        {
          kind: 'accessory',
          cents: 0,
          percent: hundredths / 100,
          field: 'price',
          stepCents: null,
          roundingMode: 'down',
          steps: [],
          group: null,
          from: null,
          until: null,
        },
      ])
      const facts = {
        priceCents,
        msrpCents: null,
        feedPriceCents: null,
        marketPriceCents: null,
        invoiceCents: null,
        costCents: null,
        inStockOn: null,
      }
      const time = { minute: '2026-11-24T09:30', deductsRebates: true }
      const { sellingCents } = evaluatePrice(rule ? [rule] : [], facts, time)
      expect(BigInt(sellingCents ?? 0)).toBe(BigInt(priceCents) + exact)
    }),
    { numRuns: 2_000, seed: 3 },
  )
})

test.for([
  ['a base price', { kind: 'base', cents: 1_000 }],
  ['a rounding', { kind: 'rounding', cents: 0, stepCents: 3_000 }],
  ['a highest price', { kind: 'ceiling', cents: 3_000 }],
  ['a discount', { kind: 'discount', cents: 1_000 }],
  ['a rebate', { kind: 'rebate', cents: 1_000 }],
] as const)('%s lowers no price whose lowest price is unknown', ([, given]) => {
  const blank = {
    percent: null,
    field: null,
    stepCents: null,
    roundingMode: 'down' as const,
    steps: [],
    group: null,
    from: null,
    until: null,
  }
  const [floor, rule] = toRules([
    { ...blank, kind: 'floor', cents: 0, percent: 100, field: 'cost' },
    { ...blank, ...given },
  ])
  const facts = {
    priceCents: 4_000,
    msrpCents: null,
    feedPriceCents: null,
    marketPriceCents: null,
    invoiceCents: null,
    costCents: null,
    inStockOn: null,
  }
  const time = { minute: '2026-11-24T09:30', deductsRebates: true }
  const rules = [floor, rule].flatMap((one) => one ?? [])
  expect(evaluatePrice(rules, facts, time)).toMatchObject({ sellingCents: 4_000, lines: [] })
  expect(evaluatePrice(rules, { ...facts, costCents: 500 }, time).sellingCents).toBeLessThan(4_000)
})
