import { dayAfter } from '#contract/days.ts'
import type { EvaluationTime, PriceFacts, PriceRule, SkipReason } from './price-rule.ts'
import { amountOf, daysUntil } from './rule-amounts.ts'
import type { RuleKind } from './rule-kinds.ts'
import { limitOf } from './reduction-limits.ts'

export type RuleLine = Readonly<{
  /** Null for a special price. */
  ruleId: string | null
  name: string
  label: string | null
  kind: RuleKind | 'special'
  amountCents: number
  runningCents: number
}>

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
  /** The IDs of the rules whose own limits took part or all of their reduction. */
  limited: readonly string[]
  /** The next minute at which the result may differ, in the lot's time zone; null if time changes nothing. */
  nextChange: string | null
}>

/** `limit`: the price below which the rule may not lower; null: none. */
type Applied = Readonly<{ rule: PriceRule; cents: number; limit: number | null }>

/**
 * Evaluates the rules that match a vehicle: base, accessories, dealer discounts, rebates for every buyer, highest price, minimum
 * price, rounding. Pure and deterministic, in integer cents; the order of the rules in the list has no effect, because percentages
 * of one kind refer to the price before that kind, and rules with limits come after those of their kind without. Percentages are
 * rounded to the nearest cent. Percentages of offers refer to the selling price.
 *
 * A limit of a rule bounds what this rule takes off, and rounding down keeps to it. It never makes a price higher than it would be
 * without the rule.
 *
 * A special price of the vehicle comes instead of base price, accessories, discounts, rebates and rounding; the highest and the
 * minimum price apply to it too. A minimum price above the highest price wins.
 *
 * A vehicle without a price stays without: a rule doesn't publish a vehicle that nobody has priced.
 *
 * Nothing lowers a price whose minimum price is unknown if that rule says so: no base price, discount, rebate, highest price or
 * rounding. Source of the order: the price that every buyer can get comes first, conditional offers are listed separately (FTC
 * letters to dealers of March 2026).
 */
export function evaluatePrice(
  rules: readonly PriceRule[],
  facts: PriceFacts,
  time: EvaluationTime,
): Evaluation {
  const { minute, deductsRebates } = time
  const skipped: SkippedRule[] = []
  const skip: Skip = ({ id: ruleId, name }, reason, by) =>
    void skipped.push({ ruleId, name, reason, by: by ? { ruleId: by.id, name: by.name } : null })
  const active = inOrder(rules).filter((rule) => {
    const reason = timeReason(rule, minute)
    if (reason !== null) skip(rule, reason)
    return reason === null
  })
  const byKind = Map.groupBy(active, ({ kind }) => kind)
  const of = (kind: RuleKind): readonly PriceRule[] => byKind.get(kind) ?? []
  const own = facts.priceCents !== null && facts.priceCents > 0 ? facts.priceCents : null
  const lines: RuleLine[] = []
  const limited: string[] = []
  const nextChange = nextMinute(rules, facts, minute)
  if (own === null)
    return { baseCents: null, lines, sellingCents: null, offers: [], skipped, limited, nextChange }

  const floorsAt = (before: number, note: Skip | null) =>
    floorsOf(of('floor'), { amount: (rule) => amountOf(rule, facts, { before, minute }), skip: note })
  const { isUnknown } = floorsAt(own, null)
  const progress: Progress = { lines, skip, isFloorUnknown: isUnknown, limited, reached: [] }
  /** The rules of some kinds that have an amount, and the amounts that their limits need. */
  const amounts: Amounts = (kinds, before, note) =>
    kinds.flatMap(of).flatMap((rule) => {
      const cents = amountOf(rule, facts, { before, minute })
      const isDeducted = rule.kind !== 'rebate' || deductsRebates
      const minimum = rule.keepsMinimum ? (highest(floorsAt(before, null).known)?.cents ?? null) : null
      const limit = isDeducted ? limitOf(rule, facts, minimum) : null
      if (typeof cents === 'number' && limit !== 'missing') return [{ rule, cents, limit }]
      note?.(rule, typeof cents === 'number' ? 'missing' : cents)
      return []
    })
  const special = activeSpecial(facts, minute)
  const reduced =
    special === null
      ? reducePrice(own, { of, amounts, deductsRebates }, progress)
      : replacePrice(own, { of, amounts, deductsRebates, special }, progress)
  let { running } = reduced
  const ceiling = lowest(amounts(['ceiling'], running, skip), skip)
  if (ceiling !== null) running = applyCeiling(ceiling, running, progress)
  const floor = highest(floorsAt(running, skip).known)
  if (floor !== null && running < floor.cents) {
    lines.push(lineOf(floor.rule, floor.cents - running, floor.cents))
    running = floor.cents
  }
  if (special === null) {
    const bounds = { floor: floor?.cents ?? null, ceiling: ceiling?.cents ?? null }
    const unlimited = (): number | null => {
      const reached = new Set(progress.reached.map(({ rule }) => rule))
      const others = rules.filter((rule) => !reached.has(rule))
      return evaluatePrice(others, facts, time).sellingCents
    }
    running = applyRounding(of('rounding'), running, { ...bounds, unlimited }, progress)
  }
  const offers = listOffers(running, { best: reduced.best, amounts, deductsRebates }, progress)
  return { baseCents: own, lines, sellingCents: running, offers, skipped, limited, nextChange }
}

