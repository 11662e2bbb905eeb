import { sql } from 'kysely'
import type { Evaluation, PriceRule, SkipReason } from '#contract/pricing/rules/evaluate-price.ts'
import type { PricingRule, RuleEffect, RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import { amountText, needsConfirmation } from '#contract/vehicles/vehicles/price-changes.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { useCustomerTimeZone } from '#server/customers/index.ts'
import { conflict } from '#server/http/failure.ts'
import {
  type CustomerPriceLimits,
  readPriceLimits,
  requireUsualPrices,
  type SellingPrices,
} from '#server/vehicles/index.ts'
import { simulateTime } from './simulated-time.ts'
import { coveredRules } from './cost-rules.ts'
import { readActiveRules, toPriceRule } from './rule-rows.ts'
import { countStock, evaluateVehicle, priceRulesById, visitStock, type StockVehicle } from './stock-prices.ts'

/** The most vehicles that a preview names. */
const MAX_LARGEST = 50

/** How many vehicles each active rule matches and changes, and why it doesn't change the others. */
export async function readEffects(db: Database, actor: Member): Promise<RuleEffect[]> {
  const { customerId } = actor
  const zone = await useCustomerTimeZone(db, customerId)
  const rules = await readActiveRules(db, customerId)
  const covered = coveredRules(actor, rules)
  const all = priceRulesById(rules)
  const counts = new Map(
    rules.map(({ id }) => [
      id,
      {
        matched: 0,
        applied: 0,
        limited: 0,
        reasons: new Map<SkipReason, number>(),
        winners: new Map<string, number>(),
      },
    ]),
  )
  await visitStock(db, { customerId, zone }, rules, (vehicle) => {
    for (const id of vehicle.ruleIds) {
      const count = counts.get(id)
      if (count) count.matched += 1
    }
    // What a limit on costs does to other rules would tell the limit.
    if (vehicle.ruleIds.some((id) => covered.has(id))) return
    const { lines, offers, skipped } = evaluateVehicle(vehicle, all)
    for (const { ruleId } of [...lines, ...offers]) {
      const count = ruleId === null ? undefined : counts.get(ruleId)
      if (count) count.applied += 1
    }
    for (const ruleId of limitedRules(lines)) {
      const count = counts.get(ruleId)
      if (count) count.limited += 1
    }
    for (const { ruleId, reason, by } of skipped) {
      const count = counts.get(ruleId)
      if (count) countOne(count.reasons, reason)
      if (count && by) countOne(count.winners, by.ruleId)
    }
  })
  return [...counts].map(([ruleId, { matched, applied, limited, reasons, winners }]) => {
    const reason = mostFrequent(reasons)
    const winner = reason === 'group' ? all.get(mostFrequent(winners) ?? '') : undefined
    const by = winner ? { ruleId: winner.id, name: winner.name } : null
    return { ruleId, matched, applied, limited, reason, by }
  })
}

/** The rules that lowered a price which a lowest price then raised again. A rounding comes after it, and keeps to it. */
function limitedRules(lines: Evaluation['lines']): string[] {
  const floor = lines.findIndex(({ kind }) => kind === 'floor')
  const before = lines.slice(0, Math.max(floor, 0))
  return before.flatMap(({ ruleId, amountCents }) => (ruleId !== null && amountCents < 0 ? [ruleId] : []))
}

const countOne = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

function mostFrequent<K>(counts: ReadonlyMap<K, number>): K | null {
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one)
  return most?.[0] ?? null
}

/** Selling prices before and after a change of rules. `matched`: vehicles that at least one changed rule matches. */
type RuleComparison = Readonly<{
  changes: Change[]
  matched: number
  /** How many vehicles each reason keeps from being changed by a changed rule. */
  skipped: ReadonlyMap<SkipReason, number>
  /** Vehicles that a changed rule lowers further than their lowest price allows: at most one more than a preview names. */
  held: readonly { vehicleId: string; sellingCents: number }[]
  isPartial: boolean
  /** Matching vehicles that the figures for users leave out. */
  covered: number
}>
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
  minute: string | null,
): Promise<RulePreview> {
  return describeComparison(db, actor, await compareRules(db, actor, [draft], { minute }))
}

/** What a request for `draft` changes: now, or when it starts. */
export async function previewRequest(db: Database, actor: Member, draft: PricingRule): Promise<RulePreview> {
  const comparison = await compareRules(db, actor, [draft], { isStarted: startsLater(draft) })
  return describeComparison(db, actor, comparison)
}

