import { sql, type RawBuilder } from 'kysely'
import { Figure } from '#contract/carbon/factors/figure.ts'
import type { GwpSet } from '#contract/carbon/factors/resolve.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readFactors } from '#server/carbon/factors/factor-rows.ts'
import { importedShares } from '#server/carbon/calculation/imported-shares.ts'
import { perUnit } from '#server/carbon/calculation/per-unit.ts'
import { STORED_RESULTS, RESULT_FIELDS } from '#server/carbon/calculation/result-rows.ts'
import { readGwps } from '#server/carbon/factors/measures.ts'
import type { Side } from './bridge.ts'
import type { UnmatchedMonth } from './comparable-months.ts'

/** A cell of a comparison: a source at a facility, for one part and scope. */
export type ComparedCell = Readonly<{
  key: string
  facilityId: string
  /** Of a frozen inventory as it was approved. */
  facilityName: string
  sourceType: string
  /** Of a custom source, as this inventory has it; null for a standard one. */
  sourceName: string | null
  part: string
  scope: string
  missing: number
  /** Of the data points that both inventories have. */
  side: Side
  /** kg of the data points that the other inventory doesn't have. */
  unmatched: Figure
}>

type Row = {
  facilityId: string
  /** Of a frozen inventory as it was approved. */
  facilityName: string
  sourceType: string
  /** Of a custom source, as this inventory has it; null for a standard one. */
  sourceName: string | null
  part: string
  scope: string
  factorId: string | null
  isMeasured: boolean
  /** Partly covered by certificates, so `kg` doesn't follow from the factor alone. */
  hasCertificates: boolean
  /** Of months without a counterpart in the other inventory. */
  isUnmatched: boolean
  quantityDimension: string | null
  amountDimension: string | null
  kg: string
  imported: string
  missing: number
  full: string
  counted: string
  amount: string
}
type ComparisonQuery = {
  inventoryId: string
  method: 'location' | 'market'
  gwpSet: GwpSet
  /** Which values of the set (`library.gwp_editions`). */
  gwpEdition: number
  otherGwpSet: GwpSet
  otherGwpEdition: number
  unmatched: readonly UnmatchedMonth[]
}

/** The emissions of each source of an inventory, with what is needed to explain the difference from another inventory. */
export async function readSides(db: Database, query: ComparisonQuery): Promise<Map<string, ComparedCell>> {
  const rows = [...(await readResults(db, query)), ...(await readImported(db, query))]
  const ratios = await readRatios(db, rows, query)
  const cells = new Map<string, ComparedCell>()
  for (const row of rows) {
    const key = [row.facilityId, row.sourceType, row.part, row.scope].join('/')
    const ratio = row.hasCertificates ? undefined : ratios.get(row.factorId ?? '')
    cells.set(key, addRow(cells.get(key), { ...row, key, ratio }))
  }
  return cells
}

const EMPTY: Side = {
  kg: new Figure(0),
  imported: new Figure(0),
  isMeasured: false,
  quantities: new Map(),
  amounts: new Map(),
  withOtherGwp: new Figure(0),
}

function addRow(
  cell: ComparedCell | undefined,
  { key, ratio, ...row }: Row & { key: string; ratio: Figure | undefined },
): ComparedCell {
  const place = {
    key,
    facilityId: row.facilityId,
    facilityName: row.facilityName,
    sourceType: row.sourceType,
    sourceName: cell?.sourceName ?? row.sourceName,
  }
  const known = { ...place, part: row.part, scope: row.scope, missing: (cell?.missing ?? 0) + row.missing }
  const [before, unmatched] = [cell?.side ?? EMPTY, cell?.unmatched ?? EMPTY.kg]
  if (row.isUnmatched) return { ...known, side: before, unmatched: unmatched.plus(row.kg) }
  const quantities = new Map(before.quantities)
  const amounts = new Map(before.amounts)
  const { quantityDimension, amountDimension } = row
  if (quantityDimension !== null && !row.isMeasured) {
    const { full, counted } = quantities.get(quantityDimension) ?? { full: EMPTY.kg, counted: EMPTY.kg }
    quantities.set(quantityDimension, { full: full.plus(row.full), counted: counted.plus(row.counted) })
  }
  if (amountDimension !== null && !row.hasCertificates)
    amounts.set(amountDimension, (amounts.get(amountDimension) ?? EMPTY.kg).plus(row.amount))
  const kg = new Figure(row.kg)
  return {
    ...known,
    unmatched,
    side: {
      kg: before.kg.plus(kg),
      imported: before.imported.plus(row.imported),
      isMeasured: before.isMeasured || row.isMeasured,
      quantities,
      amounts,
      withOtherGwp: before.withOtherGwp.plus(ratio === undefined ? kg : kg.times(ratio)),
    },
  }
}