/** `note`: is told what has no amount. */
type Amounts = (kinds: readonly RuleKind[], before: number, note: Skip | null) => Applied[]
type Steps = Readonly<{
  of: (kind: RuleKind) => readonly PriceRule[]
  amounts: Amounts
  deductsRebates: boolean
}>
/** `best`: the discounts and rebates that won their groups, or have none. */
type Reduced = Readonly<{ running: number; best: readonly Applied[] }>

/** Base price, accessories, discounts and rebates. */
function reducePrice(own: number, { of, amounts, deductsRebates }: Steps, progress: Progress): Reduced {
  const { skip, isFloorUnknown } = progress
  let running = applyBase(amounts(['base'], own, skip), own, progress)
  const added = bestOfGroups(amounts(['accessory'], running, skip), { before: running, sign: 1, skip })
  running = applyAll(added, 1, running, progress)
  if (isFloorUnknown) {
    for (const rule of [...of('discount'), ...(deductsRebates ? of('rebate') : [])]) skip(rule, 'floor')
    return { running, best: deductsRebates ? [] : rebatesAlone(running, amounts, skip) }
  }
  // A group may have discounts and rebates, which are compared by the price before both. One that is only listed counts, too.
  const lowering = amounts(['discount', 'rebate'], running, skip).filter((one) =>
    hasRoom(one, running, progress),
  )
  const best = bestOfGroups(lowering, { before: running, sign: -1, skip })
  running = applyAll(best.filter(isOf('discount')), -1, running, progress)
  if (!deductsRebates) return { running, best }
  // Their percentages refer to the price after the discounts.
  const again = new Map(amounts(['rebate'], running, null).map((one) => [one.rule, one]))
  const rebates = best.flatMap(({ rule }) => (rule.kind === 'rebate' ? (again.get(rule) ?? []) : []))
  return { running: applyAll(rebates, -1, running, progress), best }
}

/** A special price. Rebates that the law doesn't deduct are listed below it, too. */
function replacePrice(
  own: number,
  { of, amounts, deductsRebates, special }: Steps & { special: NonNullable<PriceFacts['special']> },
  { lines, skip }: Progress,
): Reduced {
  for (const kind of ['base', 'accessory', 'discount', 'rebate', 'rounding'] as const)
    if (kind !== 'rebate' || deductsRebates) for (const rule of of(kind)) skip(rule, 'manual')
  if (special.cents !== own) lines.push(specialLine(special, own))
  const best = deductsRebates ? [] : rebatesAlone(special.cents, amounts, skip)
  return { running: special.cents, best }
}

