import { sql } from 'kysely'
import type { dashboard } from '#contract/home/dashboard.ts'
import { listUrl } from '#server/lists/list-url.ts'
import { STOCK_RULES, type StockRule } from '#contract/vehicles/vehicles/stock-rules.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { tenantToday } from '#server/database/tenant-today.ts'
import type { Handlers } from '#server/http/serve.ts'
import { ruleOf } from '#server/lists/rule-of.ts'
import { vehicleSource } from '#server/vehicles/index.ts'

type Row = Record<StockRule | 'incoming' | 'preparing' | 'hold' | 'pending', number> & {
  /** Null in the total row. */
  id: string | null
  name: string | null
  ages: [number, number, number, number]
  medianDays: number | null
}

const days = sql`${tenantToday} - v.waits_since`

/**
 * Inventory figures within reach, in one pass. Each is counted by the rule of the list that it opens. Days in stock count as in
 * the vehicle list: in the current organization's time zone, from the arrival date.
 */
export const countStock: Handlers<typeof dashboard>['stock'] = async ({ db, actor }) => {
  const is = (rule: StockRule) => ruleOf(vehicleSource, actor, STOCK_RULES[rule]).isMatch
  const { rows } = await sql<Row>`
    with counted as (
      select v.lot_id,
        count(*)::int as "inStock",
        (count(*) filter (where ${is('live')}))::int as live,
        (count(*) filter (where ${is('published')}))::int as published,
        (count(*) filter (where ${is('hidden')}))::int as hidden,
        (count(*) filter (where ${is('notForSale')}))::int as "notForSale",
        (count(*) filter (where v.status = 'incoming'))::int as incoming,
        (count(*) filter (where v.status = 'preparing'))::int as preparing,
        (count(*) filter (where v.status = 'hold'))::int as hold,
        (count(*) filter (where v.status = 'pending'))::int as pending,
        (count(*) filter (where ${is('dated')}))::int as dated,
        (count(*) filter (where ${is('over90')}))::int as over90,
        array[
          count(*) filter (where ${days} <= 30),
          count(*) filter (where ${days} between 31 and 60),
          count(*) filter (where ${days} between 61 and 90),
          count(*) filter (where ${days} > 90)]::int[] as ages,
        percentile_disc(0.5) within group (order by greatest(0, ${days}))
          filter (where v.waits_since is not null) as "medianDays"
      from vehicles v where ${vehicleSource.within(actor)} and ${is('inStock')}
      group by grouping sets ((v.lot_id), ()))
    select l.id::text as id, l.name, counted.* from counted
    left join lots l on l.customer_id = ${actor.customerId} and l.id = counted.lot_id
    order by counted.lot_id is null, counted."inStock" desc, l.name, l.id`.execute(db)
  const total = rows.at(-1)
  if (total === undefined) throw new Error('The total row is missing.')
  const { incoming, preparing, hold, pending, medianDays } = total
  const of = (rule: StockRule, more?: Readonly<Record<string, string>>) => ({
    count: total[rule],
    url: listUrl(VEHICLE_LIST, STOCK_RULES[rule], more),
  })
  return {
    inStock: of('inStock'),
    live: of('live'),
    published: of('published'),
    hidden: of('hidden'),
    notForSale: { ...of('notForSale'), incoming, preparing, hold },
    pending,
    medianDays,
    dated: of('dated', { sort: '-daysInStock' }),
    over90: of('over90', { sort: '-daysInStock' }),
    lots: rows.flatMap(({ id, name, inStock: count, ages }) =>
      id === null || name === null ? [] : [{ id, name, inStock: count, ages }],
    ),
  }
}
