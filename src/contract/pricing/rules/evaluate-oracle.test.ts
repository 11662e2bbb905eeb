import fc from 'fast-check'
import { expect, test } from 'vitest'
import { evaluatePrice } from './evaluate-price.ts'
import type { PriceFacts, PriceRule } from './price-rule.ts'
import { RULE_FIELD_CODES, RULE_KIND_CODES, WHEN_MISSING_CODES } from './rule-kinds.ts'

// A second, slow implementation of the rules in exact integers, written from the specification of the kinds. Where the product
// has one pass with explanations, it filters, sorts and sums.

type Time = { minute: string; deductsRebates: boolean }
type Priced = { selling: number | null; offers: [string, number][] }

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
  if (value === null || value <= 0) {
    if (rule.kind !== 'floor' || rule.whenMissing !== 'cost' || !facts.costCents) return null
    const cost = BigInt(facts.costCents)
    if (rule.field !== 'invoice') return cost
    return BigInt(cents) + divided(cost * BigInt(Math.round(percent * 100)), 10_000n)
  }
  return BigInt(cents) + divided(BigInt(value) * BigInt(Math.round(percent * 100)), 10_000n)
}

/** The highest of the limits of a rule; null without one, undefined if an amount is missing. */
function oracleLimit(rule: PriceRule, facts: PriceFacts, minimum: bigint | null): bigint | null | undefined {
  if (!['base', 'discount', 'rebate'].includes(rule.kind)) return null
  const known = (cents: number | null) => (cents === null || cents <= 0 ? undefined : BigInt(cents))
  const cost = known(facts.costCents)
  const instead = rule.whenMissing === 'cost' ? cost : undefined
  const all: (bigint | undefined)[] = []
  if (rule.aboveCostCents !== null) all.push(cost && cost + BigInt(rule.aboveCostCents))
  if (rule.aboveInvoiceCents !== null) {
    const invoice = known(facts.invoiceCents) ?? instead
    all.push(invoice && invoice + BigInt(rule.aboveInvoiceCents))
  }
  if (rule.offMsrpPercent !== null) {
    const msrp = known(facts.msrpCents)
    all.push(
      msrp === undefined
        ? instead
        : msrp - divided(msrp * BigInt(Math.round(rule.offMsrpPercent * 100)), 10_000n),
    )
  }
  if (rule.keepsMinimum && minimum !== null) all.push(minimum)
  const amounts = all.filter((one) => one !== undefined)
  if (amounts.length < all.length) return undefined
  return amounts.toSorted((one, other) => (one < other ? 1 : -1))[0] ?? null
}

function oracleFloors(active: readonly PriceRule[], facts: PriceFacts, before: bigint, minute: string) {
  const all = active.flatMap((rule) => {
    const amount = rule.kind === 'floor' ? oracleAmount(rule, facts, before, minute) : undefined
    const isStop = amount === null && rule.whenMissing === 'stop'
    return typeof amount === 'bigint' || isStop ? [{ rule, amount: amount ?? null }] : []
  })
  const current = all.filter(({ rule }) =>
    all.every(
      ({ rule: other }) =>
        rule.group === null ||
        other.group?.toLowerCase() !== rule.group.toLowerCase() ||
        (other.from ?? '') <= (rule.from ?? ''),
    ),
  )
  const amounts = current.flatMap(({ amount }) => (amount === null ? [] : [amount]))
  return { amounts, isUnknown: current.length > amounts.length }
}

