import { sql } from 'kysely'
import { lawOf, type PriceLaw, profileOf } from '#contract/customers/details/price-laws.ts'
import {
  type Evaluation,
  evaluatePrice,
  type PriceFacts,
} from '#contract/inventory/pricing/rules/evaluate-price.ts'
import type { PricingRule } from '#contract/inventory/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { matchedRules, toPriceRule } from './rule-rows.ts'

/** A vehicle in stock with a price, and the rules that match it. */
export type StockVehicle = PriceFacts & {
  id: string
  ruleIds: string[]
  minute: string
  region: string | null
  lotLaw: PriceLaw | null
  customerLaw: PriceLaw
}

/** The vehicles in stock with a price within reach. `zone`: for conditions with dates. */
export async function readStock(
  db: Database,
  { customerId, zone }: { customerId: string; zone: string },
  rules: readonly PricingRule[],
): Promise<StockVehicle[]> {
  const { rows } = await sql<StockVehicle>`
    select v.id::text, ${matchedRules(rules, zone)} as rule_ids, v.price_cents::float8 as price_cents,
      v.msrp_cents::float8 as msrp_cents, v.feed_price_cents::float8 as feed_price_cents,
      v.market_price_cents::float8 as market_price_cents, v.invoice_cents::float8 as invoice_cents,
      v.cost_cents::float8 as cost_cents, v.in_stock_on::text as in_stock_on, 'price' = any(v.locked) as is_manual,
      l.region, l.price_law as lot_law, c.price_law as customer_law, z.minute
    from vehicles v
    join (select l.*, to_char(app_now() at time zone coalesce(l.time_zone, o.time_zone, 'UTC'), 'YYYY-MM-DD"T"HH24:MI') as minute
      from lots l join organizations o on o.customer_id = l.customer_id and o.id = l.organization_id) l
      on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    cross join lateral (select l.minute) z
    join customers c on c.id = v.customer_id
    where v.customer_id = ${customerId} and v.price_cents > 0
      and v.status not in ('sold', 'archived', 'wholesale', 'removed')
    order by v.id`.execute(db)
  return rows
}

/** Evaluates the rules for a vehicle of the stock. `rules`: all of them by ID. */
export function evaluateVehicle(vehicle: StockVehicle, rules: ReadonlyMap<string, PricingRule>): Evaluation {
  const { ruleIds, minute, region, lotLaw, customerLaw } = vehicle
  const { law } = lawOf({ lotLaw, region, customerLaw })
  const { deductsRebates } = profileOf(law, minute.slice(0, 10))
  const matching = ruleIds.flatMap((id) => {
    const rule = rules.get(id)
    return rule ? [toPriceRule(rule)] : []
  })
  return evaluatePrice(matching, vehicle, { minute, deductsRebates })
}