const rebatesAlone = (running: number, amounts: Amounts, skip: Skip): Applied[] =>
  bestOfGroups(amounts(['rebate'], running, skip), { before: running, sign: -1, skip })

/**
 * Conditional offers, and rebates that the law doesn't deduct. An offer of a group in which every buyer gets something is left out:
 * only one of them is given.
 */
function listOffers(
  running: number,
  { best, amounts, deductsRebates }: Pick<Steps, 'amounts' | 'deductsRebates'> & Pick<Reduced, 'best'>,
  { skip }: Progress,
): Offer[] {
  const winners = new Map(best.map((one) => [groupOf(one), one.rule]))
  const conditional = amounts(['offer'], running, skip).filter((one) => {
    const winner = groupOf(one) === null ? undefined : winners.get(groupOf(one))
    if (winner !== undefined) skip(one.rule, 'group', winner)
    return winner === undefined
  })
  const listed = new Set(deductsRebates ? [] : best.map(({ rule }) => rule))
  const rebates = amounts(['rebate'], running, null).filter(({ rule }) => listed.has(rule))
  const offers = [...bestOfGroups(conditional, { before: running, sign: -1, skip }), ...rebates]
  return offers.flatMap(({ rule, cents }) => {
    if (cents > 0 && cents < running) return [offerOf(rule, cents, rule.kind === 'rebate')]
    skip(rule, cents === 0 ? 'nothing' : 'negative')
    return []
  })
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
  /** An amount that a minimum price needs is missing, and the rule says that nothing may lower the price then. */
  isFloorUnknown: boolean
  limited: string[]
  /** The rules with limits that lowered the price. */
  reached: Readonly<{ rule: PriceRule; limit: number }>[]
}

/** What a rule takes off a price: its limit may leave less than its amount, or nothing. */
const lowered = ({ cents, limit }: Applied, before: number): number =>
  limit === null || cents <= 0 ? cents : Math.min(cents, Math.max(before - limit, 0))

function hasRoom(one: Applied, before: number, { skip, limited }: Progress): boolean {
  if (one.cents === 0 || lowered(one, before) > 0) return true
  skip(one.rule, 'limit')
  limited.push(one.rule.id)
  return false
}

/** Of several base prices, the lowest that is a price applies. @returns the price after it. */
function applyBase(applied: readonly Applied[], own: number, progress: Progress): number {
  const { lines, skip, isFloorUnknown, limited, reached } = progress
  const [best, ...others] = applied
    .filter(({ rule, cents }) => {
      if (cents <= 0) skip(rule, 'negative')
      return cents > 0
    })
    .map((one) => ({ ...one, after: own - lowered({ ...one, cents: own - one.cents }, own) }))
    .toSorted((one, other) => one.after - other.after || byId(one.rule, other.rule))
  for (const { rule } of others) skip(rule, 'group', best?.rule)
  if (best === undefined) return own
  const { rule, cents, after, limit } = best
  if (after !== cents) limited.push(rule.id)
  if (after === own) skip(rule, after === cents ? 'nothing' : 'limit')
  else if (after < own && isFloorUnknown) skip(rule, 'floor')
  else {
    if (limit !== null && after < own) reached.push({ rule, limit })
    lines.push(lineOf(rule, after - own, after))
    return after
  }
  return own
}

/**
 * Adds or subtracts amounts. One that would make the price zero or less isn't applied. Those with limits come last, the highest
 * limit first: then no order of rules leads to another price. @returns the price after them.
 */
