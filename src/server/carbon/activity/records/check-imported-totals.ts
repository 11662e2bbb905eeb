import { sql } from 'kysely'
import type { CellProblem } from '#contract/carbon/activity/activity-schema.ts'
import type { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import type { Received } from '#contract/endpoint.ts'
import type { FindDefaults } from '#server/carbon/inventories/source-defaults.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type Row = Received<typeof importedTotals.add>['rows'][number]
type Inventory = { id: string; periodStart: string; periodEnd: string }
type Days = { facilityId: string; sourceType: string; periodStart: string; periodEnd: string }

const error = (field: string, message: string): CellProblem => ({ field, level: 'error', message })
const warning = (field: string, message: string): CellProblem => ({ field, level: 'warning', message })

/** The problems of each row of an import, in the order of the rows. Rows with errors are not imported; warnings are fine. */
export async function checkImportedTotals(
  db: Database,
  inventory: Inventory,
  { rows, findDefaults }: { rows: readonly Row[]; findDefaults: FindDefaults },
): Promise<CellProblem[][]> {
  const { rows: included } = await sql<{
    id: string
  }>`select facility_id::text as id from inventory_facilities
    where inventory_id = ${inventory.id} and not excluded`.execute(db)
  const known = new Set(included.map(({ id }) => id))
  const { rows: imported } = await sql<Days>`
    select s.facility_id::text, s.source_type, t.period_start::text, t.period_end::text from imported_totals t
    join emission_sources s on s.customer_id = t.customer_id and s.id = t.source_id
    where t.inventory_id = ${inventory.id} and t.removed_at is null`.execute(db)
  const recorded = await readRecorded(db, inventory.id)
  const taken: Days[] = [...imported]
  return rows.map((row) => {
    const problems = [
      ...placeProblems(row, known, findDefaults),
      ...periodProblems(row, inventory),
      ...(taken.some((one) => isSamePlace(one, row) && overlaps(one, row))
        ? [error('periodStart', 'These days already have an imported total. Remove that import first.')]
        : []),
      ...recordProblems(
        row,
        recorded.filter((one) => isSamePlace(one, row) && overlaps(one, row)),
      ),
    ]
    if (problems.every(({ level }) => level === 'warning')) taken.push(row)
    return problems
  })
}

const isSamePlace = (one: Days, row: Row): boolean =>
  one.facilityId === row.facilityId && one.sourceType === row.sourceType
const overlaps = (one: Days, row: Row): boolean =>
  one.periodStart <= row.periodEnd && one.periodEnd >= row.periodStart

/** The days that have records, as merged spans per source. */
async function readRecorded(db: Database, inventoryId: string): Promise<Days[]> {
  const { rows } = await sql<Days>`
    select s.facility_id::text, s.source_type, lower(d)::text as period_start, (upper(d) - 1)::text as period_end
    from (select r.customer_id, r.source_id, range_agg(daterange(r.period_start, r.period_end, '[]')) as days
      from activity_records r join emission_sources x on x.customer_id = r.customer_id and x.id = r.source_id
      where x.inventory_id = ${inventoryId} and r.replaced_at is null group by r.customer_id, r.source_id) g
    join emission_sources s on s.customer_id = g.customer_id and s.id = g.source_id
    cross join lateral unnest(g.days) d`.execute(db)
  return rows
}

function placeProblems(
  { facilityId, sourceType, marketTonnes }: Row,
  known: ReadonlySet<string>,
  findDefaults: FindDefaults,
): CellProblem[] {
  const type = findDefaults(sourceType, null)
  return [
    ...(known.has(facilityId) ? [] : [error('facilityId', "This facility isn't in the inventory.")]),
    ...(type === undefined ? [error('sourceType', 'Unknown source type.')] : []),
    ...(type !== undefined && type.scope !== '2' && marketTonnes !== null
      ? [error('marketTonnes', 'Only scope 2 sources can have a market-based total.')]
      : []),
  ]
}

function periodProblems({ periodStart, periodEnd }: Row, inventory: Inventory): CellProblem[] {
  if (periodEnd < periodStart) return [error('periodEnd', 'The last day must not be before the first.')]
  if (periodStart >= inventory.periodStart && periodEnd <= inventory.periodEnd) return []
  return [
    error(
      'periodStart',
      `The period must be within the inventory: ${inventory.periodStart} to ${inventory.periodEnd}.`,
    ),
  ]
}

function recordProblems({ periodStart, periodEnd }: Row, there: readonly Days[]): CellProblem[] {
  const [first] = there
  if (first === undefined) return []
  if (first.periodStart <= periodStart && first.periodEnd >= periodEnd)
    return [
      error('periodStart', "Activity records already cover all of these days, so this total isn't counted."),
    ]
  return [
    warning(
      'periodStart',
      `Days from ${first.periodStart} to ${first.periodEnd} have activity records. The total counts only for the other days.`,
    ),
  ]
}
