import { sql } from 'kysely'
import { MIN_USUAL_MONTHS, UNUSUAL_FACTOR } from '#contract/carbon/review/unusual.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { SubmittedRecords } from './compare-months.ts'

/** What quantities are compared by: the dimension of the unit `u`, or for money the currency. */
export const measureOf = sql<string>`case when u.dimension = 'money' then u.code else u.dimension end`

/** Records in review, grouped by source, unit and months. */
export async function readSubmitted(db: Database, inventoryId: string): Promise<SubmittedRecords[]> {
  const { rows } = await sql<SubmittedRecords>`
    select w.facility_id::text, w.source_type, w.dimension, w.unit, trim_scale(w.to_base)::text as to_base, w.first::text,
      w.last::text, array_agg(w.id::text order by w.id) as ids
    from (
      select s.facility_id, s.source_type, s.id as source_id, ${measureOf} as dimension, u.code as unit, u.to_base, r.id,
        date_trunc('month', r.period_start::timestamp)::date as first, date_trunc('month', r.period_end::timestamp)::date as last
      from emission_sources s
      join activity_records r on r.customer_id = s.customer_id and r.source_id = s.id and r.replaced_at is null
      join library.units u on u.code = r.unit
      where s.inventory_id = ${inventoryId} and r.status = 'submitted' and r.quantity is not null
    ) w
    group by w.facility_id, w.source_type, w.source_id, w.dimension, w.unit, w.to_base, w.first, w.last
    order by w.facility_id, w.source_id, w.first, w.last, w.unit`.execute(db)
  return rows
}

/** A record in review that is far from the others of its source. */
type Outlier = {
  recordId: string
  /** Ratio of its daily quantity to the usual one of its source. */
  times: string
  unit: string
  /** The unit that most records of the source use. */
  usualUnit: string
  /** The ratio if the quantity were in that unit. */
  timesInUsual: string
}

/**
 * Records in review with at least three times the usual daily quantity of their source, or at most a third. The usual
 * quantity is the median. Records are compared in the base unit, so that a wrong unit is noticed.
 */
export async function findOutliers(
  db: Database,
  bills: readonly SubmittedRecords[],
): Promise<{ recordId: string; sentence: string }[]> {
  const ids = bills.flatMap((one) => one.ids)
  if (ids.length === 0) return []
  const { rows } = await sql<Outlier>`
    with waiting as materialized (
      select r.customer_id, r.id, r.source_id from activity_records r where r.id = any(${ids}::bigint[]) and r.replaced_at is null
    ),
    daily as materialized (
      select r.id, r.source_id, ${measureOf} as measure, u.code as unit, u.to_base,
        r.quantity * u.to_base / (r.period_end - r.period_start + 1) as per_day
      from (select distinct customer_id, source_id from waiting) w
      join activity_records r on r.customer_id = w.customer_id and r.source_id = w.source_id and r.replaced_at is null
      join library.units u on u.code = r.unit
      where r.quantity is not null
    ),
    usual as (
      select source_id, measure, percentile_cont(0.5) within group (order by per_day)::numeric as per_day,
        mode() within group (order by unit) as unit
      from daily group by source_id, measure having count(*) >= ${MIN_USUAL_MONTHS}
    )
    select * from (
      select d.id::text as record_id, d.unit, g.unit as usual_unit, round(d.per_day / g.per_day, 6)::text as times,
        round(d.per_day / d.to_base * b.to_base / g.per_day, 6)::text as times_in_usual
      from waiting w
      join daily d on d.id = w.id
      join usual g on g.source_id = d.source_id and g.measure = d.measure and g.per_day > 0
      join library.units b on b.code = g.unit
    ) f
    where f.times::numeric >= ${UNUSUAL_FACTOR} or f.times::numeric * ${UNUSUAL_FACTOR} <= 1
    order by f.record_id::bigint`.execute(db)
  return rows.map((outlier) => ({ recordId: outlier.recordId, sentence: describeOutlier(outlier) }))
}

function describeOutlier({ times, unit, usualUnit, timesInUsual }: Outlier): string {
  const sentence = `${describeTimes(Number(times))} daily quantity of this source.`
  const isUsual = Number(timesInUsual) < UNUSUAL_FACTOR && Number(timesInUsual) * UNUSUAL_FACTOR > 1
  if (unit === usualUnit || !isUsual) return sentence
  return `${sentence} Other records are in ${usualUnit}. Is ${unit} the right unit?`
}

const describeTimes = (times: number): string =>
  times >= 1 ? `${times.toFixed(1)} times the usual` : `${(times * 100).toFixed(0)}% of the usual`