function applyAll(
  applied: readonly Applied[],
  sign: 1 | -1,
  before: number,
  { lines, skip, limited, reached }: Progress,
): number {
  let now = before
  for (const one of applied.toSorted((a, b) => (b.limit ?? Infinity) - (a.limit ?? Infinity) || 0)) {
    const { rule, limit } = one
    const cents = lowered(one, now)
    if (cents !== one.cents) limited.push(rule.id)
    if (now + sign * cents <= 0) skip(rule, 'negative')
    else if (cents === 0) skip(rule, one.cents === 0 ? 'nothing' : 'limit')
    else {
      now += sign * cents
      lines.push(lineOf(rule, sign * cents, now))
      if (limit !== null) reached.push({ rule, limit })
    }
  }
  return now
}

type Bounds = Readonly<{
  floor: number | null
  ceiling: number | null
  /** The price without the rules whose limits would be undercut. */
  unlimited: () => number | null
}>

/**
 * Only one rounding applies: the one with the largest step. A price rounded below the minimum price is rounded up instead, and
 * one that only the next ending above would exceed the highest price is rounded down. A price rounded below the limit of a rule that
 * lowered it is rounded up too, but never above what it is without this rule.
 */
function applyRounding(
  rules: readonly PriceRule[],
  running: number,
  { floor, ceiling, unlimited }: Bounds,
  { lines, skip, isFloorUnknown, reached }: Progress,
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
  const upTo = (least: number | null): number =>
    least !== null && wanted < least ? wanted + step * Math.ceil((least - wanted) / step) : wanted
  const kept = reached.flatMap(({ limit }) => (limit <= running ? [limit] : []))
  const limit = kept.length === 0 ? null : Math.max(...kept)
  const atFloor = step > 0 ? upTo(floor) : running
  const atLimit = step > 0 ? upTo(limit) : running
  const rounded = atLimit > atFloor ? Math.max(atFloor, Math.min(atLimit, unlimited() ?? atLimit)) : atFloor
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

/** Lowers a price to the highest price, unless its minimum price is unknown. @returns the price after it. */
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

/**
 * The minimum prices that apply. Of a group, those that started last: one with a start replaces the standing one for as long as it
 * lasts. `isUnknown`: one that stops all reductions lacks an amount.
 */
function floorsOf(
  rules: readonly PriceRule[],
  { amount, skip }: { amount: (rule: PriceRule) => number | SkipReason; skip: Skip | null },
): { known: Applied[]; isUnknown: boolean } {
  const amounts = rules.map((rule) => ({ rule, cents: amount(rule) }))
  const isStopping = ({ rule, cents }: (typeof amounts)[number]): boolean =>
    cents === 'unknown' && rule.whenMissing === 'stop'
  const usable = amounts.filter((one) => typeof one.cents === 'number' || isStopping(one))
  const later = (rule: PriceRule): PriceRule | undefined =>
    rule.group === null
      ? undefined
      : usable.find(
          ({ rule: other }) =>
            other.group?.toLowerCase() === rule.group?.toLowerCase() &&
            (other.from ?? '') > (rule.from ?? ''),
        )?.rule
  const known: Applied[] = []
  let isUnknown = false
  for (const one of amounts) {
    const { rule, cents } = one
    const replaced = later(rule)
    if (replaced !== undefined) skip?.(rule, 'group', replaced)
    else if (typeof cents === 'number') known.push({ rule, cents, limit: null })
    else {
      skip?.(rule, cents)
      isUnknown ||= isStopping(one)
    }
  }
  return { known, isUnknown }
}

/** The highest of the minimum prices. */
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
  const sizeOf = (one: Applied): number => (sign === 1 ? one.cents : lowered(one, before))
  const isCandidate = (one: Applied): boolean => sign === 1 || sizeOf(one) < before
  const isBetter = (one: Applied, other: Applied): boolean =>
    sign * (sizeOf(one) - sizeOf(other)) < 0 ||
    (sizeOf(one) === sizeOf(other) && byId(one.rule, other.rule) < 0)
  const isBeatenBy = (one: Applied, other: Applied): boolean =>
    other.rule !== one.rule &&
    groupOf(other) === groupOf(one) &&
    (isCandidate(one) === isCandidate(other) ? isBetter(other, one) : isCandidate(other))
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