/** A comparison as users see it. */
export async function describeComparison(
  db: Database,
  { customerId }: Member,
  { changes: all, matched, skipped, held, isPartial, covered }: RuleComparison,
): Promise<RulePreview> {
  const changes = all.filter(({ isCovered }) => isCovered !== true)
  const size = (one: Change) => Math.abs(one.afterCents - one.beforeCents)
  const largest = changes.toSorted((one, other) => size(other) - size(one)).slice(0, MAX_LARGEST)
  const named = held.slice(0, MAX_LARGEST)
  const titles = await readTitles(db, customerId, [...largest, ...named])
  return {
    currency: await readCurrency(db, customerId),
    stock: await countStock(db, customerId),
    isPartial,
    matched,
    lowered: changes.filter((one) => one.afterCents < one.beforeCents).length,
    raised: changes.filter((one) => one.afterCents > one.beforeCents).length,
    limited: changes.filter(({ isLimited }) => isLimited).length,
    held: named.map((one) => ({ ...one, title: titles.get(one.vehicleId) ?? '' })),
    hasMoreHeld: held.length > named.length,
    skipped: [...skipped]
      .map(([reason, vehicles]) => ({ reason, vehicles }))
      .toSorted((one, other) => other.vehicles - one.vehicles),
    totalCents: changes.reduce((sum, one) => sum + one.afterCents - one.beforeCents, 0),
    covered,
    largest: largest.map(({ isCovered: _covered, ...one }) => ({
      ...one,
      title: titles.get(one.vehicleId) ?? '',
    })),
  }
}

/** What a user has confirmed, and whether a second user approved the change. */
export type Consent = Readonly<{ confirmPrices: boolean; isApproved: boolean }>

/**
 * Requires approval and the user's confirmation for saving `draft`, or deleting it by saving it inactive, if it changes more
 * selling prices than one user may change, or changes them beyond the customer's limits.
 * @throws Failure 409 on `approval`, or on `confirmPrices` with the largest changes and the totals.
 */
export async function requireRuleConsent(
  db: Database,
  actor: Member,
  draft: PricingRule,
  consent: Consent,
): Promise<void> {
  const own = await readPriceLimits(db, actor.customerId)
  const mayNeedApproval = !consent.isApproved && (own.limits.approvalAbove ?? null) !== null
  if (consent.confirmPrices && !mayNeedApproval) return
  await requireConsent(
    db,
    actor,
    { drafts: [draft], now: await compareRules(db, actor, [draft]) },
    consent,
    own,
  )
}

/**
 * The same for several rules, with their comparison and the customer's limits. No one is asked when a rule starts, so one that
 * starts later needs consent for what it will change, too.
 */
export async function requireConsent(
  db: Database,
  actor: Member,
  { drafts, now }: { drafts: readonly PricingRule[]; now: RuleComparison },
  { confirmPrices, isApproved }: Consent,
  own: CustomerPriceLimits,
): Promise<void> {
  const comparisons = [{ comparison: now, verb: 'changes' }]
  if (drafts.some(startsLater)) {
    const comparison = await compareRules(db, actor, drafts, { isStarted: true })
    comparisons.push({ comparison, verb: 'will change' })
  }
  for (const { comparison, verb } of comparisons) {
    if (!isApproved) requireApproval(comparison, verb, own)
    // oxlint-disable-next-line no-await-in-loop -- The first failure is shown.
    if (!confirmPrices) await requireConfirmation(db, actor, comparison.changes, own)
  }
}

/** Whether a rule starts later in at least one time zone: none is more than 12 hours behind UTC. */
export function startsLater({ isActive, fromMinute }: PricingRule): boolean {
  const earliest = new Date(clock.now() - 12 * 3_600_000).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)
  return isActive && fromMinute !== null && fromMinute > earliest
}

