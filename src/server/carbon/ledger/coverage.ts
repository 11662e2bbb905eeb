import { sql } from 'kysely'
import type { Totals } from '#contract/carbon/ledger-fields.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type Coverage = Totals['coverage']
/** The most gaps that are named. */
const MOST_NAMED = 500

/**
 * How much of what is expected is there. A source expects a data point for each month, quarter or year that its facility
 * was open; it is there where records that are no estimates and have a result cover each of its days.
 */
export async function readCoverage(db: Database, inventoryId: string): Promise<Coverage> {
  const { rows } = await sql<{ expected: number; there: number; missing: Coverage['missing'] }>`
    with slots as (
      select s.customer_id, s.id, s.source_type, f.name, f.code, greatest(p.first::date, i.period_start, coalesce(f.opened_on, i.period_start)) as first,
        least((p.first + v.step - interval '1 day')::date, i.period_end, coalesce(f.closed_on, i.period_end)) as last
      from emission_sources s
      join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
      join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
      join inventory_facilities d on d.customer_id = s.customer_id and d.inventory_id = s.inventory_id
        and d.facility_id = s.facility_id and not d.excluded
      cross join lateral (select case s.frequency when 'month' then interval '1 month' when 'quarter' then interval '3 months'
        else interval '100 years' end as step) v
      cross join lateral generate_series(case when s.frequency = 'month' then date_trunc('month', i.period_start::timestamp)
        else i.period_start::timestamp end, i.period_end::timestamp, v.step) p(first)
      where s.inventory_id = ${inventoryId} and not s.closed
    ),
    points as (
      select slots.*, coalesce((
        select range_agg(daterange(r.period_start, r.period_end, '[]')) @> daterange(slots.first, slots.last, '[]')
        from activity_records r
        where r.customer_id = slots.customer_id and r.source_id = slots.id and r.replaced_at is null and r.kind <> 'estimate'
          and r.period_start <= slots.last and r.period_end >= slots.first
          and not exists (select from calculation_results c where c.customer_id = r.customer_id and c.record_id = r.id
            and c.part = 'main' and c.kg is null)), false) as is_there
      from slots where slots.first <= slots.last
    )
    select count(*)::int as expected, count(*) filter (where is_there)::int as there, coalesce((
      select json_agg(json_build_object('sourceId', g.id::text, 'sourceType', g.source_type, 'facilityName', g.name,
        'from', g.first, 'to', g.last)) from (select * from points where not is_there order by code, source_type, first
          limit ${MOST_NAMED}) g), '[]') as missing
    from points`.execute(db)
  const { expected, there, missing } = rows[0] ?? { expected: 0, there: 0, missing: [] }
  const sentence = `${there} of ${expected} expected data points`
  return { expected, there, sentence, missing }
}
