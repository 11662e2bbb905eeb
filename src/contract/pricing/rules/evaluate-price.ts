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
  /** Rounding: to the ending below the price, or to the nearest one; halfway, to the one below. */
  roundingMode: 'down' | 'nearest'
  /** Other amounts from a number of days in stock on; the step with the most days reached applies. */
  steps: readonly Readonly<{ days: number; cents: number; percent: number | null }>[]
  /** Of the rules of a group, only the one that is best for the buyer applies. */
  group: string | null
  /** From the first to before the last minute, `2026-12-01T00:00` in the lot's time zone; null: no limit. */
  from: string | null
  until: string | null
  /** Who gets a conditional offer, and what buyers must read beside it. */
  qualifier: string | null
  disclaimer: string | null
  /** How buyers read the name of the rule; null: they don't, and an offer is just an "Offer". */
  label: string | null
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
  /** A price for this vehicle only, which replaces what rules make of its price. Until a minute in the lot's time zone. */
  special?: Readonly<{ cents: number; until: string | null; reason: string }> | null
}>

export type EvaluationTime = Readonly<{
  /** `2026-11-24T09:30` in the lot's time zone. */
  minute: string
  /** Whether the lot's price law allows deducting rebates that every buyer gets. */
  deductsRebates: boolean
}>

export type RuleLine = Readonly<{
  /** Null for a special price. */
  ruleId: string | null
  name: string
  label: string | null
  kind: RuleKind | 'special'
  amountCents: number
  runningCents: number
}>

/** Why a matching rule changed nothing. */
export const SKIP_REASONS = {
  later: 'not started yet',
  over: 'over',
  days: 'not enough days in stock',
  group: 'another rule in its group gives a better price',
  unknown: 'an amount it needs is missing',
  manual: 'the price was set for this vehicle',
  floor: 'the lowest price is unknown',
  ceiling: 'the price would be above its highest price',
  negative: 'the price would be zero or less',
  nothing: 'it changes nothing',
} as const
export type SkipReason = keyof typeof SKIP_REASONS
const isReason = (name: string): name is SkipReason => Object.hasOwn(SKIP_REASONS, name)
export const SKIP_REASON_CODES: readonly SkipReason[] = Object.keys(SKIP_REASONS).filter(isReason)

export type Offer = Readonly<{
  ruleId: string
  name: string
  label: string | null
  cents: number
  qualifier: string | null
  disclaimer: string | null
  until: string | null
  /** A rebate that the price law doesn't allow to deduct. */
  isRebate: boolean
}>

/** A matching rule that changed nothing. `by`: the rule that applied instead of it, if the reason is its group. */
export type SkippedRule = Readonly<{
  ruleId: string
  name: string
  reason: SkipReason
  by: Readonly<{ ruleId: string; name: string }> | null
}>

export type Evaluation = Readonly<{
  /** The price before the rules; null if there is none, and then nothing else applies. */
  baseCents: number | null
  lines: readonly RuleLine[]
  sellingCents: number | null
  offers: readonly Offer[]
  skipped: readonly SkippedRule[]
  /** The next minute at which the result may differ, in the lot's time zone; null if time changes nothing. */
  nextChange: string | null
}>

type Applied = Readonly<{ rule: PriceRule; cents: number }>

/**
 * Evaluates the rules that match a vehicle: base, accessories, dealer discounts, rebates for every buyer, highest price, lowest
 * price, rounding. Pure and deterministic, in integer cents; the order of the rules in the list has no effect, because percentages
 * of one kind refer to the price before that kind. Percentages are rounded to the nearest cent. Percentages of offers refer to
 * the selling price.
 *
 * A special price of the vehicle comes instead of base price, accessories, discounts, rebates and rounding; the highest and the
 * lowest price apply to it too. A lowest price above the highest price wins.
 *
 * A vehicle without a price stays without: a rule doesn't publish a vehicle that nobody has priced.
 *
 * Nothing lowers a price whose lowest price is unknown: no base price, discount, rebate, highest price or rounding. Source of the order: the
 * price that every buyer can get comes first, conditional offers are listed separately (FTC letters to dealers of March 2026).
 */
