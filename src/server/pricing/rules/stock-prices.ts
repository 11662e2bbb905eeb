import { sql, type RawBuilder } from 'kysely'
import { isInStock } from '#server/vehicles/index.ts'
import { lawOf, OwnProfiles, type PriceLaw, profileOf } from '#contract/customers/details/price-laws.ts'
import { type Evaluation, evaluatePrice } from '#contract/pricing/rules/evaluate-price.ts'
import type { EvaluationTime, PriceFacts, PriceRule } from '#contract/pricing/rules/price-rule.ts'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { LotZones } from '#server/customers/index.ts'
import { readLotSettings } from './lot-settings.ts'
import { specialPrice, matchedRules, matchesAny, toPriceRule } from './rule-rows.ts'

/** A vehicle in stock with a price, and the rules that match it. */
export type StockVehicle = StockRow & { time: EvaluationTime }
type StockRow = PriceFacts & { id: string; lotId: string; ruleIds: string[] }

type StockQuery = Readonly<{
  customerId: string
  /** For conditions with dates. */
  zone: LotZones
  /** What is read instead of all vehicles: SQL for a table `v` with the columns of `vehicles`. */
  vehicles?: RawBuilder<unknown>
  /** Only the vehicles that one of these rules matches. */
  matching?: readonly PricingRule[] | undefined
  /** A simulated time: a minute in the time zone of each lot, and the moment for conditions with dates. */
  simulated?: Readonly<{ minute: string; now: Date; zone: string }> | undefined
}>

const hasPrice = sql`v.price_cents > 0 and ${isInStock('v')}`

/** The number of vehicles in stock with a price within reach. */
export async function countStock(db: Database, customerId: string): Promise<number> {
  const { rows } = await sql<{ stock: number }>`select count(*)::int as stock from vehicles v
    where v.customer_id = ${customerId} and ${hasPrice}`.execute(db)
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
  const times = await readTimes(db, query)
  let after = '0'
  for (let visited = 0; visited < MAX_VEHICLES; visited += BATCH) {
    const rows = await readBatch(db, { ...query, after }, rules)
    for (const row of rows) {
      const time = times.get(row.lotId)
      if (time !== undefined) visit({ ...row, time })
    }
    if (rows.length < BATCH) return { isPartial: false }
    after = rows.at(-1)?.id ?? after
  }
  return { isPartial: true }
}

/** By lot: its minute, or the simulated one, and whether its law then deducts rebates. */
async function readTimes(
  db: Database,
  { customerId, simulated }: StockQuery,
): Promise<ReadonlyMap<string, EvaluationTime>> {
  const { rows } = await sql<{ law: PriceLaw; profiles: unknown }>`
    select price_law as law, price_profiles as profiles from customers where id = ${customerId}`.execute(db)
  const [customer] = rows
  if (customer === undefined) throw new Error('The customer does not exist.')
  const profiles = OwnProfiles.parse(customer.profiles)
  const lots = await readLotSettings(db, customerId)
  return new Map(
    [...lots].map(([id, lot]) => {
      const minute = simulated?.minute ?? lot.minute
      const { law } = lawOf({ ...lot, customerLaw: customer.law })
      return [id, { minute, deductsRebates: profileOf(law, minute.slice(0, 10), profiles).deductsRebates }]
    }),
  )
}

async function readBatch(
  db: Database,
  { customerId, zone: zones, vehicles, matching, simulated, after }: StockQuery & { after: string },
  rules: readonly PricingRule[],
): Promise<StockRow[]> {
  // A simulated minute has the same date at every lot.
  const zone = simulated?.zone ?? zones
  const { rows } = await sql<StockRow>`
    select v.id::text, v.lot_id::text as lot_id, ${matchedRules(rules, zone, simulated?.now)} as rule_ids, v.price_cents::float8 as price_cents,
      v.msrp_cents::float8 as msrp_cents, v.feed_price_cents::float8 as feed_price_cents,
      v.market_price_cents::float8 as market_price_cents, v.invoice_cents::float8 as invoice_cents,
      v.cost_cents::float8 as cost_cents, v.in_stock_on::text as in_stock_on, ${specialPrice} as special
    from ${vehicles ?? sql`vehicles v`}
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    where v.customer_id = ${customerId} and v.id > ${after}
      and ${hasPrice} and ${matching === undefined ? sql`true` : matchesAny(matching, zone, simulated?.now)}
    order by v.id limit ${sql.lit(BATCH)}`.execute(db)
  return rows
}

/** Rules by ID, as the evaluation needs them. */
export const priceRulesById = (
  rules: readonly (Omit<PricingRule, 'id'> & { id: string })[],
): ReadonlyMap<string, PriceRule> => new Map(rules.map((rule) => [rule.id, toPriceRule(rule)]))

/** Evaluates the rules for a vehicle of the stock. `rules`: all of them by the IDs that matched. */
export function evaluateVehicle(
  { ruleIds, time, ...facts }: StockVehicle,
  rules: ReadonlyMap<string, PriceRule>,
): Evaluation {
  const matching = ruleIds.flatMap((id) => rules.get(id) ?? [])
  return evaluatePrice(matching, facts, time)
}
