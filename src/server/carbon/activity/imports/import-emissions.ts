import { sql } from 'kysely'
import type { ImportPreview } from '#contract/carbon/activity/activity-imports.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { calculateEmissions } from '../../calculation/calculate.ts'
import { draftRecords } from '../../calculation/group-records.ts'
import type { CheckedImport } from './check-import.ts'

export type ImportEmissions = Pick<ImportPreview, 'sums' | 'kg' | 'withoutResult'> & {
  /** kg CO2e by line; lines without a result are missing. */
  byKey: ReadonlyMap<string, string>
}

/** What the ready lines would emit, calculated by the engine without saving anything. */
export async function emissionsOf(
  db: Database,
  inventoryId: string,
  { lines, checked: { ready } }: CheckedImport,
): Promise<ImportEmissions> {
  const byKey = ready.length === 0 ? new Map<string, string>() : await calculate(db, inventoryId, ready)
  const sums = new Map<string, Figure>()
  for (const { state, amount } of lines)
    if (state === 'ready' && amount !== null)
      sums.set(amount.unit, (sums.get(amount.unit) ?? new Figure(0)).plus(amount.quantity))
  const all = [...byKey.values()].reduce((sum, kg) => sum.plus(kg), new Figure(0))
  return {
    byKey,
    sums: [...sums].map(([unit, sum]) => ({ unit, quantity: plain(sum) })),
    kg: byKey.size === 0 ? null : plain(all),
    withoutResult: ready.length - byKey.size,
  }
}

async function calculate(
  db: Database,
  inventoryId: string,
  ready: CheckedImport['checked']['ready'],
): Promise<Map<string, string>> {
  const drafts = ready.map(({ row: { record }, source, normalized }, at) => ({
    // None of them is saved, so their place is ID enough.
    id: String(at),
    version: 1,
    source_id: source.id,
    kind: record.kind,
    quantity: normalized.quantity,
    unit: normalized.unit,
    calorific_basis: normalized.calorificBasis,
    period_start: record.periodStart,
    period_end: record.periodEnd,
    factor_id: record.factorId,
    direct: record.kind === 'direct' ? record.direct : null,
    price_year: record.priceYear,
    money_rate: record.moneyRate,
    money_deflator: record.moneyDeflator,
  }))
  const results = await calculateEmissions(db, {
    inventoryId,
    sourceIds: [...new Set(drafts.map(({ source_id: id }) => id))],
    records: draftRecords(drafts),
    assignLineIds: (found) => Promise.resolve(found.map((_line, at) => String(at))),
  })
  const { rows } = await sql<{ at: string; kg: string | null }>`
    with ${results.parts}
    select record_id::text as at, case when count(problem) = 0 then trim_scale(sum(kg))::text end as kg
    from (${results.rows}) x where part = 'main' and method is distinct from 'market' group by record_id`.execute(
    db,
  )
  return new Map(
    rows.flatMap(({ at, kg }) => {
      const key = ready[Number(at)]?.row.key
      return key === undefined || kg === null ? [] : [[key, kg]]
    }),
  )
}
