import { sql } from 'kysely'
import type { dashboard } from '#contract/home/dashboard.ts'
import type { Handlers } from '#server/http/serve.ts'

type LotRow = {
  id: string
  name: string
  inStock: number
  live: number
  incoming: number
  preparing: number
  hold: number
  pending: number
  liveWithoutPrice: number
  ages: [number, number, number, number]
}

const days = sql`current_date - v.waits_since`

/**
 * The stock within reach, in one pass over it. Days count as the list of vehicles counts them: in days of UTC, from the
 * day a vehicle came in.
 */
export const countStock: Handlers<typeof dashboard>['stock'] = async ({ db, actor }) => {
  const stock = sql`vehicles v where v.customer_id = ${actor.customerId}
    and v.status in ('incoming', 'preparing', 'live', 'hold', 'pending')`
  const { rows } = await sql<LotRow>`
    with by_lot as (
      select v.lot_id,
        count(*)::int as "inStock",
        (count(*) filter (where v.status = 'live'))::int as live,
        (count(*) filter (where v.status = 'incoming'))::int as incoming,
        (count(*) filter (where v.status = 'preparing'))::int as preparing,
        (count(*) filter (where v.status = 'hold'))::int as hold,
        (count(*) filter (where v.status = 'pending'))::int as pending,
        (count(*) filter (where v.status = 'live' and v.price_cents is null))::int as "liveWithoutPrice",
        array[
          count(*) filter (where ${days} <= 30),
          count(*) filter (where ${days} between 31 and 60),
          count(*) filter (where ${days} between 61 and 90),
          count(*) filter (where ${days} > 90)]::int[] as ages
      from ${stock}
      group by v.lot_id)
    select l.id::text as id, l.name, by_lot.* from by_lot
    join lots l on l.customer_id = ${actor.customerId} and l.id = by_lot.lot_id
    order by by_lot."inStock" desc, l.name, l.id`.execute(db)
  const { rows: medians } = await sql<{ days: number | null }>`
    select percentile_disc(0.5) within group (order by greatest(0, ${days})) as days
    from ${stock} and v.waits_since is not null`.execute(db)
  const sum = (of: (row: LotRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    inStock: sum((row) => row.inStock),
    live: sum((row) => row.live),
    notLive: {
      incoming: sum((row) => row.incoming),
      preparing: sum((row) => row.preparing),
      hold: sum((row) => row.hold),
    },
    pending: sum((row) => row.pending),
    liveWithoutPrice: sum((row) => row.liveWithoutPrice),
    medianDays: medians[0]?.days ?? null,
    lots: rows.map(({ id, name, inStock, ages }) => ({ id, name, inStock, ages })),
  }
}
