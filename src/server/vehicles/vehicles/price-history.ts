import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type PriceCause, PricePoint } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { RunNames } from './run-names.ts'
import { seesCost } from './vehicle-json.ts'

/** A change of a vehicle's own price, or of what the rules and fees made of it. */
type Entry = {
  at: string
  isOfVehicle: boolean
  cents: number | null
  by: string | null
  runId: string | null
  causes: unknown
} & Pick<PricePoint, 'sellingCents' | 'totalCents' | 'rules'>
type Point = Omit<PricePoint, 'causes' | 'feed' | 'zone'> & { runId: string | null; causes: StoredCause[] }

/** A price from a feed is recalculated in the background within seconds; until then both are one change. */
const SAME_CHANGE_MS = 120_000

/** As `price_cause()` in the database makes it. */
const StoredCause = z.object({
  call: z.string().nullable(),
  by: z.string().nullable(),
  as: z.string().nullable(),
  rules: z.array(z.object({ id: z.string(), name: z.string(), version: z.number() })).optional(),
})
type StoredCause = z.infer<typeof StoredCause>
const StoredCauses = z.array(StoredCause).catch([])

/** What a call changes, by the first part of its name. */
const WHAT: Readonly<Record<string, PriceCause['what']>> = {
  clock: 'clock',
  pricingRules: 'rule',
  ruleFiles: 'rule',
  ruleRequests: 'approval',
  customerDetails: 'settings',
  customers: 'settings',
  lots: 'lot',
  organizations: 'lot',
  vehiclePrices: 'special',
}

const whatOf = (call: string | null): PriceCause['what'] => {
  const [domain = ''] = (call ?? '').split('.')
  return WHAT[domain] ?? (domain.startsWith('feed') ? 'feed' : 'vehicle')
}

/** How a vehicle's price changed, oldest first, with the rules behind each selling price, and who or what changed it. */
export async function readPriceHistory(
  db: Database,
  actor: Member,
  { id, runNames }: { id: string; runNames: RunNames },
): Promise<PricePoint[]> {
  const { customerId } = actor
  const { rows } = await sql<Entry>`
    select at, true as is_of_vehicle, price_cents::float8 as cents, by_name as by, null::float8 as selling_cents, null::float8 as total_cents,
      '[]'::jsonb as rules, feed_run_id::text as run_id, '[]'::jsonb as causes, id
    from (
      select h.id, h.at, h.price_cents, h.by_name, h.feed_run_id, lag(h.price_cents) over w as earlier, row_number() over w as place
      from vehicle_history h where h.customer_id = ${customerId} and h.vehicle_id = ${id}
      window w as (order by h.at, h.id)) p
    where place = 1 or price_cents is distinct from earlier
    union all
    select at, false, null, null, selling_cents::float8, total_cents::float8, ${rulesShownTo(actor)}, null, ${causesShownTo(actor)}, id
    from vehicle_price_history where customer_id = ${customerId} and vehicle_id = ${id}
    order by at, is_of_vehicle desc, id`.execute(db)
  const points: Point[] = []
  for (const entry of rows) addEntry(points, entry)
  const runIds = [...new Set(points.flatMap(({ runId }) => runId ?? []))]
  const feeds = runIds.length === 0 ? null : await runNames.readLabels(db, runIds)
  const zone = await readLotZone(db, customerId, id)
  return PricePoint.array().parse(
    points.map(({ runId, causes, ...point }) => ({
      ...point,
      zone,
      feed: runId === null ? null : (feeds?.get(runId) ?? null),
      causes: causes.map(({ call, by, as, rules = [] }) => ({ what: whatOf(call), by, as, rules })),
    })),
  )
}

async function readLotZone(db: Database, customerId: string, id: string): Promise<string> {
  const { rows } = await sql<{ zone: string | null }>`
    select coalesce(l.time_zone, o.time_zone) as zone from vehicles v
    left join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    left join organizations o on o.customer_id = v.customer_id and o.id = v.organization_id
    where v.customer_id = ${customerId} and v.id = ${id}`.execute(db)
  return rows[0]?.zone ?? 'UTC'
}

/** Adds a change to the history. Figures that it doesn't change are carried forward. */
function addEntry(points: Point[], { at, isOfVehicle, cents, by, runId, ...made }: Entry): void {
  const last = points.at(-1)
  if (isOfVehicle) {
    const { sellingCents = null, totalCents = null, rules = [] } = last ?? {}
    const own = { at, by, runId, isByRules: false, priceCents: cents, causes: [] }
    points.push({ ...own, sellingCents, totalCents, rules })
    return
  }
  const { sellingCents, totalCents, rules } = made
  const causes = StoredCauses.parse(made.causes)
  const isSame = last?.isByRules === false && Date.parse(at) - Date.parse(last.at) <= SAME_CHANGE_MS
  if (isSame) Object.assign(last, { sellingCents, totalCents, rules })
  else {
    const priceCents = last?.priceCents ?? null
    const own = { at, by: null, runId: null, isByRules: true, priceCents, causes }
    points.push({ ...own, sellingCents, totalCents, rules })
  }
}

/** The rules behind a price, without those on costs if the user doesn't see costs. A deleted rule may have been one. */
function rulesShownTo(actor: Member): RawBuilder<unknown> {
  if (seesCost(actor)) return sql`rules`
  return sql`(select coalesce(jsonb_agg(x.rule order by x.place), '[]') from jsonb_array_elements(rules) with ordinality x (rule, place)
    where exists (select from pricing_rules r where r.customer_id = ${actor.customerId} and r.id::text = x.rule ->> 'id'
      and not r.is_on_costs))`
}

/** The causes of a price, without the names of rules on costs and of deleted ones if the user doesn't see costs. */
function causesShownTo(actor: Member): RawBuilder<unknown> {
  if (seesCost(actor)) return sql`causes`
  return sql`(select coalesce(jsonb_agg(case when c.cause ? 'rules' then c.cause || jsonb_build_object('rules',
      (select coalesce(jsonb_agg(x.rule), '[]') from jsonb_array_elements(c.cause -> 'rules') x (rule)
        where exists (select from pricing_rules r where r.customer_id = ${actor.customerId} and r.id::text = x.rule ->> 'id'
          and not r.is_on_costs))) else c.cause end order by c.place), '[]')
    from jsonb_array_elements(causes) with ordinality c (cause, place))`
}
