import { sql, type RawBuilder } from 'kysely'
import { MOST_ROWS } from '#contract/carbon/activity.ts'
import type { YearBefore } from '#contract/carbon/year-before.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { findInventory } from '../ledger/open-inventory.ts'
import { findGone, findUnusual, type MonthUse, type WaitingRecord } from './compare-months.ts'

/**
 * What of an inventory is far from the same facilities, sources and months a year before. Inventories of the same
 * organization and boundary are looked at, those that were restated are not.
 * @throws Failure 404 of the inventory.
 */
export async function readYearBefore(db: Database, inventoryId: string): Promise<YearBefore> {
  await findInventory(db, inventoryId)
  const { rows: former } = await sql<{ id: string; name: string }>`
    select b.id::text, b.name from carbon_inventories i join carbon_inventories b on b.customer_id = i.customer_id
      and b.organization_id = i.organization_id and b.boundary = i.boundary and b.status <> 'restated'
      and b.id is distinct from i.id and b.id is distinct from i.restates_id
      and daterange(b.period_start, b.period_end, '[]') &&
        daterange((i.period_start - interval '1 year')::date, (i.period_end - interval '1 year')::date, '[]')
    where i.id = ${inventoryId} order by b.period_start`.execute(db)
  if (former.length === 0) return { comparedWith: [], odd: [], gone: [] }
  const now = await readUse(db, { inventoryIds: [inventoryId], later: '0 years', of: inventoryId })
  const before = await readUse(db, {
    inventoryIds: former.map(({ id }) => id),
    later: '1 year',
    of: inventoryId,
  })
  const { rows: sources } = await sql<{ id: string; place: string }>`
    select id::text, facility_id::text || '/' || source_type as place from emission_sources
    where inventory_id = ${inventoryId} and not closed`.execute(db)
  const here = new Map(sources.map(({ id, place }) => [place, id]))
  const today = new Date().toISOString().slice(0, 10)
  return {
    comparedWith: former.map(({ name }) => name),
    odd: findUnusual(await readWaiting(db, inventoryId), { now, before }),
    gone: findGone({ now, before }, { here, today }),
  }
}

type Asked = { inventoryIds: readonly string[]; later: string; of: string }

/** What records come to a month, each day of one with the same share; only facilities that `of` includes. */
async function readUse(db: Database, { inventoryIds, later, of }: Asked): Promise<MonthUse[]> {
  const ids = sql`any(${[...inventoryIds]}::bigint[])`
  const parts = (period: RawBuilder<unknown>) => sql`cross join lateral (
      select g::date as month, daterange(greatest(g::date, lower(p.days)), least((g + interval '1 month')::date, upper(p.days))) as days
      from (select ${period} as days) p, generate_series(date_trunc('month', lower(p.days)::timestamp),
        (upper(p.days) - 1)::timestamp, interval '1 month') g) m`
  const { rows } = await sql<MonthUse>`
    with parts as (
      select r.source_id, m.month, u.dimension, u.code, u.to_base, m.days,
        r.quantity * u.to_base * (upper(m.days) - lower(m.days)) / (r.period_end - r.period_start + 1) as amount
      from emission_sources s
      join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
      join library.units u on u.code = r.unit
      ${parts(sql`daterange(r.period_start, r.period_end, '[]')`)}
      where s.inventory_id = ${ids} and r.quantity is not null
      union all
      select t.source_id, m.month, null, '', 1, m.days, 0 from imported_totals t
      ${parts(sql`daterange(t.period_start, t.period_end, '[]')`)}
      where t.inventory_id = ${ids} and t.removed_at is null
    ), sums as (
      select source_id, month, dimension, min(code) as unit, min(to_base) filter (where code = least_code) as to_base,
        sum(amount) as amount, range_agg(days) as days
      from (select p.*, min(code) over (partition by source_id, month, dimension) as least_code from parts p) p
      group by source_id, month, dimension
    )
    select s.facility_id::text, f.name as facility_name, s.source_type, s.id::text as source_id, s.inventory_id::text,
      (c.month + ${later}::interval)::date::text as month, c.dimension, trim_scale(c.amount)::text as amount,
      (select sum(upper(d) - lower(d))::int from unnest(c.days) d) as days, c.unit, trim_scale(c.to_base)::text as to_base
    from sums c
    join emission_sources s on s.id = c.source_id
    join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
    join inventory_facilities i on i.customer_id = s.customer_id and i.inventory_id = ${of} and i.facility_id = s.facility_id
      and not i.excluded
    join carbon_inventories v on v.customer_id = s.customer_id and v.id = ${of}
    where (c.month + ${later}::interval)::date between date_trunc('month', v.period_start) and v.period_end
      and (f.closed_on is null or f.closed_on >= (c.month + ${later}::interval)::date)
    order by f.code, s.source_type, c.month, c.dimension`.execute(db)
  return rows
}

async function readWaiting(db: Database, inventoryId: string): Promise<WaitingRecord[]> {
  const { rows } = await sql<WaitingRecord>`
    select r.id::text, s.facility_id::text, s.source_type, u.dimension, u.code as unit, trim_scale(u.to_base)::text as to_base,
      r.period_start::text, r.period_end::text
    from emission_sources s
    join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
    join library.units u on u.code = r.unit
    where s.inventory_id = ${inventoryId} and r.status = 'submitted' and r.quantity is not null
    order by s.facility_id, s.id, r.period_start, r.id limit ${MOST_ROWS}`.execute(db)
  return rows
}
