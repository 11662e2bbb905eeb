import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { MandatoryFee } from '#contract/customers/details/fees.ts'
import { OwnProfiles, type OwnProfile, type PriceLaw } from '#contract/customers/details/price-laws.ts'
import { currentPrice, type CurrentPrice } from '#contract/inventory/pricing/price-explanation.ts'
import type { PriceFacts, PriceRule } from '#contract/inventory/pricing/rules/evaluate-price.ts'
import { timeUseOf } from '#contract/inventory/pricing/rules/rule-conditions.ts'
import type { PricingRule } from '#contract/inventory/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { useCustomerTimeZone } from '../../channels/listings.ts'
import { lotMinutes } from '../lot-minutes.ts'
import { specialPrice, matchedRules, readActiveRules, toPriceRule } from '../rules/rule-rows.ts'

/** Vehicles that are gone have no price for buyers. */
export const isGone = sql<SqlBool>`v.status in ('sold', 'archived', 'wholesale', 'removed')`

/** What all prices of a customer depend on; valid within a transaction. */
export type PriceSetting = Readonly<{
  customerId: string
  zone: string
  rules: readonly PricingRule[]
  priceRules: ReadonlyMap<string, PriceRule>
  fees: readonly MandatoryFee[]
  profiles: readonly OwnProfile[]
  /** The next midnight in the customer's time zone, if a condition depends on the date. */
  midnight: string | null
}>

/** Reads rules and fees. Sets the customer's time zone for the transaction. */
export async function readPriceSetting(db: Database, customerId: string): Promise<PriceSetting> {
  const zone = await useCustomerTimeZone(db, customerId)
  const rules = await readActiveRules(db, customerId)
  const { rows } = await sql<{ fees: unknown; profiles: unknown; midnight: string }>`
    select fees, price_profiles as profiles, ((today(time_zone) + 1)::timestamp at time zone time_zone)::text as midnight
    from customers where id = ${customerId}`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The customer does not exist.')
  return {
    customerId,
    zone,
    rules,
    priceRules: new Map(rules.map((rule) => [rule.id, toPriceRule(rule)])),
    fees: MandatoryFee.array().parse(found.fees),
    profiles: OwnProfiles.parse(found.profiles),
    midnight: rules.some(({ condition }) => timeUseOf(condition).usesDates) ? found.midnight : null,
  }
}

type Row = PriceFacts & {
  id: string
  isGone: boolean
  condition: string
  lotId: string
  zone: string
  minute: string
  region: string | null
  lotLaw: PriceLaw | null
  customerLaw: PriceLaw
  ruleIds: string[]
  storedSelling: number | null
  storedTotal: number | null
  storedRules: string[]
  storedUntil: string | null
}

/** What is stored of a price, with the boundary as a minute in the lot's time zone. */
type Stored = CurrentPrice & { id: string; zone: string; isChanged: boolean }

/**
 * Evaluates the prices of some vehicles and stores those that differ. Rows that another transaction holds are skipped if
 * `skipsLocked`: that transaction requested them again.
 * @param which over `vehicles v` with `vehicle_prices p`.
 * @returns the IDs of the vehicles that were read, ascending.
 */
export async function recalculatePrices(
  db: Database,
  setting: PriceSetting,
  { which, limit, skipsLocked }: { which: RawBuilder<SqlBool>; limit: number; skipsLocked: boolean },
): Promise<string[]> {
  const rows = await readRows(db, setting, which, limit)
  const changed = rows.flatMap((row) => changeOf(row, setting))
  if (changed.length > 0) await storePrices(db, setting, changed, skipsLocked)
  return rows.map(({ id }) => id)
}

