import { sql } from 'kysely'
import type { activities } from '#contract/carbon/activity.ts'
import { Figure, plain } from '#contract/carbon/figure.ts'
import type { Received, Returned } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { checkRow } from './check-row.ts'
import { LINE, type RawLine } from './ledger-rows.ts'
import { reckon } from './reckon.ts'
import { draftRecords, RESULT_COLUMNS } from './result-rows.ts'
import { readContext } from './save-records.ts'

type Preview = Returned<typeof activities.preview>

/**
 * What a row would come to, by the engine itself, without a trace.
 * @throws Failure 404 where the source is out of reach.
 */
export async function previewRecord(
  db: Database,
  { id = '0', record }: Received<typeof activities.preview>,
): Promise<Preview> {
  const { rows } = await sql<{ id: string; periodStart: string; periodEnd: string; organizationId: string }>`
    select i.id::text, i.period_start::text, i.period_end::text, s.organization_id::text from emission_sources s
    join carbon_inventories i on i.customer_id = s.customer_id and i.id = s.inventory_id
    where s.id = ${record.sourceId}`.execute(db)
  const [inventory] = rows
  if (inventory === undefined) throw notFound('Source')
  const context = await readContext(db, inventory, [record])
  const { problems, kept } = checkRow(record, {
    ...context,
    source: context.sources.get(record.sourceId),
    ownId: id,
  })
  if (kept === null) return { problems, result: null, lines: [] }
  const draft = {
    id,
    version: 1,
    organization_id: inventory.organizationId,
    source_id: record.sourceId,
    kind: record.kind,
    quantity: kept.quantity,
    unit: kept.unit,
    calorific_basis: kept.calorificBasis,
    period_start: record.periodStart,
    period_end: record.periodEnd,
    factor_id: record.factorId,
    direct: record.kind === 'direct' ? record.direct : null,
    price_year: record.priceYear,
    money_rate: record.moneyRate,
    money_deflator: record.moneyDeflator,
  }
  const results = await reckon(db, {
    inventoryIds: [inventory.id],
    sourceIds: [record.sourceId],
    records: draftRecords([draft]),
  })
  const { rows: lines } = await sql<RawLine & { formula: string | null }>`
    with found(${RESULT_COLUMNS}) as (${results})
    select ${LINE}, c.formula from (select row_number() over (order by month, part, method) as id, found.*, ${kept.unit}::text as record_unit
      from found) c
    join emission_sources s on s.id = c.source_id join facilities f on f.id = s.facility_id
    left join library.factors l on l.id = c.factor_id order by c.id`.execute(db)
  return { problems, result: sumOf(lines), lines }
}

/** The record as the grid shows it once it is saved. */
function sumOf(lines: readonly RawLine[]): Preview['result'] {
  const main = lines.filter(({ part }) => part === 'main')
  if (main.length === 0) return null
  const problem = main.find((line) => line.problem !== null)?.problem ?? null
  const sum = (chosen: readonly RawLine[], of: 'kg' | 'biogenicKg' = 'kg'): string =>
    plain(chosen.reduce((total, line) => total.plus(line[of] ?? 0), new Figure(0)))
  const factors = new Map(main.map(({ factorId, factorName }) => [factorId, factorName]))
  const [only] = factors.size === 1 ? [...factors] : []
  return {
    kg: problem === null ? sum(main.filter(({ method }) => method !== 'market')) : null,
    marketKg: problem === null ? sum(main.filter(({ method }) => method !== 'location')) : null,
    upstreamKg: sum(lines.filter(({ part }) => part !== 'main' && part !== 'outside')),
    biogenicKg: sum(
      lines.filter(({ method }) => method !== 'market'),
      'biogenicKg',
    ),
    problem,
    flags: [...new Set(main.flatMap(({ flags }) => flags))].toSorted(),
    factorId: only?.[0] ?? null,
    factorName: only?.[1] ?? null,
  }
}