const isUnmatched = (
  { unmatched }: Pick<ComparisonQuery, 'unmatched'>,
  of: RawBuilder<unknown>,
) => sql`exists (
  select from jsonb_to_recordset(${JSON.stringify(unmatched)}::jsonb) as n("facilityId" bigint, "sourceType" text, month date)
  where (n."facilityId", n."sourceType", n.month) = (${of}))`

/** The name of the facility `f`: in a frozen inventory the one that it had when it was approved. */
const nameOf = (inventoryId: string) => sql`coalesce((select n.name from inventory_facility_snapshots n
  where n.inventory_id = ${inventoryId} and n.facility_id = f.id), f.name)`

async function readResults(
  db: Database,
  { inventoryId, method, unmatched }: ComparisonQuery,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with sums as (
      select c.facility_id, s.source_type, c.part, c.scope, c.factor_id, r.unit, coalesce(r.kind = 'direct', false) as is_measured,
        min(s.name) as source_name, 'certificates' = any(c.flags) as has_certificates,
        ${isUnmatched({ unmatched }, sql`c.facility_id, s.source_type, c.month`)} as is_unmatched, coalesce(sum(c.kg), 0) as kg,
        count(*) filter (where c.kg is null)::int as missing,
        coalesce(sum(c.quantity) filter (where c.kg is not null), 0) as quantity,
        coalesce(sum(c.quantity * c.inclusion * 0.01) filter (where c.kg is not null), 0) as counted,
        coalesce(sum(c.amount) filter (where c.kg is not null), 0) as amount
      from (select x.customer_id, x.record_version, ${RESULT_FIELDS} from ${STORED_RESULTS} where x.inventory_id = ${inventoryId}
        and (x.method is null or x.method = ${method})) c
      join emission_sources s on s.customer_id = c.customer_id and s.id = c.source_id
      left join activity_records r on r.customer_id = c.customer_id and r.id = c.record_id and r.version = c.record_version
      group by c.facility_id, s.source_type, c.part, c.scope, c.factor_id, r.unit, is_measured, has_certificates, is_unmatched
    )
    select t.facility_id::text, ${nameOf(inventoryId)} as facility_name, t.source_type, t.source_name, t.part, t.scope, t.factor_id::text, t.is_measured,
      t.has_certificates, t.is_unmatched, u.dimension as quantity_dimension, a.dimension as amount_dimension, trim_scale(t.kg)::text as kg,
      '0' as imported, t.missing, trim_scale(t.quantity * coalesce(u.to_base, 1))::text as full,
      trim_scale(t.counted * coalesce(u.to_base, 1))::text as counted, trim_scale(t.amount * coalesce(a.to_base, 1))::text as amount
    from sums t
    join facilities f on f.id = t.facility_id
    left join library.units u on u.code = t.unit
    left join library.factors l on l.id = t.factor_id
    left join library.units a on a.code = l.unit`.execute(db)
  return rows
}

async function readImported(
  db: Database,
  { inventoryId, method, unmatched }: ComparisonQuery,
): Promise<Row[]> {
  const kg = sql.ref(method === 'market' ? 'x.market_kg' : 'x.kg')
  const { rows } = await sql<Row>`
    select x.facility_id::text, ${nameOf(inventoryId)} as facility_name, x.source_type, min(x.source_name) as source_name, 'main' as part, x.scope, null as factor_id,
      false as is_measured, false as has_certificates,
      ${isUnmatched({ unmatched }, sql`x.facility_id, x.source_type, x.month`)} as is_unmatched, null as quantity_dimension, null as amount_dimension,
      trim_scale(sum(${kg}))::text as kg, trim_scale(sum(${kg}))::text as imported, 0 as missing, '0' as full, '0' as counted,
      '0' as amount
    from (${importedShares(sql`t.inventory_id = ${inventoryId}`)}) x join facilities f on f.id = x.facility_id
    group by x.facility_id, f.id, f.name, x.source_type, x.scope, is_unmatched`.execute(db)
  return rows
}

/** The ratio of each factor between the GWPs of two inventories; empty if both use the same ones. */
async function readRatios(
  db: Database,
  rows: readonly Row[],
  { gwpSet, gwpEdition, otherGwpSet, otherGwpEdition }: ComparisonQuery,
): Promise<Map<string, Figure>> {
  const ids = [...new Set(rows.flatMap(({ factorId }) => (factorId === null ? [] : [factorId])))]
  const isSame = gwpSet === otherGwpSet && gwpEdition === otherGwpEdition
  if (isSame || ids.length === 0) return new Map()
  const [gwps, otherGwps] = [await readGwps(db, gwpEdition), await readGwps(db, otherGwpEdition)]
  const factors = await readFactors(db, sql`f.id = any(${ids}::bigint[])`, { limit: ids.length })
  return new Map(
    factors.flatMap((factor) => {
      const own = perUnit(factor, gwpSet, gwps).co2e
      const other = perUnit(factor, otherGwpSet, otherGwps).co2e
      if (own === null || other === null) return []
      return new Figure(own).isZero() ? [] : [[factor.id, new Figure(other).div(own)] as const]
    }),
  )
}
