import { dayAfter } from '#contract/days.ts'
import type { RuleField, RuleKind } from './rule-kinds.ts'

/** What a rule does. Amounts are integer cents. */
export type PriceRule = Readonly<{
  id: string
  name: string
  kind: RuleKind
  /** The amount is `cents` plus `percent` of `field`. For rounding, `cents` is the ending: 9500 for prices ending in 95. */
  cents: number
  /** In percent, with up to two decimals. */
  percent: number | null
  field: RuleField | null
  /** Rounding: the distance between two prices with that ending, in cents. */
  stepCents: number | null
  /** Other amounts from a number of days in stock on; the step with the most days reached applies. */
  steps: readonly Readonly<{ days: number; cents: number; percent: number | null }>[]
  /** Of the rules of a group, only the one that is best for the buyer applies. */
  group: string | null
  /** From the first to before the last minute, `2026-12-01T00:00` in the lot's time zone; null: no limit. */
  from: string | null
  until: string | null
  /** Who gets a conditional offer. */
  qualifier: string | null
}>

/** A vehicle as the rules see it. Amounts are integer cents, null or 0 if unknown. */
export type PriceFacts = Readonly<{
  priceCents: number | null
  msrpCents: number | null
  feedPriceCents: number | null
  marketPriceCents: number | null
  invoiceCents: number | null
  costCents: number | null
  /** Since when it is in stock, a date; null if unknown. */
  inStockOn: string | null
  /** A person set the price of this vehicle. Rules other than offers don't change it. */
  isManual: boolean
}>

export type EvaluationTime = Readonly<{
  /** `2026-11-24T09:30` in the lot's time zone. */
  minute: string
  /** Whether the lot's price law allows deducting rebates that every buyer gets. */
  deductsRebates: boolean
}>

export type RuleLine = Readonly<{
  ruleId: string
  name: string
  kind: RuleKind
  amountCents: number
  runningCents: number
}>

/** Why a matching rule changed nothing. */
export const SKIP_REASONS = {
  later: 'not started yet',
  over: 'over',
  days: 'not enough days in stock',
  group: 'another rule of its group is better for the buyer',
  unknown: 'an amount it needs is missing',
  manual: 'the price was set for this vehicle',
  floor: 'the lowest price is unknown',
  negative: 'the price would be zero or less',
  nothing: 'it changes nothing',
} as const
export type SkipReason = keyof typeof SKIP_REASONS
const isReason = (name: string): name is SkipReason => Object.hasOwn(SKIP_REASONS, name)
export const SKIP_REASON_CODES: readonly SkipReason[] = Object.keys(SKIP_REASONS).filter(isReason)

export type Offer = Readonly<{
  ruleId: string
  name: string
  cents: number
  qualifier: string | null
  until: string | null
  /** A rebate that the price law doesn't allow to deduct. */
  isRebate: boolean
}>

export type Evaluation = Readonly<{
  /** The price before the rules; null if there is none, and then nothing else applies. */
  baseCents: number | null
  lines: readonly RuleLine[]
  sellingCents: number | null
  offers: readonly Offer[]
  skipped: readonly Readonly<{ ruleId: string; name: string; reason: SkipReason }>[]
  /** The next minute at which the result may differ, in the lot's time zone; null if time changes nothing. */
  nextChange: string | null
}>

type Applied = Readonly<{ rule: PriceRule; cents: number }>

/**
 * Evaluates the rules that match a vehicle: base, accessories, dealer discounts, rebates for every buyer, lowest price,
 * rounding. Pure and deterministic, in integer cents; the order of the rules in the list has no effect, because percentages
 * of one kind refer to the price before that kind. Percentages are rounded to the nearest cent.
 *
 * A vehicle without a price stays without: a rule doesn't publish a vehicle that nobody has priced.
 *
 * A discount that could go below an unknown lowest price isn't applied. Source of the order: the price that every buyer can
 * get comes first, conditional offers are listed separately (FTC letters to dealers of March 2026).
 */
