import { type RawBuilder, sql } from 'kysely'
import { VISIT_DAYS, type Visits } from '#contract/marketing/visits.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * What was counted on each of the last 30 days of the customer's time zone, and in all of them.
 * @param counted selects `day`, `kind` and `count`
 */
export async function readDays(
  db: Database,
  counted: RawBuilder<unknown>,
): Promise<Pick<Visits, 'days' | 'total'>> {
  const { rows: days } = await sql<Visits['days'][number]>`
    with ends as (select today(time_zone) as today from customers
      where id = nullif(current_setting('app.customer_id', true), '')::bigint)
    select to_char(d, 'YYYY-MM-DD') as day,
      coalesce(sum(k.count) filter (where k.kind = 'person'), 0)::int as people,
      coalesce(sum(k.count) filter (where k.kind = 'suspect'), 0)::int as suspects,
      coalesce(sum(k.count) filter (where k.kind = 'bot'), 0)::int as bots
    from ends cross join generate_series(ends.today - ${VISIT_DAYS - 1}::int, ends.today, interval '1 day') d
      left join (${counted}) k (day, kind, count) on k.day = d::date
    group by d order by d`.execute(db)
  const sum = (kind: 'people' | 'suspects' | 'bots') => days.reduce((total, day) => total + day[kind], 0)
  return { days, total: { people: sum('people'), suspects: sum('suspects'), bots: sum('bots') } }
}
