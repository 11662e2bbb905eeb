import { readRule } from '#contract/expressions/read.ts'
import { variablesOf } from '#contract/expressions/variables.ts'
import type { PricingRule, RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import { lackedFields, lackingRule } from '#contract/pricing/rules/reduction-limits.ts'
import { STOCK_RULES } from '#contract/vehicles/vehicles/stock-rules.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { refused } from '#server/http/failure.ts'
import { listUrl } from '#server/lists/list-url.ts'
import { useLotTimeZones } from '#server/customers/index.ts'
import { toPriceRule } from './rule-rows.ts'
import { type StockVehicle, visitStock } from './stock-prices.ts'

/** The amounts that rules need and a vehicle lacks. */
export function lackedBy(
  vehicle: StockVehicle,
  rules: readonly PricingRule[],
): RulePreview['missing']['vehicles'][number]['fields'] {
  return [...new Set(rules.flatMap((rule) => lackedFields(toPriceRule(rule), vehicle)))]
}

/**
 * The path of the list of the vehicles that a rule matches and that lack an amount it needs. Null if there is no such list: its filter would
 * be too long, or use fields that the user doesn't see.
 */
export function missingUrl({ may }: Member, rule: PricingRule): string | null {
  const lacking = lackingRule(toPriceRule(rule))
  if (lacking === '') return null
  const parts = [
    STOCK_RULES.inStock,
    'price > 0',
    ...(rule.condition === '' ? [] : [`(${rule.condition})`]),
    ...(rule.lotIds.length === 0
      ? []
      : [`lotId in [${rule.lotIds.map((id) => JSON.stringify(id)).join(', ')}]`]),
    `(${lacking})`,
  ]
  const filter = parts.join(' && ')
  return readRule(filter, variablesOf(VEHICLE_LIST, may)).ok ? listUrl(VEHICLE_LIST, filter) : null
}

/**
 * A rule with limits that stops if an amount is missing isn't saved while a matching vehicle lacks one. Minimum prices stop the
 * reductions of the vehicle instead.
 * @throws Failure 400 on `whenMissing` with the number of vehicles
 */
export async function requireAmounts(
  db: Database,
  { customerId }: Member,
  rules: readonly PricingRule[],
): Promise<void> {
  const stopping = rules.filter(
    (rule) => rule.isActive && rule.kind !== 'floor' && rule.whenMissing === 'stop',
  )
  if (stopping.every((rule) => lackingRule(toPriceRule(rule)) === '')) return
  const zone = await useLotTimeZones(db, customerId)
  let lacking = 0
  await visitStock(db, { customerId, zone, matching: stopping }, stopping, (vehicle) => {
    const matching = stopping.filter(({ id }) => vehicle.ruleIds.includes(id))
    if (lackedBy(vehicle, matching).length > 0) lacking += 1
  })
  if (lacking === 0) return
  const vehicles =
    lacking === 1 ? '1 matching vehicle lacks' : `${lacking.toLocaleString('en')} matching vehicles lack`
  throw refused('Some fields are invalid.', {
    whenMissing: `The limits need an amount that ${vehicles}. Enter the amounts, or choose to skip these vehicles or to use their cost.`,
  })
}
