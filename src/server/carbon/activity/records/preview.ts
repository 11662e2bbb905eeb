import { sql } from 'kysely'
import type { activities } from '#contract/carbon/activity/activity.ts'
import type { ParsedActivity } from '#contract/carbon/activity/activity-schema.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { type GasShare, splitGases } from '#contract/carbon/factors/gas-split.ts'
import { resolve } from '#contract/carbon/factors/resolve.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import type { Received, Returned } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { draftRecords, recordsOf } from '../../calculation/group-records.ts'
import { checkRow } from './check-row.ts'
import { listFactors } from '../../calculation/list-factors.ts'
import { LINE, type RawLine } from '../../results/ledger-rows.ts'
import { calculateEmissions } from '../../calculation/calculate.ts'
import { RESULT_FIELDS } from '../../calculation/result-rows.ts'
import { readContext } from './save-records.ts'

type Preview = Returned<typeof activities.preview>

/**
 * The result a row would have, calculated by the engine without saving anything.
 * @throws Failure 404 if the source isn't accessible.
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
  const context = await readContext(db, inventory, [record], { isPlaced: true })
  const { problems, normalized } = checkRow(record, {
    ...context,
    source: context.sources.get(record.sourceId),
    ownId: id,
  })
  const choice = chooseFor(
    { ...record, calorificBasis: normalized?.calorificBasis ?? record.calorificBasis },
    inventory,
    context,
  )
  const { gwpSet } = context.terms
  if (normalized === null) return { problems, result: null, lines: [], choice, gases: [], gwpSet }
  const draft = {
    id,
    version: 1,
    source_id: record.sourceId,
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
  }
  const results = await calculateEmissions(db, {
    inventoryId: inventory.id,
    sourceIds: [record.sourceId],
    records: draftRecords([draft]),
    // Certificates cover the consumption including this record, instead of its saved version.
    currentRecords: (
      sourceIds,
    ) => sql`select * from (${recordsOf(sourceIds)}) saved where saved.id <> ${draft.id}
      union all select * from (${draftRecords([draft])}) drafted where drafted.source_id = any(${[...sourceIds]}::bigint[])`,
    assignLineIds: (lines) => Promise.resolve(lines.map((_line, at) => String(at))),
  })
  const { rows: lines } = await sql<Line>`
    with ${results.parts}
    select ${LINE}, c.formula, trim_scale(c.amount)::text as amount from (
      select row_number() over (order by x.month, x.part, x.method) as id, ${RESULT_FIELDS}, ${normalized.unit}::text as record_unit
      from (select found.*, null::numeric as biogenic_kg, null::numeric as other_kg, null as conversion, null as formula
        from (${results.rows}) found) x join new_lines w on w.id = x.line_id) c
    join emission_sources s on s.id = c.source_id join facilities f on f.id = s.facility_id
    left join library.factors l on l.id = c.factor_id order by c.id`.execute(db)
  return {
    problems,
    result: sumOf(lines),
    lines: lines.map(({ amount: _amount, ...line }) => line),
    choice,
    gases: splitRecord(lines, record, context),
    gwpSet,
  }
}

type Line = RawLine & { formula: string | null; amount: string | null }
type Context = Awaited<ReturnType<typeof readContext>>

/** Null for measured emissions, which have no factor. */
function chooseFor(
  record: ParsedActivity,
  inventory: { id: string; periodStart: string },
  { sources, reference, terms }: Context,
): Preview['choice'] {
  const source = sources.get(record.sourceId)
  if (source === undefined || record.kind === 'direct') return null
  const typed = record.unit === null || record.unit === '' ? source.unit : record.unit
  const read = readUnit(reference.units, typed)
  const known = 'problem' in read ? null : read
  const key = {
    key: '',
    inventoryId: inventory.id,
    activity: source.activity,
    scope: source.scope,
    region: source.region,
    unit: known?.unit.code ?? null,
    basis: known?.basis ?? record.calorificBasis,
    manualFactorId: null,
    priceYear: record.priceYear,
    moneyRate: record.moneyRate,
    moneyDeflator: record.moneyDeflator,
    direct: null,
    day: record.periodStart < inventory.periodStart ? inventory.periodStart : record.periodStart,
    purchaseOf: null,
  }
  const chosen = { rowFactorId: record.factorId, sourceFactorId: source.factorId }
  return listFactors(key, chosen, { terms, reference })
}

/** Emissions by gas, with biogenic CO2 that is listed separately; electricity location-based. */
function splitRecord(
  lines: readonly Line[],
  { kind, direct }: ParsedActivity,
  { reference, terms }: Context,
): GasShare[] {
  const measured = kind === 'direct' ? { gases: direct ?? [] } : undefined
  const counted = lines.filter(
    ({ part, method, kg }) => (part === 'main' || part === 'outside') && method !== 'market' && kg !== null,
  )
  return splitGases(
    counted.flatMap(({ factorId, amount }) => {
      const factor = measured ?? (factorId === null ? undefined : reference.byId(factorId))
      if (factor === undefined || amount === null) return []
      return [{ perUnit: resolve(factor, terms.gwpSet, reference.gwps), amount }]
    }),
  )
}

/** The result as the grid shows it once the record is saved. */
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