function oraclePrice(rules: readonly PriceRule[], facts: PriceFacts, time: Time): Priced {
  const { minute, deductsRebates } = time
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
  const { isUnknown } = oracleFloors(active, facts, own, minute)
  const highestOf = (all: readonly bigint[]) =>
    all.toSorted((one, other) => (one < other ? 1 : -1))[0] ?? null
  const withLimits = (kinds: readonly string[], before: bigint) =>
    withAmounts(kinds, before).flatMap((one) => {
      const minimum = highestOf(oracleFloors(active, facts, before, minute).amounts)
      const isListed = one.rule.kind === 'rebate' && !deductsRebates
      const limit = isListed ? null : oracleLimit(one.rule, facts, minimum)
      return limit === undefined ? [] : [{ ...one, limit }]
    })
  const least = (one: bigint, other: bigint) => (one < other ? one : other)
  const taken = (amount: bigint, limit: bigint | null, from: bigint) => {
    if (limit === null || amount <= 0n) return amount
    return from > limit ? least(amount, from - limit) : 0n
  }
  const reached: { rule: PriceRule; limit: bigint }[] = []
  const chosen = <One extends { rule: PriceRule; amount: bigint }>(
    of: readonly One[],
    before: bigint | null,
  ): One[] => {
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
  const lower = (of: readonly { rule: PriceRule; amount: bigint; limit: bigint | null }[]) => {
    const free = of.filter(({ limit }) => limit === null)
    const bound = of.flatMap(({ limit, ...one }) => (limit === null ? [] : [{ ...one, limit }]))
    bound.sort((one, other) => Number(other.limit - one.limit) || Number(one.rule.id) - Number(other.rule.id))
    for (const { amount } of free) if (price - amount > 0n) price -= amount
    for (const { rule, amount, limit } of bound) {
      const off = taken(amount, limit, price)
      if (off === 0n || price - off <= 0n) continue
      price -= off
      reached.push({ rule, limit })
    }
  }
  const [base] = withLimits(['base'], own)
    .filter(({ amount }) => amount > 0n)
    .map((one) => ({ ...one, after: own - taken(own - one.amount, one.limit, own) }))
    .toSorted((one, other) =>
      one.after === other.after
        ? Number(one.rule.id) - Number(other.rule.id)
        : Number(one.after > other.after) * 2 - 1,
    )
  if (base !== undefined && !(base.after < price && isUnknown)) {
    if (base.limit !== null && base.after < own) reached.push({ rule: base.rule, limit: base.limit })
    price = base.after
  }
  for (const { amount } of chosen(withAmounts(['accessory'], price), null)) price += amount
  const lowering = isUnknown ? [] : ['discount', 'rebate']
  const kinds = isUnknown && !deductsRebates ? ['rebate'] : lowering
  const before = price
  const all = chosen(
    withLimits(kinds, before)
      .map((one) => ({ ...one, amount: taken(one.amount, one.limit, before), wanted: one.amount }))
      .filter(({ amount, wanted }) => amount > 0n || wanted <= 0n),
    before,
  )
  const winners = new Set(all.map(({ rule }) => rule))
  lower(withLimits(['discount'], before).filter(({ rule }) => winners.has(rule)))
  if (deductsRebates) lower(withLimits(['rebate'], price).filter(({ rule }) => winners.has(rule)))
  const ceilings = withAmounts(['ceiling'], price)
    .map(({ amount }) => amount)
    .filter((amount) => amount > 0n)
  if (!isUnknown) for (const ceiling of ceilings) if (price > ceiling) price = ceiling
  const floors = oracleFloors(active, facts, price, minute).amounts
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
    const wanted = rounded
    while (floors.some((floor) => rounded < floor)) rounded += step
    const kept = reached.filter(({ limit }) => limit <= price)
    let above = wanted
    while (kept.some(({ limit }) => above < limit)) above += step
    if (above > rounded) {
      const others = rules.filter((one) => reached.every(({ rule }) => rule !== one))
      const without = oraclePrice(others, facts, time).selling
      if (without !== null) above = least(above, BigInt(without))
      if (above > rounded) rounded = above
    }
    if (rounded > 0n && isAllowed(rounded) && !(rounded < price && isUnknown)) price = rounded
  }
  const groups = new Set(all.flatMap(({ rule }) => rule.group?.toLowerCase() ?? []))
  const conditional = withAmounts(['offer'], price).filter(
    ({ rule }) => rule.group === null || !groups.has(rule.group.toLowerCase()),
  )
  const listed = deductsRebates ? [] : withAmounts(['rebate'], price).filter(({ rule }) => winners.has(rule))
  const offers = [...chosen(conditional, price), ...listed]
    .filter(({ amount }) => amount > 0n && amount < price)
    .map(({ rule, amount }): [string, number] => [rule.id, Number(amount)])
    .toSorted((one, other) => Number(one[0]) - Number(other[0]))
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
const rarely = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null, freq: 1 })
const limits = {
  aboveCostCents: rarely(fc.integer({ min: -500, max: 2_000 })),
  aboveInvoiceCents: rarely(fc.integer({ min: -500, max: 2_000 })),
  offMsrpPercent: rarely(fc.constantFrom(0.01, 5, 12.5, 99.99)),
  keepsMinimum: fc.boolean(),
  whenMissing: fc.constantFrom(...WHEN_MISSING_CODES),
}
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
  ...limits,
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

