import { sql, type RawBuilder } from 'kysely'
import type { CellProblem } from '#contract/carbon/activity/activity-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { overlapSentence, sameBillSentence } from './overlap-sentences.ts'
import { plausibilityOf } from './plausibility.ts'

/** A warning about a saved record, by its kind. */
export type BillWarning = CellProblem & { recordId: string; kind: 'overlap' | 'implausible' }

type Row = {
  recordId: string
  dimension: string | null
  perDay: string | null
  /** A record of the same source with shared days. */
  overlapStart: string | null
  overlapEnd: string | null
  overlapQuantity: string | null
  overlapUnit: string | null
  /** It has the same period and, in another unit, the same quantity. */
  isSameBill: boolean
}

/**
 * The warnings about saved records that don't depend on who looks at them: shared days with another record of the source,
 * the same bill in two units, and quantities that no site uses. They are derived from the records, so that they last until
 * the cause is gone.
 * @param ids a query or list of record IDs.
 */
export async function readBillWarnings(db: Database, ids: RawBuilder<unknown>): Promise<BillWarning[]> {
  const { rows } = await sql<Row>`${warningsOf(ids)}`.execute(db)
  return rows.flatMap((row) => {
    const { recordId, overlapStart, overlapEnd, overlapQuantity, overlapUnit, dimension, perDay } = row
    const unlikely = perDay === null ? null : plausibilityOf(dimension ?? '', Number(perDay))
    const isOverlapping = overlapStart !== null && overlapEnd !== null
    return [
      ...(isOverlapping
        ? [
            {
              recordId,
              kind: 'overlap' as const,
              field: 'periodStart',
              level: 'warning' as const,
              message: row.isSameBill
                ? sameBillSentence({ quantity: overlapQuantity ?? '', unit: overlapUnit ?? '' })
                : overlapSentence({ periodStart: overlapStart, periodEnd: overlapEnd }),
            },
          ]
        : []),
      ...(unlikely === null
        ? []
        : [
            {
              recordId,
              kind: 'implausible' as const,
              field: 'quantity',
              level: 'warning' as const,
              message: unlikely,
            },
          ]),
    ]
  })
}

/**
 * Records are compared in the order of their first day: a record shares days with an earlier one if the latest end before it
 * reaches its start, and with a later one if the next start isn't after its end. Deliveries and trips of a single day don't
 * overlap each other, but what a meter measured does, and amounts of money are invoices, not periods of use.
 */
const warningsOf = (ids: RawBuilder<unknown>) => sql`
  with chosen as materialized (
    select r.customer_id, r.id, r.source_id, r.period_start, r.period_end from activity_records r
    where r.id in (${ids}) and r.replaced_at is null
  ),
  near as (
    select r.id, r.source_id, r.period_start, r.period_end, r.period_end > r.period_start or coalesce(u.dimension = 'energy', false) as is_long
    from (select customer_id, source_id, min(period_start) as first, max(period_end) as last from chosen group by 1, 2) w
    join activity_records r on r.customer_id = w.customer_id and r.source_id = w.source_id and r.replaced_at is null
      and r.period_start <= w.last and r.period_end >= w.first
    left join library.units u on u.code = r.unit
    where r.kind <> 'estimate' and u.dimension is distinct from 'money' and coalesce(r.quantity, 0) >= 0
  ),
  ordered as (
    select n.*, max(end_key) over earlier as end_before, max(end_key) filter (where is_long) over earlier as long_end_before,
      min(start_key) over later as start_after, min(start_key) filter (where is_long) over later as long_start_after
    from (select near.*, period_end::text || ' ' || id as end_key, period_start::text || ' ' || id as start_key from near) n
    window earlier as (partition by source_id order by period_start, id rows between unbounded preceding and 1 preceding),
      later as (partition by source_id order by period_start, id rows between 1 following and unbounded following)
  ),
  found as (
    select o.id, split_part(case
        when left(e.before, 10) >= o.period_start::text then e.before
        when left(e.after, 10) <= o.period_end::text then e.after end, ' ', 2)::bigint as other_id
    from ordered o cross join lateral (select case when o.is_long then o.end_before else o.long_end_before end as before,
      case when o.is_long then o.start_after else o.long_start_after end as after) e
    where left(e.before, 10) >= o.period_start::text or left(e.after, 10) <= o.period_end::text
  )
  select r.id::text as record_id, u.dimension, trim_scale(abs(r.quantity) * u.to_base / (r.period_end - r.period_start + 1))::text as per_day,
    o.period_start::text as overlap_start, o.period_end::text as overlap_end, trim_scale(o.quantity)::text as overlap_quantity,
    o.unit as overlap_unit, coalesce(o.unit <> r.unit and v.dimension = u.dimension and o.period_start = r.period_start
      and o.period_end = r.period_end
      and abs(o.quantity * v.to_base - r.quantity * u.to_base) <= 0.005 * r.quantity * u.to_base, false) as is_same_bill
  from chosen c join activity_records r on r.customer_id = c.customer_id and r.id = c.id and r.replaced_at is null
  left join found f on f.id = r.id
  left join activity_records o on o.customer_id = r.customer_id and o.id = f.other_id and o.replaced_at is null
  left join library.units u on u.code = r.unit left join library.units v on v.code = o.unit
  order by r.id`