export function evaluatePrice(
  rules: readonly PriceRule[],
  facts: PriceFacts,
  { minute, deductsRebates }: EvaluationTime,
): Evaluation {
  const skipped: SkippedRule[] = []
  const skip: Skip = ({ id: ruleId, name }, reason, by) =>
    void skipped.push({ ruleId, name, reason, by: by ? { ruleId: by.id, name: by.name } : null })
  const lines: RuleLine[] = []
  const active = inOrder(rules).filter((rule) => {
    const reason = timeReason(rule, minute)
    if (reason !== null) skip(rule, reason)
    return reason === null
  })
  const nextChange = nextMinute(rules, facts, minute)
  const byKind = Map.groupBy(active, ({ kind }) => kind)
  const of = (kind: RuleKind): readonly PriceRule[] => byKind.get(kind) ?? []
  const skipAll = (kind: RuleKind, reason: SkipReason): void => {
    for (const rule of of(kind)) skip(rule, reason)
  }
  /** The rules of some kinds that have an amount. */
  const amounts = (kinds: readonly RuleKind[], before: number): Applied[] =>
    kinds.flatMap(of).flatMap((rule) => {
      const cents = amountOf(rule, facts, { before, minute })
      if (typeof cents === 'number') return [{ rule, cents }]
      skip(rule, cents)
      return []
    })
  const own = facts.priceCents !== null && facts.priceCents > 0 ? facts.priceCents : null
  if (own === null) return { baseCents: null, lines: [], sellingCents: null, offers: [], skipped, nextChange }

  const isFloorUnknown = of('floor').some(
    (rule) => amountOf(rule, facts, { before: own, minute }) === 'unknown',
  )
  const progress = { lines, skip, isFloorUnknown }
  let running = own
  const special = activeSpecial(facts, minute)
  if (special !== null) {
    for (const kind of ['base', 'accessory', 'discount', 'rebate', 'rounding'] as const)
      if (kind !== 'rebate' || deductsRebates) skipAll(kind, 'manual')
  } else {
    running = applyBase(amounts(['base'], own), own, progress)
    const added = bestOfGroups(amounts(['accessory'], running), { before: running, sign: 1, skip })
    running = applyAll(added, 1, running, progress)
    if (isFloorUnknown) {
      skipAll('discount', 'floor')
      if (deductsRebates) skipAll('rebate', 'floor')
    } else {
      // A group may have discounts and rebates, which are compared by the price before both.
      const lowering = amounts(deductsRebates ? ['discount', 'rebate'] : ['discount'], running)
      const best = bestOfGroups(lowering, { before: running, sign: -1, skip })
      running = applyAll(best.filter(isOf('discount')), -1, running, progress)
      const rebates = best.filter(isOf('rebate')).flatMap(({ rule }): Applied[] => {
        const cents = amountOf(rule, facts, { before: running, minute })
        return typeof cents === 'number' ? [{ rule, cents }] : []
      })
      running = applyAll(rebates, -1, running, progress)
    }
  }
  if (special !== null && special.cents !== running) {
    lines.push(specialLine(special, running))
    running = special.cents
  }
  const ceiling = lowest(amounts(['ceiling'], running), skip)
  if (ceiling !== null) running = applyCeiling(ceiling, running, progress)
  const floor = highest(amounts(['floor'], running))
  if (floor !== null && running < floor.cents) {
    lines.push(lineOf(floor.rule, floor.cents - running, floor.cents))
    running = floor.cents
  }
  const limits = { floor: floor?.cents ?? null, ceiling: ceiling?.cents ?? null }
  if (special === null) running = applyRounding(of('rounding'), running, limits, progress)
  const listed = amounts(deductsRebates ? ['offer'] : ['offer', 'rebate'], running)
  const offers = bestOfGroups(listed, { before: running, sign: -1, skip }).flatMap(({ rule, cents }) => {
    if (cents > 0 && cents < running) return [offerOf(rule, cents, rule.kind === 'rebate')]
    skip(rule, cents === 0 ? 'nothing' : 'negative')
    return []
  })
  return { baseCents: own, lines, sellingCents: running, offers, skipped, nextChange }
}

function activeSpecial(
  { special = null }: PriceFacts,
  minute: string,
): NonNullable<PriceFacts['special']> | null {
  return special !== null && (special.until === null || minute < special.until) ? special : null
}

const isOf =
  (kind: RuleKind) =>
  ({ rule }: Applied): boolean =>
    rule.kind === kind

type Skip = (rule: PriceRule, reason: SkipReason, by?: PriceRule) => void

type Progress = {
  lines: RuleLine[]
  skip: Skip
  /** An amount that a lowest price needs is missing, so nothing may lower the price. */
  isFloorUnknown: boolean
}

