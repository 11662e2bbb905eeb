import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { ActivityRecord } from '#contract/carbon/activity/activity-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { readBillWarnings } from '#server/carbon/review/bill-warnings.ts'
import { STORED_RESULTS, RESULT_FIELDS } from '#server/carbon/calculation/result-rows.ts'
import { FACILITIES_OF_SOURCES } from '#server/carbon/staleness/frozen-facilities.ts'

const digits = (column: string) => sql`trim_scale(${sql.ref(column)})::text`

/** A record with its source and facility. */
export const RECORDS = sql`activity_records r
  join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
  ${FACILITIES_OF_SOURCES}`

const result = sql`(
  select json_build_object(
    'kg', case when count(x.problem) = 0 then trim_scale(sum(x.kg) filter (where x.method is distinct from 'market'))::text end,
    'marketKg', case when count(x.problem) = 0 then trim_scale(sum(x.kg) filter (where x.method is distinct from 'location'))::text end,
    'upstreamKg', (select coalesce(trim_scale(sum(u.kg)), 0)::text from calculation_results u
      where u.customer_id = r.customer_id and u.record_id = r.id and u.part in ('upstream', 'losses', 'upstream_losses')),
    'biogenicKg', (select coalesce(trim_scale(sum(b.biogenic_kg)), 0)::text from (select ${RESULT_FIELDS} from ${STORED_RESULTS}
      where x.customer_id = r.customer_id and x.record_id = r.id and x.method is distinct from 'market') b),
    'problem', min(x.problem),
    'flags', (select coalesce(json_agg(distinct f.flag), '[]') from (select ${RESULT_FIELDS} from ${STORED_RESULTS}
      where x.customer_id = r.customer_id and x.record_id = r.id and x.part = 'main') y cross join lateral unnest(y.flags) f(flag)),
    'factorId', case when count(distinct x.factor_id) = 1 then min(x.factor_id)::text end,
    'factorName', case when count(distinct x.factor_id) = 1
      then (select l.name from library.factors l where l.id = min(x.factor_id)) end)
  from calculation_results x
  where x.customer_id = r.customer_id and x.record_id = r.id and x.record_version = r.version and x.part = 'main'
  having count(*) > 0)`

/** Records that match a condition on `r`, `s` and `f`, ordered by source and period. */
export async function readRecords(
  db: Database,
  condition: RawBuilder<SqlBool>,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<ActivityRecord[]> {
  const { rows } = await sql<Omit<ActivityRecord, 'warnings'>>`
    select r.id::text, r.version, r.source_id::text, s.facility_id::text, f.name as facility_name, s.source_type, s.name as source_name, s.label as source_label, s.scope, r.kind,
      ${digits('r.quantity')} as quantity, r.unit, r.calorific_basis, r.period_start::text, r.period_end::text,
      ${digits('r.meter_from')} as meter_from, ${digits('r.meter_to')} as meter_to, r.factor_id::text, r.quality,
      r.estimate_method, r.direct, r.price_year, ${digits('r.money_rate')} as money_rate,
      ${digits('r.money_deflator')} as money_deflator, r.reference, r.comment, ${digits('r.cost')} as cost, r.status, r.review_comment,
      (select count(*)::int from evidence_files e where e.customer_id = r.customer_id and e.record_id = r.id
        and e.removed_at is null) as evidence,
      ${instant(sql`r.created_at`)} as updated_at, r.created_by as updated_by, ${result} as result
    from ${RECORDS} where ${condition}
    order by f.code, s.source_type, s.id, r.period_start, r.id limit ${limit} offset ${offset}`.execute(db)
  if (rows.length === 0) return []
  const found = await readBillWarnings(db, sql`select unnest(${rows.map(({ id }) => id)}::bigint[])`)
  const byRecord = Map.groupBy(found, ({ recordId }) => recordId)
  return rows.map((row) => ({
    ...row,
    warnings: (byRecord.get(row.id) ?? []).map(({ field, level, message }) => ({ field, level, message })),
  }))
}