function requireApproval(
  { changes, isPartial }: RuleComparison,
  verb: string,
  { limits }: CustomerPriceLimits,
): void {
  const above = limits.approvalAbove ?? null
  if (above === null || (!isPartial && changes.length <= above)) return
  const prices = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'price' : 'prices'}`
  throw conflict(
    `This ${verb} ${isPartial ? 'more than ' : ''}${prices(changes.length)}. Changes to more than ${prices(above)} need the approval of a second user.`,
    { approval: 'Ask for approval, or limit the change to fewer vehicles.' },
  )
}

/** Asks for the user's confirmation of changes beyond the limits. @throws Failure 409 on `confirmPrices` */
export async function requireConfirmation(
  db: Database,
  { customerId }: Member,
  changes: readonly Change[],
  own: CustomerPriceLimits,
): Promise<void> {
  const unusual = changes.filter((change) => needsConfirmation({ title: '', ...change }, own.limits))
  if (unusual.length === 0) return
  const named = unusual.filter(({ isCovered }) => isCovered !== true)
  if (named.length === 0)
    throw conflict('This changes prices beyond your limits. Confirm to save.', {
      confirmPrices: 'Confirm these prices or correct them.',
    })
  const titles = await readTitles(db, customerId, named)
  requireUsualPrices(
    named.map((change) => ({ ...change, title: titles.get(change.vehicleId) ?? 'Vehicle' })),
    own,
  )
}

/**
 * Compares selling prices of the vehicles that the old or the new version of a rule matches. It evaluates the whole stock: now,
 * at a minute in the time zone of each lot, or as if both versions of the rules had started.
 */
export async function compareRules(
  db: Database,
  actor: Member,
  given: readonly PricingRule[],
  { minute = null, isStarted = false }: { minute?: string | null; isStarted?: boolean } = {},
): Promise<RuleComparison> {
  const { customerId } = actor
  const zone = await useCustomerTimeZone(db, customerId)
  const started = (rule: PricingRule): PricingRule => (isStarted ? { ...rule, fromMinute: null } : rule)
  const drafts = given.map(started)
  const changing = new Set(given.map(({ id }) => id))
  const active = await readActiveRules(db, customerId)
  const current = active.map((rule) => (changing.has(rule.id) ? started(rule) : rule))
  const simulated = minute === null ? undefined : { minute, now: await simulateTime(db, minute, zone) }
  // Both versions of the rule are matched in one query, so the former one needs an ID of its own.
  const before = current.map((rule) => (changing.has(rule.id) ? { ...rule, id: `former ${rule.id}` } : rule))
  const kept = current.filter(({ id }) => !changing.has(id))
  // Evaluated under its own ID, by which equal rules are ordered.
  const former = new Map(
    before.flatMap(({ id }, at) => (current[at] ? [[id, toPriceRule(current[at])] as const] : [])),
  )
  const added = drafts.filter(({ isActive }) => isActive)
  const next = priceRulesById([...kept, ...added])
  const changes: Change[] = []
  const skipped = new Map<SkipReason, number>()
  const held: { vehicleId: string; sellingCents: number }[] = []
  let matched = 0
  let covered = 0
  const compared = [...before, ...added]
  const hidden = coveredRules(actor, compared)
  const matching = compared.filter(({ id }) => changing.has(id.replace(/^former /, '')))
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
      for (const { ruleId, reason } of isCovered ? [] : after.skipped) {
        if (changing.has(ruleId)) skipped.set(reason, (skipped.get(reason) ?? 0) + 1)
      }
      if (
        !isCovered &&
        held.length <= MAX_LARGEST &&
        limitedRules(after.lines).some((id) => changing.has(id))
      )
        held.push({ vehicleId: vehicle.id, sellingCents: afterCents })
      if (beforeCents === afterCents) return
      const isLimited = after.lines.some(({ kind }) => kind === 'floor')
      changes.push({ vehicleId: vehicle.id, beforeCents, afterCents, isLimited, isCovered })
    },
  )
  return { changes, matched, skipped, held, isPartial, covered }
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
  const zone = await useCustomerTimeZone(db, customerId)
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

/**
 * Requires the user's confirmation if a change of vehicles moved their selling prices beyond the customer's limits, or if one
 * rose though the vehicle's own price was lowered. Called after the change was written: the failure undoes it.
 * @param before `readSellingPrices` before the change
 * @throws Failure 409 on `confirmPrices` with the largest changes and the totals.
 */
export async function requireUsualSellingPrices(
  db: Database,
  actor: Member,
  before: SellingPrices,
): Promise<void> {
  const after = await readSellingPrices(db, actor, [...before.keys()])
  const selling = (prices: SellingPrices) =>
    new Map([...prices].map(([id, { sellingCents }]) => [id, sellingCents]))
  const changes = differencesOf(selling(before), selling(after))
  if (changes.length === 0) return
  const own = (prices: SellingPrices, id: string) => prices.get(id)?.ownCents ?? 0
  const [risen] = changes.filter(
    ({ vehicleId, beforeCents, afterCents }) =>
      afterCents > beforeCents && own(after, vehicleId) < own(before, vehicleId),
  )
  if (risen !== undefined) await askAboutRise(db, actor, risen)
  await requireConfirmation(db, actor, changes, await readPriceLimits(db, actor.customerId))
}

/** A rule may stop to apply below an amount, so that buyers would pay more. @throws Failure 409 on `confirmPrices` */
async function askAboutRise(
  db: Database,
  { customerId }: Member,
  { vehicleId, beforeCents, afterCents }: Change,
): Promise<never> {
  const title = (await readTitles(db, customerId, [{ vehicleId }])).get(vehicleId) ?? 'Vehicle'
  const currency = await readCurrency(db, customerId)
  const money = (cents: number) => amountText(cents, currency)
  throw conflict(
    `${title}: the price is lower, but a price rule no longer applies to it, so buyers would pay more: ${money(afterCents)} instead of ${money(beforeCents)}. Confirm to save.`,
    { confirmPrices: 'Confirm this price or correct it.' },
  )
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

async function readTitles(
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

async function readCurrency(db: Database, customerId: string): Promise<string> {
  const { currency } = await db
    .selectFrom('customers')
    .select('currency')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  return currency
}
