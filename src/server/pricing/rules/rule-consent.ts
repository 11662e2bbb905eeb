import { DEFAULT_TOTAL_CENTS } from '#contract/customers/details/price-limits.ts'
import { laterMinutes } from '#contract/pricing/rules/rule-conditions.ts'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import {
  amountText,
  MAX_NAMED,
  namePriceChanges,
  needsConfirmation,
  type PriceChange,
} from '#contract/vehicles/vehicles/price-changes.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import {
  type CustomerPriceLimits,
  describeUnusual,
  readPriceLimits,
  type SellingPrices,
} from '#server/vehicles/index.ts'
import {
  type Change,
  compareRules,
  differencesOf,
  readCurrency,
  readSellingPrices,
  readTitles,
  type RuleComparison,
  startsLater,
} from './rule-effects.ts'
import { keepingTime } from './simulated-time.ts'
import { countStock } from './stock-prices.ts'

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
 * starts later needs consent for what it will change, and so do steps and dates in conditions.
 */
export async function requireConsent(
  db: Database,
  actor: Member,
  { drafts, now }: { drafts: readonly PricingRule[]; now: RuleComparison },
  consent: Consent,
  own: CustomerPriceLimits,
): Promise<void> {
  // A lower price is what other rules are for. A minimum price that raises prices is asked about, however little.
  const raises = drafts.some(({ kind, isActive }) => kind === 'floor' && isActive)
  const comparisons = [{ comparison: now, verb: 'changes' }]
  if (drafts.some(startsLater)) {
    const comparison = await compareRules(db, actor, drafts, { isStarted: true })
    comparisons.push({ comparison, verb: 'will change' })
  }
  for (const { comparison, verb } of comparisons) {
    // oxlint-disable-next-line no-await-in-loop -- The first failure is shown.
    await requireBoth(db, actor, { comparison, verb, raises }, { consent, own })
  }
  const minutes = new Set(drafts.flatMap((draft) => laterMinutes(draft, clock.today('UTC'))))
  for (const minute of [...minutes].toSorted()) {
    // oxlint-disable-next-line no-await-in-loop -- As above.
    const comparison = await keepingTime(db, () => compareRules(db, actor, drafts, { minute }))
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await requireBoth(db, actor, { comparison, verb: 'will change', raises }, { consent, own })
  }
}

/**
 * Requires both of a comparison. `verb`: "changes", or "will change" for one on a later day. What a minimum price raises is asked
 * about. @throws Failure as `requireRuleConsent` does
 */
export async function requireBoth(
  db: Database,
  actor: Member,
  { comparison, verb, raises }: { comparison: Compared; verb: string; raises: boolean },
  { consent, own }: { consent: Consent; own: CustomerPriceLimits },
): Promise<void> {
  if (!consent.isApproved) requireApproval(comparison, verb, own)
  if (!consent.confirmPrices)
    await requireConfirmation(db, actor, { changes: comparison.changes, raises }, own)
}

type Compared = Readonly<{ changes: readonly Change[]; isPartial: boolean }>

/** A change of many vehicles is a job of its user, which no one else can start. */
const WITHOUT_REQUEST = {
  sentence: ' Change fewer vehicles at once, or use a price rule, which a second user can approve.',
  field: 'Change fewer vehicles at once.',
}
const WITH_REQUEST = { sentence: '', field: 'Ask for approval, or limit the change to fewer vehicles.' }

/**
 * Requires the approval of a second user, and the user's confirmation, for a bulk change of vehicles.
 * @throws Failure 409 on `approval` or `confirmPrices`
 */
export async function requireBulkConsent(
  db: Database,
  actor: Member,
  changes: PriceChanges & { isPartial: boolean },
  confirmPrices: boolean,
): Promise<void> {
  const own = await readPriceLimits(db, actor.customerId)
  requireApproval(changes, 'changes', own, WITHOUT_REQUEST)
  if (!confirmPrices) await requireConfirmation(db, actor, changes, own)
}