const NO_LIMITS = {
  aboveCostCents: null,
  aboveInvoiceCents: null,
  offMsrpPercent: null,
  keepsMinimum: false,
  whenMissing: 'skip' as const,
}
const NO_FACTS = {
  priceCents: null,
  msrpCents: null,
  feedPriceCents: null,
  marketPriceCents: null,
  invoiceCents: null,
  costCents: null,
  inStockOn: null,
}
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
        // A highest or minimum price that no price crosses has no outcome.
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
          ...NO_LIMITS,
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
] as const)('%s lowers no price whose minimum price is unknown, if it stops reductions', ([, given]) => {
  const blank = {
    percent: null,
    field: null,
    stepCents: null,
    roundingMode: 'down' as const,
    steps: [],
    ...NO_LIMITS,
    whenMissing: 'stop' as const,
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

const LIMITED = {
  ...NO_LIMITS,
  percent: null,
  field: null,
  stepCents: null,
  roundingMode: 'down',
  steps: [],
} as const

test('a limit bounds only its own rule, and never leads to a higher price than without the rule', () => {
  // Without groups, where a limited rule may win over a larger one, and without rules that are skipped near a price of zero.
  const others = fc.array(
    drawnRule.map((rule) => ({
      ...rule,
      group: null,
      cents: rule.cents % 400,
      steps: [],
      percent: rule.kind === 'base' || rule.kind === 'ceiling' || rule.kind === 'floor' ? rule.percent : null,
    })),
    { maxLength: 6 },
  )
  const limited = fc.record({
    kind: fc.constantFrom('discount' as const, 'rebate' as const, 'base' as const),
    cents: fc.integer({ min: 1, max: 3_000 }),
    aboveCostCents: fc.integer({ min: -300, max: 900 }),
  })
  fc.assert(
    fc.property(
      others,
      limited,
      fc.integer({ min: 3_000, max: 9_000 }),
      fc.option(fc.integer({ min: 2_000, max: 9_000 }), { nil: null, freq: 5 }),
      fc.boolean(),
      (drawn, given, priceCents, costCents, deductsRebates) => {
        const rule = { ...LIMITED, ...given, group: null, from: null, until: null }
        const [one, ...rest] = toRules([rule, ...drawn])
        const facts = { ...NO_FACTS, priceCents, costCents, msrpCents: 8_000 }
        const time = { minute: '2028-02-29T12:30', deductsRebates }
        // Another base price may be higher than the price of the vehicle, and the lowest base price wins.
        fc.pre(given.kind !== 'base' || rest.every(({ kind }) => kind !== 'base'))
        const without = evaluatePrice(rest, facts, time).sellingCents ?? 0
        const withIt = evaluatePrice(one ? [one, ...rest] : [], facts, time).sellingCents ?? 0
        const limit = costCents === null ? Infinity : costCents + given.aboveCostCents
        // A base price above the vehicle's own is no reduction.
        const most = given.kind === 'base' && given.cents > priceCents ? Infinity : without
        // Rebates and highest prices come after a discount, and may go further: they are other rules.
        const isLast = rest.every(({ kind }) => ['floor', 'accessory', 'rounding', 'offer'].includes(kind))
        const isBound = costCents === null || (isLast && (given.kind !== 'rebate' || deductsRebates))
        expect(withIt).toBeLessThanOrEqual(most)
        expect(withIt).toBeGreaterThanOrEqual(isBound ? Math.min(without, limit) : 1)
      },
    ),
    { numRuns: 3_000, seed: 20_261_129 },
  )
})
