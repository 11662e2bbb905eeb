import { sql } from 'kysely'
import { Figure, plain, showFigure } from '#contract/carbon/factors/figure.ts'
import type { ChangeEffect } from '#contract/carbon/factors/change-effect.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { unconfirmed } from '#server/http/failure.ts'
import { calculateEmissions, type CalculationRequest } from './calculate.ts'
import { recordsOf } from './group-records.ts'

/** A record with its result as stored and as it is calculated now. */
export type ChangedRecord = ChangeEffect['records'][number]

/** The most records in the list. */
const MOST_LISTED = 100

/**
 * The records of some sources whose stored result differs from what is calculated now: after a change that this transaction made,
 * or with a factor that isn't saved. Saves nothing.
 */
export async function findChangedRecords(
  db: Database,
  request: Pick<CalculationRequest, 'inventoryId' | 'sourceIds' | 'withFactor'>,
): Promise<ChangedRecord[]> {
  const { sourceIds } = request
  const results = await calculateEmissions(db, {
    ...request,
    records: recordsOf(sourceIds),
    assignLineIds: (lines) => Promise.resolve(lines.map((_line, at) => String(at))),
  })
  const { rows } = await sql<ChangedRecord>`
    with ${results.parts},
    calculated as (
      select x.record_id, case when count(x.problem) = 0 then sum(x.kg) end as kg from (${results.rows}) x
      where x.part = 'main' and x.method is distinct from 'market' group by x.record_id),
    as_stored as (
      select x.record_id, case when count(x.problem) = 0 then sum(x.kg) end as kg from calculation_results x
      where x.source_id = any(${[...sourceIds]}::bigint[]) and x.part = 'main' and x.method is distinct from 'market'
      group by x.record_id)
    select r.id::text as record_id, i.id::text as inventory_id, i.name as inventory_name, i.status, f.name as facility_name,
      s.source_type, s.name as source_name, s.label as source_label, r.period_start::text, r.period_end::text,
      trim_scale(r.quantity)::text as quantity, r.unit, trim_scale(b.kg)::text as kg, trim_scale(a.kg)::text as kg_after
    -- What isn't calculated anymore has no result.
    from calculated a full join as_stored b on b.record_id = a.record_id
    join activity_records r on r.id = coalesce(a.record_id, b.record_id) and r.replaced_at is null
    join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id
    where a.kg is distinct from b.kg order by f.code, s.source_type, r.period_start, r.id`.execute(db)
  return rows
}

/** How many records change, the first of them, and their totals before and after. */
export function effectOf(changed: readonly ChangedRecord[]): ChangeEffect {
  const sum = (of: (one: ChangedRecord) => string | null) =>
    plain(changed.reduce((total, one) => total.plus(of(one) ?? 0), new Figure(0)))
  return {
    affected: changed.length,
    records: changed.slice(0, MOST_LISTED),
    before: sum(({ kg }) => kg),
    after: sum(({ kgAfter }) => kgAfter),
  }
}

/**
 * An act that changes results is confirmed with the number of records that the caller has seen.
 * @param act what changes them: "Adding this factor".
 * @throws Failure 409 with the effect as its preview
 */
export function requireConfirmed(act: string, effect: ChangeEffect, confirmed: number): void {
  const { affected, before, after } = effect
  if (affected === 0 || affected === confirmed) return
  const records = affected === 1 ? '1 record' : `${affected.toLocaleString('en')} records`
  throw unconfirmed(
    `${act} changes ${records}: ${showFigure(before)} kg CO2e becomes ${showFigure(after)} kg CO2e. Check ${affected === 1 ? 'it' : 'them'} and confirm.`,
    effect,
  )
}