function requireApproval(
  { changes, isPartial }: Compared,
  verb: string,
  { limits }: CustomerPriceLimits,
  { sentence, field }: typeof WITH_REQUEST = WITH_REQUEST,
): void {
  const above = limits.approvalAbove ?? null
  if (above === null || (!isPartial && changes.length <= above)) return
  const prices = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'price' : 'prices'}`
  throw conflict(
    `This ${verb} ${isPartial ? 'more than ' : ''}${prices(changes.length)}. Changes to more than ${prices(above)} need the approval of a second user.${sentence}`,
    { approval: field },
  )
}

type PriceChanges = Readonly<{
  changes: readonly Change[]
  /** A minimum price is among the changes: whatever it raises is asked about. */
  raises?: boolean
  /** Prices of the vehicles' own, before the rules. */
  own?: readonly Change[]
  /** Totals for buyers that move the other way than the vehicle's own price. */
  opposite?: readonly Change[]
}>

/**
 * Asks for the user's confirmation of changes beyond the limits: of single prices, of a large part of the stock or a large sum, and what a minimum price raises.
 * @throws Failure 409 on `confirmPrices`
 */
async function requireConfirmation(
  db: Database,
  actor: Member,
  { changes, raises = false, own: ownPrices = [], opposite = [] }: PriceChanges,
  own: CustomerPriceLimits,
): Promise<void> {
  const shown = changes.filter(({ isCovered }) => isCovered !== true)
  const beyond = [...ownPrices, ...shown].filter((change) =>
    needsConfirmation({ title: '', ...change }, own.limits),
  )
  // Once each; what buyers pay comes last and counts.
  const unusual = [...new Map(beyond.map((change) => [change.vehicleId, change])).values()]
  const raised = raises
    ? shown
        .filter((change) => change.afterCents > change.beforeCents)
        .toSorted((one, other) => riseOf(other) - riseOf(one))
    : []
  const titles = await readTitles(db, actor.customerId, [
    ...unusual,
    ...raised.slice(0, MAX_NAMED),
    ...opposite.slice(0, MAX_NAMED),
  ])
  const withTitle = (change: Change) => ({ ...change, title: titles.get(change.vehicleId) ?? 'Vehicle' })
  const sentences = [
    describeOpposite(opposite.map(withTitle), own),
    describeRaised(raised.map(withTitle), own),
    await describeTotal(db, actor, shown, own),
    describeUnusual(unusual.map(withTitle), own),
  ].filter((sentence) => sentence !== null)
  // What the user may not see the amounts of still counts.
  const isUnusual = changes.some((change) => needsConfirmation({ title: '', ...change }, own.limits))
  if (isUnusual && sentences.length === 0) sentences.push('This changes prices beyond your limits.')
  if (sentences.length === 0) return
  throw conflict(`${sentences.join(' ')} Confirm to save.`, {
    confirmPrices:
      changes.length === 1 ? 'Confirm this price or correct it.' : 'Confirm these prices or correct them.',
  })
}

/** Changes of fewer prices are never many, however small the stock. */
const MANY = 5

/** "This changes 211 of 526 prices, by -$350,300 in total."; null if it is neither much of the stock nor a large sum. */
async function describeTotal(
  db: Database,
  { customerId }: Member,
  changes: readonly Change[],
  { limits, currency }: CustomerPriceLimits,
): Promise<string | null> {
  const total = changes.reduce((sum, change) => sum + riseOf(change), 0)
  const isLarge = Math.abs(total) > (limits.totalCents ?? DEFAULT_TOTAL_CENTS)
  if (changes.length < MANY && !isLarge) return null
  const stock = await countStock(db, customerId)
  if (!isLarge && changes.length * 100 <= stock * limits.stockPercent) return null
  return `This changes ${changes.length.toLocaleString('en')} of ${stock.toLocaleString('en')} prices, by ${amountText(total, currency)} in total.`
}

/** "What buyers pay for 2 vehicles moves the other way, because other price rules then apply: ..."; null if it does for none. */
function describeOpposite(
  opposite: readonly (PriceChange & Change)[],
  { currency }: CustomerPriceLimits,
): string | null {
  if (opposite.length === 0) return null
  const vehicles = opposite.length === 1 ? '1 vehicle' : `${opposite.length.toLocaleString('en')} vehicles`
  return `What buyers pay for ${vehicles} moves the other way, because other price rules then apply: ${namePriceChanges(opposite, currency)}.`
}

const riseOf = ({ beforeCents, afterCents }: Change): number => afterCents - beforeCents

/** "The minimum price raises 8 prices, by $9,400 in total: ..."; null if it raises none. */
function describeRaised(
  raised: readonly (PriceChange & Change)[],
  { currency }: CustomerPriceLimits,
): string | null {
  if (raised.length === 0) return null
  const total = raised.reduce((sum, change) => sum + riseOf(change), 0)
  const prices = raised.length === 1 ? '1 price' : `${raised.length.toLocaleString('en')} prices`
  return `The minimum price raises ${prices}, by ${amountText(total, currency)} in total: ${namePriceChanges(raised, currency)}.`
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
  await requireConfirmation(db, actor, { changes }, await readPriceLimits(db, actor.customerId))
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
