import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * The stored result of a record, as a query with `location` and `market` in kg CO2e; null if a month has no result.
 * @param isMainOnly without upstream emissions.
 */
export const resultOfRecord = (
  record: RawBuilder<unknown>,
  { isMainOnly = false } = {},
): RawBuilder<unknown> => sql`
  select case when count(m.problem) filter (where m.part = 'main') = 0
      then sum(m.kg) filter (where m.method is distinct from 'market') end as location,
    case when count(m.problem) filter (where m.part = 'main') = 0
      then sum(m.kg) filter (where m.method is distinct from 'location') end as market
  from calculation_results m where m.customer_id = ${record}.customer_id and m.record_id = ${record}.id
    and m.record_version = ${record}.version and ${isMainOnly ? sql`m.part = 'main'` : sql`m.part <> 'outside'`}`

/**
 * Puts approved records of some sources back into review if their result is no longer the approved one. Differences below a
 * milligram are rounding.
 */
export async function withdrawChangedApprovals(db: Database, sourceIds: readonly string[]): Promise<void> {
  const shown = (kg: RawBuilder<unknown>) =>
    sql`coalesce(trim_scale(round(${kg}, 3))::text || ' kg CO2e', 'no result')`
  await sql`update activity_records a set status = 'submitted', approved_location = null, approved_market = null,
      approved_at = null, approved_by = null, review_comment = 'The result changed from '
        || case when c.is_location then ${shown(sql`a.approved_location`)} || ' to ' || ${shown(sql`c.location`)}
          else ${shown(sql`a.approved_market`)} || ' to ' || ${shown(sql`c.market`)} || ' (market-based)' end
        || ' after approval. Review it again.'
    from (
      select r.customer_id, r.id, r.version, x.location, x.market,
        round(x.location, 6) is distinct from round(r.approved_location, 6) as is_location
      from activity_records r cross join lateral (${resultOfRecord(sql`r`)}) x
      where r.source_id = any(${[...sourceIds]}::bigint[]) and r.replaced_at is null and r.status = 'approved'
        and r.approved_at is not null and (round(x.location, 6), round(x.market, 6))
          is distinct from (round(r.approved_location, 6), round(r.approved_market, 6))
    ) c
    where a.customer_id = c.customer_id and a.id = c.id and a.version = c.version`.execute(db)
}
