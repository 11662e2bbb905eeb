import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { PriceFacts, PriceRule } from '#contract/pricing/rules/price-rule.ts'
import { type PricingRule, pricingRuleRecord } from '#contract/pricing/rules/pricing-rules.ts'
import { coveredName } from '#server/database/rule-names.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { columnMap } from '#server/lists/column-map.ts'
import type { LotZones } from '#server/customers/index.ts'
import { ruleSql, seesCost } from '#server/vehicles/index.ts'

const exceptions = {
  id: 'id',
  lotIds: sql`array(select x::text from unnest(pricing_rules.lot_ids) x)`,
  steps: 'json',
  updatedAt: 'instant',
  hidesAmounts: sql`false`,
} as const
export const ruleColumns = columnMap(pricingRuleRecord, 'pricingRules', exceptions)

const isOnCosts = sql<SqlBool>`pricing_rules.is_on_costs`
/** The same without the names and amounts of rules on costs, as `ruleShownTo` returns them. */
const coveredColumns = columnMap(pricingRuleRecord, 'pricingRules', {
  ...exceptions,
  name: coveredName,
  cents: sql`case when ${isOnCosts} then 0 else pricing_rules.cents end`,
  percent: sql`case when not ${isOnCosts} then pricing_rules.percent end`,
  steps: sql`case when ${isOnCosts} then '[]'::jsonb else pricing_rules.steps end`,
  aboveCostCents: sql`null::integer`,
  aboveInvoiceCents: sql`null::integer`,
  offMsrpPercent: sql`case when not ${isOnCosts} then pricing_rules.off_msrp_percent end`,
  hidesAmounts: isOnCosts,
})
/** The select list of rules for a user. */
export const ruleColumnsFor = (actor: Member): RawBuilder<unknown> =>
  seesCost(actor) ? ruleColumns.select : coveredColumns.select

/** SQL for the special price of a row of `vehicles v`, as the evaluation needs it; null without one. */
export const specialPrice = sql<
  PriceFacts['special']
>`(select jsonb_build_object('cents', s.cents, 'until', s.until_minute, 'reason', s.reason)
  from vehicle_special_prices s where s.customer_id = v.customer_id and s.vehicle_id = v.id)`

/** The active rules of the customer. */
export async function readActiveRules(db: Database, customerId: string): Promise<PricingRule[]> {
  const { rows } = await sql<PricingRule>`select ${ruleColumns.select} from pricing_rules
    where customer_id = ${customerId} and is_active order by id`.execute(db)
  return pricingRuleRecord.schema.array().parse(rows)
}

/** What the evaluation needs of a rule. */
export function toPriceRule(rule: Omit<PricingRule, 'id'> & { id: string }): PriceRule {
  const { id, name, kind, cents, percent, field, stepCents, steps, roundingMode } = rule
  const { qualifier, disclaimer, label } = rule
  const { aboveCostCents, aboveInvoiceCents, offMsrpPercent, keepsMinimum, whenMissing } = rule
  const { exclusiveGroup: group, fromMinute: from, untilMinute: until } = rule
  const amount = { cents, percent, field, stepCents, steps, roundingMode }
  const limits = { aboveCostCents, aboveInvoiceCents, offMsrpPercent, keepsMinimum, whenMissing }
  return { id, name, kind, ...amount, ...limits, group, from, until, qualifier, disclaimer, label }
}

/** SQL for whether a rule matches a row of `vehicles v` with `lots l`. */
function matchesRule(
  { lotIds, condition }: Pick<PricingRule, 'lotIds' | 'condition'>,
  zone: LotZones,
  now?: Date,
): RawBuilder<SqlBool> {
  const isLot = lotIds.length === 0 ? sql`true` : sql`v.lot_id = any(${lotIds.map(String)}::bigint[])`
  return sql<SqlBool>`(${isLot} and ${ruleSql(condition, zone, now)})`
}

/** SQL for whether one of these rules matches a row of `vehicles v` with `lots l`; without rules, none does. */
export function matchesAny(
  rules: readonly Pick<PricingRule, 'lotIds' | 'condition'>[],
  zone: LotZones,
  now?: Date,
): RawBuilder<SqlBool> {
  if (rules.length === 0) return sql<SqlBool>`false`
  return sql<SqlBool>`(${sql.join(
    rules.map((rule) => matchesRule(rule, zone, now)),
    sql` or `,
  )})`
}

/** SQL for the IDs of the rules that match a row of `vehicles v` with `lots l`, as an array of text. */
export function matchedRules(
  rules: readonly Pick<PricingRule, 'id' | 'lotIds' | 'condition'>[],
  zone: LotZones,
  now?: Date,
): RawBuilder<string[]> {
  if (rules.length === 0) return sql`'{}'::text[]`
  const cases = rules.map((rule) => sql`case when ${matchesRule(rule, zone, now)} then ${rule.id}::text end`)
  return sql`array_remove(array[${sql.join(cases)}], null)`
}
