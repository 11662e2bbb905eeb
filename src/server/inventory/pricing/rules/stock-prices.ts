import { sql, type RawBuilder } from 'kysely'
import { lawOf, type OwnProfile, type PriceLaw, profileOf } from '#contract/customers/details/price-laws.ts'
import {
  type Evaluation,
  evaluatePrice,
  type PriceFacts,
} from '#contract/inventory/pricing/rules/evaluate-price.ts'
import type { PricingRule } from '#contract/inventory/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { lotMinutes } from '../lot-minutes.ts'
import { specialPrice, matchedRules, matchesAny, toPriceRule } from './rule-rows.ts'

/** A vehicle in stock with a price, and the rules that match it. */
export type StockVehicle = PriceFacts & {
  id: string
  ruleIds: string[]
  minute: string
  region: string | null
  lotLaw: PriceLaw | null
  customerLaw: PriceLaw
  profiles: OwnProfile[]
}

type StockQuery = Readonly<{
  customerId: string
  /** For conditions with dates. */
  zone: string
  /** What is read instead of all vehicles: SQL for a table `v` with the columns of `vehicles`. */
  vehicles?: RawBuilder<unknown>
  /** Only the vehicles that one of these rules matches. */
  matching?: readonly PricingRule[] | undefined
  /** A simulated time: a minute in the time zone of each lot, and the moment for conditions with dates. */
  simulated?: Readonly<{ minute: string; now: Date }> | undefined
}>

const inStock = sql`v.price_cents > 0 and v.status not in ('sold', 'archived', 'wholesale', 'removed')`

/** The number of vehicles in stock with a price within reach. */
export async function countStock(db: Database, customerId: string): Promise<number> {
  const { rows } = await sql<{ stock: number }>`select count(*)::int as stock from vehicles v
    where v.customer_id = ${customerId} and ${inStock}`.execute(db)
  return rows[0]?.stock ?? 0
}

/** Vehicles per query, and the most that are evaluated at once: enough for any dealer group, and bounded for the others. */
const BATCH = 10_000
const MAX_VEHICLES = 100_000

/**
 * Visits the vehicles in stock with a price within reach, in batches, so that memory stays bounded. @returns whether there are more vehicles than were visited.
 */
export async function visitStock(
  db: Database,
  query: StockQuery,
  rules: readonly PricingRule[],
  visit: (vehicle: StockVehicle) => void,
): Promise<{ isPartial: boolean }> {
  let after = '0'
  for (let visited = 0; visited < MAX_VEHICLES; visited += BATCH) {
    const rows = await readBatch(db, { ...query, after }, rules)
    const minute = query.simulated?.minute
    for (const row of rows) visit(minute === undefined ? row : { ...row, minute })
    if (rows.length < BATCH) return { isPartial: false }
    after = rows.at(-1)?.id ?? after
  }
  return { isPartial: true }
}

async function readBatch(
  db: Database,
  { customerId, zone, vehicles, matching, simulated, after }: StockQuery & { after: string },
  rules: readonly PricingRule[],
): Promise<StockVehicle[]> {
  const { rows } = await sql<StockVehicle>`
    with ${lotMinutes(customerId)}
    select v.id::text, ${matchedRules(rules, zone, simulated?.now)} as rule_ids, v.price_cents::float8 as price_cents,
      v.msrp_cents::float8 as msrp_cents, v.feed_price_cents::float8 as feed_price_cents,
      v.market_price_cents::float8 as market_price_cents, v.invoice_cents::float8 as invoice_cents,
      v.cost_cents::float8 as cost_cents, v.in_stock_on::text as in_stock_on, 'price' = any(v.locked) as is_manual, ${specialPrice} as special,
      l.region, l.price_law as lot_law, c.price_law as customer_law, c.price_profiles as profiles, m.minute
    from ${vehicles ?? sql`vehicles v`}
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    join lot_minutes m on m.lot_id = v.lot_id
    join customers c on c.id = v.customer_id
    where v.customer_id = ${customerId} and v.id > ${after} 
      and ${inStock} and ${matching === undefined ? sql`true` : matchesAny(matching, zone, simulated?.now)}
    order by v.id limit ${sql.lit(BATCH)}`.execute(db)
  return rows
}

/** Evaluates the rules for a vehicle of the stock. `rules`: all of them by ID. */
export function evaluateVehicle(vehicle: StockVehicle, rules: ReadonlyMap<string, PricingRule>): Evaluation {
  const { ruleIds, minute, region, lotLaw, customerLaw, profiles } = vehicle
  const { law } = lawOf({ lotLaw, region, customerLaw })
  const { deductsRebates } = profileOf(law, minute.slice(0, 10), profiles)
  const matching = ruleIds.flatMap((id) => {
    const rule = rules.get(id)
    return rule ? [toPriceRule(rule)] : []
  })
  return evaluatePrice(matching, vehicle, { minute, deductsRebates })
}