/** Of several base prices, the lowest that is a price applies. @returns the price after it. */
function applyBase(
  applied: readonly Applied[],
  own: number,
  { lines, skip, isFloorUnknown }: Progress,
): number {
  const [best, ...others] = applied
    .filter(({ rule, cents }) => {
      if (cents <= 0) skip(rule, 'negative')
      return cents > 0
    })
    .toSorted((one, other) => one.cents - other.cents || byId(one.rule, other.rule))
  for (const { rule } of others) skip(rule, 'group', best?.rule)
  if (best === undefined) return own
  if (best.cents === own) skip(best.rule, 'nothing')
  else if (best.cents < own && isFloorUnknown) skip(best.rule, 'floor')
  else {
    lines.push(lineOf(best.rule, best.cents - own, best.cents))
    return best.cents
  }
  return own
}

/** Adds or subtracts amounts. One that would make the price zero or less isn't applied. @returns the price after them. */
function applyAll(
  applied: readonly Applied[],
  sign: 1 | -1,
  before: number,
  { lines, skip }: Progress,
): number {
  let now = before
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

/**
 * Only one rounding applies: the one with the largest step. A price rounded below the lowest price is rounded up instead, and
 * one that only the next ending above would exceed the highest price is rounded down.
 */
function applyRounding(
  rules: readonly PriceRule[],
  running: number,
  { floor, ceiling }: { floor: number | null; ceiling: number | null },
  { lines, skip, isFloorUnknown }: Progress,
): number {
  const [rule, ...others] = rules.toSorted(
    (one, other) => (other.stepCents ?? 0) - (one.stepCents ?? 0) || byId(one, other),
  )
  for (const other of others) skip(other, 'group', rule)
  if (rule === undefined) return running
  const step = rule.stepCents ?? 0
  const ending = step > 0 ? ((rule.cents % step) + step) % step : 0
  const down = step > 0 ? Math.floor((running - ending) / step) * step + ending : running
  // A price that the lowest price holds above the highest one may be rounded up from there.
  const isAbove = (cents: number): boolean => ceiling !== null && running <= ceiling && cents > ceiling
  const isUpNearer = rule.roundingMode === 'nearest' && down + step - running < running - down
  const wanted = isUpNearer && !isAbove(down + step) ? down + step : down
  const rounded =
    floor !== null && wanted < floor ? wanted + step * Math.ceil((floor - wanted) / step) : wanted
  if (step <= 0) skip(rule, 'unknown')
  else if (isAbove(rounded)) skip(rule, 'ceiling')
  else if (rounded === running) skip(rule, 'nothing')
  else if (rounded < running && isFloorUnknown) skip(rule, 'floor')
  else if (rounded <= 0) skip(rule, 'negative')
  else {
    lines.push(lineOf(rule, rounded - running, rounded))
    return rounded
  }
  return running
}

/** The lowest of the highest prices, of those that are a price. */
function lowest(known: readonly Applied[], skip: Skip): Applied | null {
  for (const { rule, cents } of known) if (cents <= 0) skip(rule, 'negative')
  const [first] = known
    .filter(({ cents }) => cents > 0)
    .toSorted((one, other) => one.cents - other.cents || byId(one.rule, other.rule))
  return first ?? null
}

/** Lowers a price to the highest price, unless its lowest price is unknown. @returns the price after it. */
function applyCeiling(
  { rule, cents }: Applied,
  running: number,
  { lines, skip, isFloorUnknown }: Progress,
): number {
  if (running <= cents) return running
  if (isFloorUnknown) {
    skip(rule, 'floor')
    return running
  }
  lines.push(lineOf(rule, cents - running, cents))
  return cents
}

/** The highest of the lowest prices. */
function highest(known: readonly Applied[]): Applied | null {
  const [first] = known.toSorted((one, other) => other.cents - one.cents || byId(one.rule, other.rule))
  return first ?? null
}

/** Of each group the best for the buyer: the most off, or the least added; by ID among equals. */
function bestOfGroups(
  applied: readonly Applied[],
  { before, sign, skip }: { before: number; sign: 1 | -1; skip: Skip },
): Applied[] {
  // One that would take the whole price can't apply, so it doesn't keep others from applying.
  const isCandidate = ({ cents }: Applied): boolean => sign === 1 || cents < before
  const isBetter = (one: Applied, other: Applied): boolean =>
    sign * (one.cents - other.cents) < 0 || (one.cents === other.cents && byId(one.rule, other.rule) < 0)
  const isBeatenBy = (one: Applied, other: Applied): boolean =>
    other.rule !== one.rule &&
    groupOf(other) === groupOf(one) &&
    isCandidate(other) &&
    (!isCandidate(one) || isBetter(other, one))
  const beaters = (one: Applied): Applied[] => applied.filter((other) => isBeatenBy(one, other))
  return applied.filter((one) => {
    if (groupOf(one) === null) return true
    const better = beaters(one)
    if (better.length === 0) return true
    skip(one.rule, 'group', better.find((other) => beaters(other).length === 0)?.rule)
    return false
  })
}

/** Groups are the same whatever case they are written in. */
const groupOf = ({ rule }: Applied): string | null => rule.group?.toLowerCase() ?? null

/** The amount of a rule in cents, or why it has none. */
function amountOf(
  rule: PriceRule,
  facts: PriceFacts,
  { before, minute }: { before: number; minute: string },
): number | SkipReason {
  if (rule.steps.length > 0 && facts.inStockOn === null) return 'unknown'
  const { cents, percent } = stepOf(rule, facts, minute) ?? { cents: null, percent: null }
  if (cents === null) return 'days'
  if (percent === null) return cents
  const value = rule.field === null || rule.field === 'price' ? before : facts[`${rule.field}Cents`]
  if (value === null || value <= 0) return 'unknown'
  return cents + shareOf(value, percent)
}

/** A percentage of an amount, rounded to the nearest cent. In two parts, because their product may not fit a number exactly. */
function shareOf(cents: number, percent: number): number {
  const [rate, rest] = [Math.round(percent * 100), cents % 10_000]
  return ((cents - rest) / 10_000) * rate + Math.round((rest * rate) / 10_000)
}

/** The amount for the days in stock; null if the rule has steps and none is reached. */
function stepOf(
  { steps, cents, percent }: PriceRule,
  { inStockOn }: PriceFacts,
  minute: string,
): { cents: number; percent: number | null } | null {
  if (steps.length === 0) return { cents, percent }
  if (inStockOn === null) return null
  const elapsed = daysUntil(inStockOn, minute)
  return steps.reduce<(typeof steps)[number] | null>(
    (most, step) => (step.days <= elapsed && (most === null || step.days >= most.days) ? step : most),
    null,
  )
}

/** The days from a date to the date of a minute; negative if it is later. */
const daysUntil = (day: string, minute: string): number =>
  Math.round((Date.parse(minute.slice(0, 10)) - Date.parse(day)) / 86_400_000)

function timeReason({ from, until }: PriceRule, minute: string): SkipReason | null {
  if (from !== null && minute < from) return 'later'
  return until !== null && minute >= until ? 'over' : null
}

/** The first later minute at which a rule starts, ends or reaches a step, or a special price ends. */
function nextMinute(
  rules: readonly PriceRule[],
  { inStockOn, special = null }: PriceFacts,
  minute: string,
): string | null {
  let next: string | null = null
  const consider = (one: string | null): void => {
    if (one !== null && one > minute && (next === null || one < next)) next = one
  }
  let days = Infinity
  const elapsed = inStockOn === null ? Infinity : daysUntil(inStockOn, minute)
  for (const { from, until, steps } of rules) {
    consider(from)
    consider(until)
    for (const step of steps) if (step.days > elapsed && step.days < days) days = step.days
  }
  // A step begins with its day, which is over now for all that were reached.
  if (inStockOn !== null && days !== Infinity) consider(`${dayAfter(inStockOn, days)}T00:00`)
  consider(special?.until ?? null)
  return next
}

/** Rules are nearly always read in the order of their IDs, and comparing neighbors is cheaper than sorting. */
const inOrder = (rules: readonly PriceRule[]): readonly PriceRule[] =>
  rules.every((rule, at) => {
    const before = rules[at - 1]
    return before === undefined || byId(before, rule) <= 0
  })
    ? rules
    : rules.toSorted(byId)

const byId = (one: { id: string }, other: { id: string }): number =>
  Number(one.id) - Number(other.id) || (one.id < other.id ? -1 : Number(one.id > other.id))

const lineOf = (
  { id, name, label, kind }: PriceRule,
  amountCents: number,
  runningCents: number,
): RuleLine => ({
  ruleId: id,
  name,
  label,
  kind,
  amountCents,
  runningCents,
})

const specialLine = ({ cents, reason }: NonNullable<PriceFacts['special']>, before: number): RuleLine => ({
  ruleId: null,
  name: reason,
  label: null,
  kind: 'special',
  amountCents: cents - before,
  runningCents: cents,
})

const offerOf = (
  { id, name, label, qualifier, disclaimer, until }: PriceRule,
  cents: number,
  isRebate: boolean,
): Offer => ({ ruleId: id, name, label, cents, qualifier, disclaimer, until, isRebate })
