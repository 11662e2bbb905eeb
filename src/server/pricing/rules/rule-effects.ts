import { sql } from 'kysely'
import { lackedFields } from '#contract/pricing/rules/reduction-limits.ts'
import type { Evaluation, RuleLine } from '#contract/pricing/rules/evaluate-price.ts'
import type { PriceRule, SkipReason } from '#contract/pricing/rules/price-rule.ts'
import type { PricingRule, RuleEffect, RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { useLotTimeZones } from '#server/customers/index.ts'
import type { SellingPrices } from '#server/vehicles/index.ts'
import { lackedBy, missingUrl } from './missing-amounts.ts'
import { simulateTime } from './simulated-time.ts'
import { coveredRules } from './cost-rules.ts'
import { readActiveRules, toPriceRule } from './rule-rows.ts'
import { countStock, evaluateVehicle, priceRulesById, visitStock, type StockVehicle } from './stock-prices.ts'

/** The most vehicles that a preview names. */
const MAX_LARGEST = 50

/** How many vehicles each active rule matches and changes, and why it doesn't change the others. */
export async function readEffects(db: Database, actor: Member): Promise<RuleEffect[]> {
  const { customerId } = actor
  const zone = await useLotTimeZones(db, customerId)
  const rules = await readActiveRules(db, customerId)
  const covered = coveredRules(actor, rules)
  const all = priceRulesById(rules)
  const counts = new Map(
    rules.map(({ id }) => [
      id,
      {
        matched: 0,
        applied: 0,
        covered: 0,
        limited: 0,
        raised: 0,
        missing: 0,
        reasons: new Map<SkipReason, number>(),
        winners: new Map<string, number>(),
        conflicts: new Map<string, number>(),
      },
    ]),
  )
  const { isPartial } = await visitStock(db, { customerId, zone }, rules, (vehicle) => {
    const isCovered = vehicle.ruleIds.some((id) => covered.has(id))
    for (const id of vehicle.ruleIds) {
      const count = counts.get(id)
      if (count === undefined) continue
      count.matched += 1
      if (isCovered) count.covered += 1
      const rule = all.get(id)
      if (rule && !covered.has(id) && lackedFields(rule, vehicle).length > 0) count.missing += 1
    }
    // What a limit on costs does to other rules would tell the limit.
    if (isCovered) return
    const evaluation = evaluateVehicle(vehicle, all)
    const { lines, offers, skipped } = evaluation
    for (const { ruleId } of [...lines, ...offers]) {
      const count = ruleId === null ? undefined : counts.get(ruleId)
      if (count) count.applied += 1
    }
    for (const ruleId of limitedRules(evaluation)) {
      const count = counts.get(ruleId)
      if (count) count.limited += 1
    }
    for (const [one, other] of conflictsIn(evaluation)) {
      const count = counts.get(one)
      if (count) countOne(count.conflicts, other)
    }
    const raised = counts.get(raisingRule(evaluation) ?? '')
    if (raised) raised.raised += 1
    for (const { ruleId, reason, by } of skipped) {
      const count = counts.get(ruleId)
      if (count) countOne(count.reasons, reason)
      if (count && by) countOne(count.winners, by.ruleId)
    }
  })
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  return [...counts].map(([ruleId, { reasons, winners, conflicts, missing, ...count }]) => {
    const reason = mostFrequent(reasons)
    const winner = reason === 'group' ? all.get(mostFrequent(winners) ?? '') : undefined
    const by = winner ? { ruleId: winner.id, name: winner.name } : null
    const rule = byId.get(ruleId)
    const url = rule === undefined || isPartial || missing === 0 ? null : missingUrl(actor, rule)
    const conflict = conflictOf(rule, conflicts, byId)
    return { ruleId, ...count, missing: { count: missing, url }, reason, by, conflict }
  })
}

/**
 * The pairs of rules that act on a vehicle's price together, in both orders: discounts that add up, and a highest price that a
 * minimum price overrules. In a group, discounts don't add up.
 */
function conflictsIn({ lines }: Evaluation): [string, string][] {
  const of = (kind: RuleLine['kind']) =>
    lines.flatMap((line) => (line.kind === kind && line.ruleId !== null ? [line.ruleId] : []))
  const discounts = of('discount')
  const adding = discounts.flatMap((one) =>
    discounts.flatMap((other): [string, string][] => (other === one ? [] : [[one, other]])),
  )
  const [ceiling] = of('ceiling')
  const [floor] = of('floor')
  if (ceiling === undefined || floor === undefined) return adding
  return [...adding, [ceiling, floor], [floor, ceiling]]
}

function conflictOf(
  rule: PricingRule | undefined,
  conflicts: ReadonlyMap<string, number>,
  rules: ReadonlyMap<string, PricingRule>,
): RuleEffect['conflict'] {
  const ruleId = mostFrequent(conflicts)
  const other = ruleId === null ? undefined : rules.get(ruleId)
  if (ruleId === null || other === undefined) return null
  const how = rule?.kind === 'discount' ? 'adds' : 'opposes'
  return { how, ruleId, name: other.name, vehicles: conflicts.get(ruleId) ?? 0 }
}

/**
 * The rules that lowered a price less than they wanted: their own limits left less, or a minimum price then raised it again. A
 * rounding comes after it, and keeps to it.
 */
function limitedRules({ lines, limited }: Evaluation): ReadonlySet<string> {
  const floor = lines.findIndex(({ kind }) => kind === 'floor')
  const before = lines.slice(0, Math.max(floor, 0))
  const held = before.flatMap(({ ruleId, amountCents }) =>
    ruleId !== null && amountCents < 0 ? [ruleId] : [],
  )
  return new Set([...limited, ...held])
}

/** The minimum price that raises a price above what it was before all reductions; null if none does. */
function raisingRule({ baseCents, lines }: Evaluation): string | null {
  const at = lines.findIndex(({ kind }) => kind === 'floor')
  const floor = lines[at]
  if (floor === undefined) return null
  const highest = Math.max(baseCents ?? 0, ...lines.slice(0, at).map(({ runningCents }) => runningCents))
  return floor.runningCents > highest ? floor.ruleId : null
}

const countOne = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

function mostFrequent<K>(counts: ReadonlyMap<K, number>): K | null {
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return most?.[0] ?? null
}

/** Selling prices before and after a change of rules. `matched`: vehicles that at least one changed rule matches. */
export type RuleComparison = Readonly<{
  changes: Change[]
  matched: number
  /** How many vehicles each reason keeps from being changed by a changed rule. */
  skipped: ReadonlyMap<SkipReason, number>
  /** Vehicles that lack an amount which a changed rule needs: how many, and at most as many as a preview names. */
  missing: Readonly<{ count: number; url: string | null; vehicles: readonly Missing[] }>
  /** What the drafts and those compared with them do, against prices without them. */
  own: RulePreview['own']
  /** Vehicles for which the limit of a changed rule takes part or all of its reduction. */
  atLimit: number
  /** Vehicles that a changed rule lowers further than its limit or their minimum price allows: at most one more than a preview names. */
  held: readonly { vehicleId: string; sellingCents: number }[]
  isPartial: boolean
  /** Matching vehicles that the figures for users leave out. */
  covered: number
}>
type Missing = Readonly<{ vehicleId: string; fields: RulePreview['missing']['vehicles'][number]['fields'] }>
/** A selling price before and after. */
export type Change = {
  vehicleId: string
  beforeCents: number
  afterCents: number
  isLimited: boolean
  /** Rules on costs apply to the vehicle, and the user doesn't see costs. */
  isCovered?: boolean
}

/**
 * How prices change if `draft` is added, or takes the place of the rule with its ID; now, or at a minute in the time zone of
 * each lot.
 */
export async function previewRule(
  db: Database,
  actor: Member,
  draft: PricingRule,
  options: { minute: string | null; together: readonly string[] },
): Promise<RulePreview> {
  return describeComparison(db, actor, await compareRules(db, actor, [draft], options))
}

/** What a request for `draft` changes: now, or when it starts. */
export async function previewRequest(db: Database, actor: Member, draft: PricingRule): Promise<RulePreview> {
  const comparison = await compareRules(db, actor, [draft], { isStarted: startsLater(draft) })
  return describeComparison(db, actor, comparison)
}

/** Whether a rule starts later in at least one time zone: none is more than 12 hours behind UTC. */
export function startsLater({ isActive, fromMinute }: PricingRule): boolean {
  const earliest = new Date(clock.now() - 12 * 3_600_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
  return isActive && fromMinute !== null && fromMinute > earliest
}

/** A comparison as users see it. */
export async function describeComparison(
  db: Database,
  { customerId }: Member,
  { changes: all, matched, skipped, held, isPartial, covered, atLimit, missing, own }: RuleComparison,
  day: string | null = null,
): Promise<RulePreview> {
  const changes = all.filter(({ isCovered }) => isCovered !== true)
  const size = (one: Change) => Math.abs(one.afterCents - one.beforeCents)
  const largest = changes.toSorted((one, other) => size(other) - size(one)).slice(0, MAX_LARGEST)
  const named = held.slice(0, MAX_LARGEST)
  const titles = await readTitles(db, customerId, [...largest, ...named, ...missing.vehicles])
  return {
    currency: await readCurrency(db, customerId),
    day,
    stock: await countStock(db, customerId),
    isPartial,
    matched,
    lowered: changes.filter((one) => one.afterCents < one.beforeCents).length,
    raised: changes.filter((one) => one.afterCents > one.beforeCents).length,
    limited: changes.filter(({ isLimited }) => isLimited).length,
    atLimit,
    missing: {
      ...missing,
      vehicles: missing.vehicles.map((one) => ({ ...one, title: titles.get(one.vehicleId) ?? '' })),
    },
    held: named.map((one) => ({ ...one, title: titles.get(one.vehicleId) ?? '' })),
    hasMoreHeld: held.length > named.length,
    skipped: [...skipped]
      .map(([reason, vehicles]) => ({ reason, vehicles }))
      .toSorted((one, other) => other.vehicles - one.vehicles),
    totalCents: changes.reduce((sum, one) => sum + one.afterCents - one.beforeCents, 0),
    own,
    covered,
    largest: largest.map(({ isCovered: _covered, ...one }) => ({
      ...one,
      title: titles.get(one.vehicleId) ?? '',
    })),
  }
}

/** `together`: the IDs of rules whose effect is counted with that of the drafts. */
type Compared = Readonly<{ minute?: string | null; isStarted?: boolean; together?: readonly string[] }>

/**
 * Compares selling prices of the vehicles that the old or the new version of a rule matches. It evaluates the whole stock: now,
 * at a minute in the time zone of each lot, or as if both versions of the rules had started.
 */
export async function compareRules(
  db: Database,
  actor: Member,
  given: readonly PricingRule[],
  { minute = null, isStarted = false, together = [] }: Compared = {},
): Promise<RuleComparison> {
  const { customerId } = actor
  const zone = await useLotTimeZones(db, customerId)
  const started = (rule: PricingRule): PricingRule => (isStarted ? { ...rule, fromMinute: null } : rule)
  const drafts = given.map(started)
  const changing = new Set(given.map(({ id }) => id))
  const active = await readActiveRules(db, customerId)
  const current = active.map((rule) => (changing.has(rule.id) ? started(rule) : rule))
  const simulated =
    minute === null ? undefined : { minute, zone: 'UTC', now: await simulateTime(db, minute, 'UTC') }
  // Both versions of the rule are matched in one query, so the former one needs an ID of its own.
  const before = current.map((rule) => (changing.has(rule.id) ? { ...rule, id: `former ${rule.id}` } : rule))
  const kept = current.filter(({ id }) => !changing.has(id))
  // Evaluated under its own ID, by which equal rules are ordered.
  const former = new Map(
    before.flatMap(({ id }, at) => (current[at] ? [[id, toPriceRule(current[at])] as const] : [])),
  )
  const added = drafts.filter(({ isActive }) => isActive)
  const next = priceRulesById([...kept, ...added])
  const tried = new Set([...changing, ...together])
  const without = priceRulesById(kept.filter(({ id }) => !tried.has(id)))
  const own = { lowered: 0, raised: 0, totalCents: 0, offered: 0 }
  const changes: Change[] = []
  const skipped = new Map<SkipReason, number>()
  const held: { vehicleId: string; sellingCents: number }[] = []
  const lacking: Missing[] = []
  let [matched, covered, atLimit, missing] = [0, 0, 0, 0]
  const compared = [...before, ...added]
  const hidden = coveredRules(actor, compared)
  const matching = compared.filter(({ id }) => tried.has(id.replace(/^former /, '')))
  const { isPartial } = await visitStock(
    db,
    { customerId, zone, matching, simulated },
    compared,
    (vehicle) => {
      const isMatched = vehicle.ruleIds.some((id) => changing.has(id))
      const isCovered = vehicle.ruleIds.some((id) => hidden.has(id))
      if (isMatched) matched += 1
      if (isMatched && isCovered) covered += 1
      const beforeCents = priceOf(vehicle, former)
      const after = evaluateVehicle(vehicle, next)
      const afterCents = after.sellingCents ?? 0
      if (!isCovered) countOwn(own, { after, without: priceOf(vehicle, without), tried })
      for (const { ruleId, reason } of isCovered ? [] : after.skipped) {
        if (changing.has(ruleId)) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
      }
      const drafted = added.filter(({ id }) => vehicle.ruleIds.includes(id) && !hidden.has(id))
      const fields = lackedBy(vehicle, drafted)
      if (fields.length > 0) missing += 1
      if (fields.length > 0 && lacking.length < MAX_LARGEST) lacking.push({ vehicleId: vehicle.id, fields })
      if (!isCovered && after.limited.some((id) => changing.has(id))) atLimit += 1
      if (!isCovered && held.length <= MAX_LARGEST && [...limitedRules(after)].some((id) => changing.has(id)))
        held.push({ vehicleId: vehicle.id, sellingCents: afterCents })
      if (beforeCents === afterCents) return
      const isLimited = after.lines.some(({ kind }) => kind === 'floor')
      changes.push({ vehicleId: vehicle.id, beforeCents, afterCents, isLimited, isCovered })
    },
  )
  const [only, ...others] = added
  const hasList = only !== undefined && others.length === 0 && missing > 0 && !isPartial
  const url = hasList ? missingUrl(actor, only) : null
  return {
    changes,
    matched,
    skipped,
    held,
    isPartial,
    covered,
    atLimit,
    own,
    missing: { count: missing, url, vehicles: lacking },
  }
}

/** Adds what some rules do to a vehicle. */
function countOwn(
  own: RulePreview['own'],
  { after, without, tried }: { after: Evaluation; without: number; tried: ReadonlySet<string> },
): void {
  const change = (after.sellingCents ?? 0) - without
  own.totalCents += change
  if (change < 0) own.lowered += 1
  if (change > 0) own.raised += 1
  if (after.offers.some(({ ruleId }) => tried.has(ruleId))) own.offered += 1
}

/**
 * The selling prices of vehicles, to compare after a user's change of any of their fields, which can move a price as much as a
 * typed one. Vehicles without a price are missing.
 */
export async function readSellingPrices(
  db: Database,
  { customerId }: Member,
  ids: readonly string[],
): Promise<SellingPrices> {
  const rules = await readActiveRules(db, customerId)
  // Without rules, only a typed price changes a selling price.
  if (rules.length === 0 || ids.length === 0) return new Map()
  const { rows } = await sql<{ zone: string | null }>`
    select current_setting('app.time_zone', true) as zone`.execute(db)
  const zone = await useLotTimeZones(db, customerId)
  const vehicles = sql`(select x.* from vehicles x where x.customer_id = ${customerId} and x.id = any(${[...ids]}::bigint[])) v`
  const all = priceRulesById(rules)
  const prices = new Map<string, { ownCents: number; sellingCents: number }>()
  await visitStock(db, { customerId, zone, vehicles }, rules, (vehicle) => {
    prices.set(vehicle.id, { ownCents: vehicle.priceCents ?? 0, sellingCents: priceOf(vehicle, all) })
  })
  // Dates in the response are in the user's time zone again.
  await sql`select set_config('app.time_zone', ${rows[0]?.zone ?? ''}, true)`.execute(db)
  return prices
}

/** The selling prices of the vehicles of a query. */
export async function readPrices(
  db: Database,
  query: Parameters<typeof visitStock>[1],
  rules: readonly PricingRule[],
): Promise<Map<string, number>> {
  const all = priceRulesById(rules)
  const prices = new Map<string, number>()
  await visitStock(db, query, rules, (vehicle) => void prices.set(vehicle.id, priceOf(vehicle, all)))
  return prices
}

/** The vehicles in both whose prices differ. */
export function differencesOf(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): Change[] {
  return [...after].flatMap(([vehicleId, afterCents]) => {
    const beforeCents = before.get(vehicleId)
    if (beforeCents === undefined || beforeCents === afterCents) return []
    return [{ vehicleId, beforeCents, afterCents, isLimited: false }]
  })
}

function priceOf(vehicle: StockVehicle, rules: ReadonlyMap<string, PriceRule>): number {
  return evaluateVehicle(vehicle, rules).sellingCents ?? 0
}

/** What vehicles are called in messages, by ID. */
export async function readTitles(
  db: Database,
  customerId: string,
  of: readonly Pick<Change, 'vehicleId'>[],
): Promise<Map<string, string>> {
  const ids = of.map(({ vehicleId }) => vehicleId)
  const { rows } = await sql<{ id: string; title: string }>`
    select id::text, concat_ws(', ', concat_ws(' ', year, make, model, trim), stock) as title from vehicles
    where customer_id = ${customerId} and id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}

export async function readCurrency(db: Database, customerId: string): Promise<string> {
  const { currency } = await db
    .selectFrom('customers')
    .select('currency')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  return currency
}