export function evaluatePrice(
  rules: readonly PriceRule[],
  facts: PriceFacts,
  { minute, deductsRebates }: EvaluationTime,
): Evaluation {
  const skipped: { ruleId: string; name: string; reason: SkipReason }[] = []
  const skip = (rule: PriceRule, reason: SkipReason): void =>
    void skipped.push({ ruleId: rule.id, name: rule.name, reason })
  const lines: RuleLine[] = []
  const active = rules.toSorted(byId).filter((rule) => {
    const reason = timeReason(rule, minute)
    if (reason !== null) skip(rule, reason)
    return reason === null
  })
  const nextChange = nextMinute(rules, facts, minute)
  const of = (kind: RuleKind) => active.filter((rule) => rule.kind === kind)
  const own = facts.priceCents !== null && facts.priceCents > 0 ? facts.priceCents : null

  const amounts = (kind: RuleKind, before: number): Applied[] =>
    bestOfGroups(
      of(kind).flatMap((rule) => {
        const cents = amountOf(rule, facts, { before, minute })
        if (typeof cents === 'number') return [{ rule, cents }]
        skip(rule, cents)
        return []
      }),
      skip,
    )
  const skipAll = (kind: RuleKind, reason: SkipReason): void => {
    for (const rule of of(kind)) skip(rule, reason)
  }

  if (own === null) return { baseCents: null, lines: [], sellingCents: null, offers: [], skipped, nextChange }
  let running = own
  if (facts.isManual) skipAll('base', 'manual')
  else {
    // Of several base prices, the lowest applies.
    const [best, ...rest] = amounts('base', own).toSorted(
      (one, other) => one.cents - other.cents || byId(one.rule, other.rule),
    )
    for (const { rule } of rest) skip(rule, 'group')
    if (best !== undefined && best.cents <= 0) skip(best.rule, 'negative')
    else if (best !== undefined) {
      lines.push(lineOf(best.rule, best.cents - own, best.cents))
      running = best.cents
    }
  }

  const floor = floorOf(amounts('floor', running), of('floor').length)
  if (facts.isManual) {
    for (const kind of ['accessory', 'discount', 'rebate', 'rounding'] as const) skipAll(kind, 'manual')
  } else {
    running = applyAll(amounts('accessory', running), 1, { running, lines, skip })
    if (floor === 'unknown') {
      skipAll('discount', 'floor')
      if (deductsRebates) skipAll('rebate', 'floor')
    } else {
      running = applyAll(amounts('discount', running), -1, { running, lines, skip })
      if (deductsRebates) running = applyAll(amounts('rebate', running), -1, { running, lines, skip })
    }
  }
  const offers = [
    ...amounts('offer', running).map(({ rule, cents }) => offerOf(rule, cents, false)),
    ...(deductsRebates
      ? []
      : amounts('rebate', running).map(({ rule, cents }) => offerOf(rule, cents, true))),
  ]
  const least = floor === 'unknown' ? null : floor
  if (least !== null && running < least.cents) {
    lines.push(lineOf(least.rule, least.cents - running, least.cents))
    running = least.cents
  }
  if (!facts.isManual)
    running = applyRounding(of('rounding'), { running, lines, skip, least: least?.cents ?? 1 })
  return { baseCents: own, lines, sellingCents: running, offers, skipped, nextChange }
}

type Progress = {
  running: number
  lines: RuleLine[]
  skip: (rule: PriceRule, reason: SkipReason) => void
}

/** Adds or subtracts amounts. One that would make the price zero or less isn't applied. @returns the price after them. */
function applyAll(applied: readonly Applied[], sign: 1 | -1, { running, lines, skip }: Progress): number {
  let now = running
  for (const { rule, cents } of applied) {
    if (now + sign * cents <= 0) skip(rule, 'negative')
    else if (cents === 0) skip(rule, 'nothing')
    else {
      now += sign * cents
      lines.push(lineOf(rule, sign * cents, now))
    }
  }
  return now
}

