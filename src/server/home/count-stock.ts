import { sql } from 'kysely'
import type { dashboard } from '#contract/home/dashboard.ts'
import { isPublished } from '#server/vehicles/index.ts'
import { tenantToday } from '#server/database/tenant-today.ts'
import type { Handlers } from '#server/http/serve.ts'

type Row = {
  /** Null in the total row. */
  id: string | null
  name: string | null
  inStock: number
  live: number
  incoming: number
  preparing: number
  hold: number
  pending: number
  liveWithoutPrice: number
  published: number
  ages: [number, number, number, number]
  medianDays: number | null
}

const days = sql`${tenantToday} - v.waits_since`

/**
 * Inventory figures within reach, in one pass. Days in stock count as in the vehicle list: in the current organization's
 * time zone, from the arrival date.
 */
export const countStock: Handlers<typeof dashboard>['stock'] = async ({ db, actor }) => {
  const stock = sql`vehicles v where v.customer_id = ${actor.customerId}
    and v.status in ('incoming', 'preparing', 'live', 'hold', 'pending')`
  const { rows } = await sql<Row>`
    with counted as (
      select v.lot_id,
        count(*)::int as "inStock",
        (count(*) filter (where v.status = 'live'))::int as live,
        (count(*) filter (where v.status = 'incoming'))::int as incoming,
        (count(*) filter (where v.status = 'preparing'))::int as preparing,
        (count(*) filter (where v.status = 'hold'))::int as hold,
        (count(*) filter (where v.status = 'pending'))::int as pending,
        (count(*) filter (where v.status = 'live' and v.price_cents is null))::int as "liveWithoutPrice",
        (count(*) filter (where ${isPublished}))::int as published,
        array[
          count(*) filter (where ${days} <= 30),
          count(*) filter (where ${days} between 31 and 60),
          count(*) filter (where ${days} between 61 and 90),
          count(*) filter (where ${days} > 90)]::int[] as ages,
        percentile_disc(0.5) within group (order by greatest(0, ${days}))
          filter (where v.waits_since is not null) as "medianDays"
      from ${stock}
      group by grouping sets ((v.lot_id), ()))
    select l.id::text as id, l.name, counted.* from counted
    left join lots l on l.customer_id = ${actor.customerId} and l.id = counted.lot_id
    order by counted.lot_id is null, counted."inStock" desc, l.name, l.id`.execute(db)
  const total = rows.at(-1)
  if (total === undefined) throw new Error('The total row is missing.')
  const { inStock, live, incoming, preparing, hold, pending, liveWithoutPrice, published, medianDays } = total
  return {
    inStock,
    live,
    notForSale: { incoming, preparing, hold },
    pending,
    liveWithoutPrice,
    published,
    medianDays,
    lots: rows.flatMap(({ id, name, inStock: count, ages }) =>
      id === null || name === null ? [] : [{ id, name, inStock: count, ages }],
    ),
  }
}
