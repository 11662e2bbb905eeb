import { sql } from 'kysely'
import { CLICK_DAYS, type ShortUrlClicks } from '#contract/marketing/short-urls/short-urls.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** The clicks of a short URL on each of the last 30 days of the customer's time zone. */
export async function readClicks(db: Database, id: string): Promise<ShortUrlClicks> {
  const { rows: days } = await sql<ShortUrlClicks['days'][number]>`
    with ends as (select today(time_zone) as today from customers
      where id = nullif(current_setting('app.customer_id', true), '')::bigint)
    select to_char(d, 'YYYY-MM-DD') as day,
      coalesce(sum(k.clicks) filter (where k.kind = 'person'), 0)::int as people,
      coalesce(sum(k.clicks) filter (where k.kind = 'suspect'), 0)::int as suspects,
      coalesce(sum(k.clicks) filter (where k.kind = 'bot'), 0)::int as bots
    from ends cross join generate_series(ends.today - ${CLICK_DAYS - 1}::int, ends.today, interval '1 day') d
      left join short_url_clicks k on k.short_url_id = ${id} and k.day = d::date
    group by d order by d`.execute(db)
  const sum = (kind: 'people' | 'suspects' | 'bots') => days.reduce((total, day) => total + day[kind], 0)
  return { total: { people: sum('people'), suspects: sum('suspects'), bots: sum('bots') }, days }
}