/** Only one rounding applies: the one with the largest step. A price rounded below the lowest price is rounded up instead. */
function applyRounding(
  rules: readonly PriceRule[],
  { running, lines, skip, least }: Progress & { least: number },
): number {
  const [rule, ...others] = rules.toSorted(
    (one, other) => (other.stepCents ?? 0) - (one.stepCents ?? 0) || byId(one, other),
  )
  for (const other of others) skip(other, 'group')
  if (rule === undefined) return running
  const step = rule.stepCents ?? 0
  if (step <= 0) {
    skip(rule, 'unknown')
    return running
  }
  const ending = ((rule.cents % step) + step) % step
  const down = Math.floor((running - ending) / step) * step + ending
  const rounded =
    down < Math.max(1, least) ? down + step * Math.ceil((Math.max(1, least) - down) / step) : down
  if (rounded === running) skip(rule, 'nothing')
  else lines.push(lineOf(rule, rounded - running, rounded))
  return rounded
}

/** The highest of the lowest prices; `unknown` if one can't be calculated. */
function floorOf(known: readonly Applied[], asked: number): Applied | null | 'unknown' {
  if (known.length < asked) return 'unknown'
  const [highest] = known.toSorted((one, other) => other.cents - one.cents || byId(one.rule, other.rule))
  return highest ?? null
}

/** Of each group the largest amount, by name among equals. Lowest prices and bases aren't grouped. */
function bestOfGroups(applied: readonly Applied[], skip: Progress['skip']): Applied[] {
  const isBeaten = (one: Applied): boolean =>
    one.rule.group !== null &&
    applied.some(
      (other) =>
        other.rule.group === one.rule.group &&
        (other.cents > one.cents || (other.cents === one.cents && byId(other.rule, one.rule) < 0)),
    )
  return applied.filter((one) => {
    if (one.rule.kind === 'base' || one.rule.kind === 'floor' || !isBeaten(one)) return true
    skip(one.rule, 'group')
    return false
  })
}

/** The amount of a rule in cents, or why it has none. */
function amountOf(
  rule: PriceRule,
  facts: PriceFacts,
  { before, minute }: { before: number; minute: string },
): number | SkipReason {
  const { cents, percent } = stepOf(rule, facts, minute) ?? { cents: null, percent: null }
  if (cents === null) return 'days'
  if (percent === null) return cents
  const value = rule.field === null || rule.field === 'price' ? before : facts[`${rule.field}Cents`]
  if (value === null || value <= 0) return 'unknown'
  return cents + Math.round((value * Math.round(percent * 100)) / 10_000)
}

/** The amount for the days in stock; null if the rule has steps and none is reached. */
function stepOf(
  { steps, cents, percent }: PriceRule,
  { inStockOn }: PriceFacts,
  minute: string,
): { cents: number; percent: number | null } | null {
  if (steps.length === 0) return { cents, percent }
  if (inStockOn === null) return null
  const today = minute.slice(0, 10)
  return (
    steps
      .toSorted((one, other) => one.days - other.days)
      .findLast(({ days }) => dayAfter(inStockOn, days) <= today) ?? null
  )
}

function timeReason({ from, until }: PriceRule, minute: string): SkipReason | null {
  if (from !== null && minute < from) return 'later'
  return until !== null && minute >= until ? 'over' : null
}

/** The first later minute at which a rule starts, ends or reaches a step. */
function nextMinute(rules: readonly PriceRule[], { inStockOn }: PriceFacts, minute: string): string | null {
  const minutes = rules.flatMap(({ from, until, steps }) => [
    ...(from === null ? [] : [from]),
    ...(until === null ? [] : [until]),
    ...(inStockOn === null ? [] : steps.map(({ days }) => `${dayAfter(inStockOn, days)}T00:00`)),
  ])
  return minutes.filter((one) => one > minute).toSorted()[0] ?? null
}

const byId = (one: { id: string }, other: { id: string }): number =>
  Number(one.id) - Number(other.id) || (one.id < other.id ? -1 : Number(one.id > other.id))

const lineOf = ({ id, name, kind }: PriceRule, amountCents: number, runningCents: number): RuleLine => ({
  ruleId: id,
  name,
  kind,
  amountCents,
  runningCents,
})

const offerOf = ({ id, name, qualifier, until }: PriceRule, cents: number, isRebate: boolean): Offer => ({
  ruleId: id,
  name,
  cents,
  qualifier,
  until,
  isRebate,
})
