import { type RawBuilder, sql } from 'kysely'
import { PricePoint } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { seesCost } from './vehicle-json.ts'

/** A change of a vehicle's own price, or of what the rules and fees made of it. */
type Entry = { at: string; isOfVehicle: boolean; cents: number | null; by: string | null } & Pick<
  PricePoint,
  'sellingCents' | 'totalCents' | 'rules'
>

/** A price from a feed is recalculated in the background within seconds; until then both are one change. */
const SAME_CHANGE_MS = 120_000

/** How a vehicle's price changed, oldest first, with the rules behind each selling price. */
export async function readPriceHistory(db: Database, actor: Member, id: string): Promise<PricePoint[]> {
  const { customerId } = actor
  const { rows } = await sql<Entry>`
    select at, true as is_of_vehicle, price_cents::float8 as cents, by_name as by, null::float8 as selling_cents, null::float8 as total_cents,
      '[]'::jsonb as rules, id
    from (
      select h.id, h.at, h.price_cents, h.by_name, lag(h.price_cents) over w as earlier, row_number() over w as place
      from vehicle_history h where h.customer_id = ${customerId} and h.vehicle_id = ${id}
      window w as (order by h.at, h.id)) p
    where place = 1 or price_cents is distinct from earlier
    union all
    select at, false, null, null, selling_cents::float8, total_cents::float8, ${rulesShownTo(actor)}, id
    from vehicle_price_history where customer_id = ${customerId} and vehicle_id = ${id}
    order by at, is_of_vehicle desc, id`.execute(db)
  const points: PricePoint[] = []
  for (const entry of rows) addEntry(points, entry)
  return PricePoint.array().parse(points)
}

/** Adds a change to the history. Figures that it doesn't change are carried forward. */
function addEntry(points: PricePoint[], { at, isOfVehicle, cents, by, ...made }: Entry): void {
  const last = points.at(-1)
  if (isOfVehicle) {
    const { sellingCents = null, totalCents = null, rules = [] } = last ?? {}
    points.push({ at, by, isByRules: false, priceCents: cents, sellingCents, totalCents, rules })
    return
  }
  const { sellingCents, totalCents, rules } = made
  const isSame = last?.isByRules === false && Date.parse(at) - Date.parse(last.at) <= SAME_CHANGE_MS
  if (isSame) Object.assign(last, { sellingCents, totalCents, rules })
  else {
    const priceCents = last?.priceCents ?? null
    points.push({ at, by: null, isByRules: true, priceCents, sellingCents, totalCents, rules })
  }
}

/** The rules behind a price, without those on costs if the user doesn't see costs. A deleted rule may have been one. */
function rulesShownTo(actor: Member): RawBuilder<unknown> {
  if (seesCost(actor)) return sql`rules`
  return sql`(select coalesce(jsonb_agg(x.rule order by x.place), '[]') from jsonb_array_elements(rules) with ordinality x (rule, place)
    where exists (select from pricing_rules r where r.customer_id = ${actor.customerId} and r.id::text = x.rule ->> 'id'
      and not r.is_on_costs))`
}