async function readRows(
  db: Database,
  { customerId, zone, rules }: PriceSetting,
  which: RawBuilder<SqlBool>,
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with ${lotMinutes(customerId)}
    select v.id::text, ${isGone} as is_gone, v.condition, v.lot_id::text as lot_id, ${matchedRules(rules, zone)} as rule_ids,
      v.price_cents::float8 as price_cents, v.msrp_cents::float8 as msrp_cents, v.feed_price_cents::float8 as feed_price_cents,
      v.market_price_cents::float8 as market_price_cents, v.invoice_cents::float8 as invoice_cents,
      v.cost_cents::float8 as cost_cents, v.in_stock_on::text as in_stock_on, 'price' = any(v.locked) as is_manual, ${specialPrice} as special,
      l.region, l.price_law as lot_law, c.price_law as customer_law, m.zone, m.minute,
      p.selling_cents::float8 as stored_selling, p.total_cents::float8 as stored_total, p.rule_ids::text[] as stored_rules,
      case when p.valid_until = '-infinity' then 'never' when p.valid_until <= app_now() then 'due'
        else p.valid_until::text end as stored_until
    from vehicles v
    join vehicle_prices p on p.customer_id = v.customer_id and p.vehicle_id = v.id
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    join lot_minutes m on m.lot_id = v.lot_id
    join customers c on c.id = v.customer_id
    where v.customer_id = ${customerId} and ${which}
    order by v.id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** What to store for a vehicle, if it may differ from what is stored. */
function changeOf(row: Row, { priceRules, fees, profiles, midnight }: PriceSetting): Stored[] {
  const { id, zone, ruleIds, minute, storedSelling, storedTotal, storedRules, storedUntil } = row
  const rules = ruleIds.flatMap((rule) => priceRules.get(rule) ?? [])
  const day = minute.slice(0, 10)
  const price = row.isGone
    ? { sellingCents: null, totalCents: null, rules: [], until: null }
    : currentPrice({ ...row, day, fees, profiles, caps: [], rules, amounts: row })
  const isChanged = price.sellingCents !== storedSelling || price.totalCents !== storedTotal
  const isSameEnd = price.until === null && (midnight === null || price.sellingCents === null)
  const isStored =
    !isChanged &&
    isSameEnd &&
    storedUntil === null &&
    storedRules.join() === price.rules.map((rule) => rule.id).join()
  return isStored ? [] : [{ ...price, id, zone, isChanged }]
}

/** Stores prices, and a history row for each that changed. A boundary in the past, as after a change of a zone, is due again at once. */
async function storePrices(
  db: Database,
  { customerId, midnight }: PriceSetting,
  prices: readonly Stored[],
  skipsLocked: boolean,
): Promise<void> {
  const column = <T>(of: (price: Stored) => T): T[] => prices.map(of)
  await sql`
    with given as (
      select * from unnest(${column(({ id }) => id)}::bigint[], ${column(({ sellingCents }) => sellingCents)}::bigint[],
        ${column(({ totalCents }) => totalCents)}::bigint[], ${column(({ rules }) => `{${rules.map(({ id }) => id).join()}}`)}::text[],
        ${column(({ rules }) => JSON.stringify(rules))}::text[], ${column(({ until }) => until)}::text[], ${column(({ zone }) => zone)}::text[],
        ${column(({ isChanged }) => isChanged)}::boolean[]) g (id, selling, total, rule_ids, rules, until, zone, is_changed)
    ), moments as materialized (
      select until, zone, lot_moment(until, zone) as at from (select distinct until, zone from given where until is not null) d
    ), free as (
      select p.vehicle_id from vehicle_prices p where p.customer_id = ${customerId} and p.vehicle_id in (select id from given)
      order by p.vehicle_id for update ${skipsLocked ? sql`skip locked` : sql``}
    ), wanted as (
      select g.*, case when g.selling is not null and least(m.at, ${midnight}::timestamptz) is not null
        then greatest(least(m.at, ${midnight}::timestamptz), app_now() + interval '1 second') end as valid_until
      from given g join free f on f.vehicle_id = g.id left join moments m on m.until = g.until and m.zone = g.zone
    ), stored as (
      update vehicle_prices p set selling_cents = w.selling, total_cents = w.total, rule_ids = w.rule_ids::bigint[],
        valid_until = w.valid_until
      from wanted w where p.customer_id = ${customerId} and p.vehicle_id = w.id
        and (p.selling_cents, p.total_cents, p.rule_ids, p.valid_until) is distinct from (w.selling, w.total, w.rule_ids::bigint[], w.valid_until)
      returning p.vehicle_id, p.organization_id, w.selling, w.total, w.rules, w.is_changed
    )
    insert into vehicle_price_history (customer_id, organization_id, vehicle_id, selling_cents, total_cents, rules)
    select ${customerId}, organization_id, vehicle_id, selling, total, rules::jsonb from stored where is_changed
    order by vehicle_id`.execute(db)
}
