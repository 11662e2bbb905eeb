import type { VehiclePrice } from '#contract/pricing/totals/vehicle-price.ts'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import { RULE_KINDS } from '#contract/pricing/rules/rule-kinds.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { labelOf } from '#contract/record.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { missing } from '#server/http/require-permission.ts'
import { seesCost } from '#server/vehicles/index.ts'

/** The amounts that need the permission for vehicle costs. */
const COST_FIELDS = ['cost', 'invoice'] as const

type MaybeOnCosts = Readonly<{
  field?: unknown
  aboveCostCents?: unknown
  aboveInvoiceCents?: unknown
  whenMissing?: unknown
}>

/**
 * Whether a rule is calculated from costs, or limited by them: with its amounts and a price, anyone could subtract the cost. The
 * column `is_on_costs` is the same.
 */
export const isOnCosts = ({ field, aboveCostCents, aboveInvoiceCents, whenMissing }: MaybeOnCosts): boolean =>
  COST_FIELDS.some((name) => name === field) ||
  [aboveCostCents, aboveInvoiceCents].some((cents) => cents !== null && cents !== undefined) ||
  whenMissing === 'cost'

/** @throws Failure 403 for rules on costs, to users who don't see costs */
export function requireCosts(actor: Member, ...rules: readonly (MaybeOnCosts | null)[]): void {
  if (seesCost(actor) || !rules.some((rule) => rule !== null && isOnCosts(rule))) return
  throw missing(actor, can(Func.vehicleCost, Opr.list))
}

const NO_LIMITS = { aboveCostCents: null, aboveInvoiceCents: null, offMsrpPercent: null }

/** A rule as this user may read it: without the name and the amounts of a rule on costs if they don't see costs. */
export function ruleShownTo(actor: Member, rule: PricingRule): PricingRule {
  if (seesCost(actor) || !isOnCosts(rule)) return rule
  const name = labelOf(RULE_KINDS, rule.kind)
  return { ...rule, name, cents: 0, percent: null, steps: [], ...NO_LIMITS, hidesAmounts: true }
}

/** The settings of a rule in the audit log, likewise. */
export function settingsShownTo<T extends Readonly<Record<string, unknown>> | null>(
  actor: Member,
  ...images: readonly T[]
): readonly (T | Readonly<Record<string, unknown>>)[] {
  if (seesCost(actor) || !images.some((image) => image !== null && isOnCosts(image))) return images
  return images.map((image) => {
    if (image === null) return image
    const { name: _name, cents: _cents, percent: _percent, steps: _steps, ...rest } = image
    return { ...rest, ...NO_LIMITS }
  })
}

/** The IDs of these rules that are on costs, if the user doesn't see costs. */
export function coveredRules(
  actor: Member,
  rules: readonly (MaybeOnCosts & { id: string })[],
): ReadonlySet<string> {
  return new Set(seesCost(actor) ? [] : rules.filter(isOnCosts).map(({ id }) => id))
}

type Lines = VehiclePrice['ruleLines']

/**
 * The lines of a price as this user may read them: with a rule on costs among them, what all rules changed is one line. Its own line
 * would show at which price it stops, which is the cost and an amount. A rule that was deleted may have been one.
 */
export async function linesShownTo(db: Database, actor: Member): Promise<(lines: Lines) => Lines> {
  if (seesCost(actor)) return (lines) => lines
  const rules = await db
    .selectFrom('pricingRules')
    .select('id')
    .where('customerId', '=', actor.customerId)
    .where('isOnCosts', '=', false)
    .execute()
  const open = new Set(rules.map(({ id }) => id))
  return (lines) => {
    const special = lines.filter(({ kind }) => kind === 'special')
    const ofRules = lines.filter(({ kind }) => kind !== 'special')
    if (ofRules.every(({ ruleId }) => ruleId !== null && open.has(ruleId))) return lines
    const amountCents = ofRules.reduce((sum, line) => sum + line.amountCents, 0)
    const runningCents = ofRules.at(-1)?.runningCents ?? 0
    const all = {
      ruleId: null,
      name: 'Pricing rules',
      label: null,
      kind: 'rules',
      amountCents,
      runningCents,
    } as const
    return amountCents === 0 ? special : [all, ...special]
  }
}
