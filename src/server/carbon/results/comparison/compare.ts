import { sql } from 'kysely'
import {
  type BridgeLine,
  type carbonComparison,
  type ComparedInventory,
  type Comparison,
  type Effect,
} from '#contract/carbon/results/comparison.ts'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound, refused } from '#server/http/failure.ts'
import { readCoverage } from '../../inventories/coverage.ts'
import { compareIntensities } from '../intensities.ts'
import { scopeTitle } from '../totals.ts'
import { bridge, type Effects } from './bridge.ts'
import { findUnmatchedMonths } from './comparable-months.ts'
import { comparisonNotes } from './comparison-notes.ts'
import { type ComparedCell, readSides } from './read-sides.ts'

type ComparisonQuery = Received<typeof carbonComparison.compare>
type StoredInventory = ComparedInventory & { organizationId: string; gwpEdition: number }
/** One line of the comparison with its effects. */
type ComparedLine = {
  cell: ComparedCell
  before: ComparedCell | null
  after: ComparedCell | null
  effects: Effects
}

/**
 * Compares two inventories of one organization.
 * @throws Failure 404 if one isn't accessible, 400 if they are the same or belong to different organizations.
 */
export async function compareInventories(
  db: Database,
  { before: beforeId, after: afterId, method }: ComparisonQuery,
): Promise<Comparison> {
  const [before, after] = [await readStored(db, beforeId), await readStored(db, afterId)]
  if (before.id === after.id) throw refused(INVALID, { after: 'Choose another inventory to compare with.' })
  if (before.organizationId !== after.organizationId)
    throw refused(INVALID, {
      after: 'Choose two inventories of the same organization.',
    })
  const lines = await compareLines(db, { before, after, method })
  const total = sumLine('total', 'Total', lines)
  return {
    method,
    before: shown(before),
    after: shown(after),
    total,
    scopes: group(
      lines,
      ({ cell }) => cell.scope,
      ({ cell }) => scopeTitle(cell.scope),
    ).toSorted(byScope),
    facilities: group(
      lines,
      ({ cell }) => cell.facilityId,
      (line) => nameIn(line, before.name, ({ facilityName }) => facilityName),
    ).toSorted(byTitle),
    sources: group(
      lines,
      ({ cell }) => cell.sourceType,
      (line) =>
        nameIn(line, before.name, ({ sourceType, sourceName }) =>
          sourceTitle({ sourceType, sourceName, sourceLabel: null }),
        ),
    ).toSorted(byTitle),
    intensities: await compareIntensities(db, { before: before.id, after: after.id, total }),
    notes: comparisonNotes({ before, after, total }),
  }
}

type Compared = { before: StoredInventory; after: StoredInventory; method: ComparisonQuery['method'] }

/** One line for each part and scope of a source type at a facility, with its effects. */
async function compareLines(db: Database, { before, after, method }: Compared): Promise<ComparedLine[]> {
  const unmatched = await findUnmatchedMonths(db, { before: before.id, after: after.id })
  const [first, second] = [
    await readSides(db, {
      inventoryId: before.id,
      method,
      ...sets(before, after),
      unmatched: unmatched.before,
    }),
    await readSides(db, {
      inventoryId: after.id,
      method,
      ...sets(after, before),
      unmatched: unmatched.after,
    }),
  ]
  const [inBefore, inAfter] = [await readPlacesIn(db, before.id), await readPlacesIn(db, after.id)]
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((key): ComparedLine[] => {
    const [one, other] = [first.get(key) ?? null, second.get(key) ?? null]
    const cell = other ?? one
    if (cell === null) return []
    // Both have the activity, but only one inventory includes its upstream emissions.
    const main = [cell.facilityId, cell.sourceType, 'main'].join('/')
    const hasMain = [first, second].every((all) => [...all.keys()].some((own) => own.startsWith(main)))
    const places = {
      isInBefore: inBefore.has(cell.facilityId),
      isInAfter: inAfter.has(cell.facilityId),
      isCounterpart: cell.part !== 'main' && hasMain,
    }
    const coverage = unmatchedOf(other).minus(unmatchedOf(one))
    const effects = { ...bridge(one?.side ?? null, other?.side ?? null, places), coverage }
    return [{ cell, before: one, after: other, effects }]
  })
}

const unmatchedOf = (cell: ComparedCell | null): Figure => cell?.unmatched ?? new Figure(0)
const sumOf = (cell: ComparedCell | null): Figure | undefined => cell?.side.kg.plus(cell.unmatched)

const INVALID = 'Some fields are invalid.'
const sets = ({ gwpSet, gwpEdition }: StoredInventory, other: StoredInventory) => ({
  gwpSet,
  gwpEdition,
  otherGwpSet: other.gwpSet,
  otherGwpEdition: other.gwpEdition,
})
const shown = ({
  organizationId: _organizationId,
  gwpEdition: _gwpEdition,
  ...inventory
}: StoredInventory): ComparedInventory => inventory

const byTitle = (one: BridgeLine, other: BridgeLine): number => one.title.localeCompare(other.title, 'en')
const rankOf = ({ key }: BridgeLine): number => {
  const [scope = '', category = '0'] = key.split('.')
  return (scope === 'outside' ? 9 : Number(scope)) * 100 + Number(category)
}
const byScope = (one: BridgeLine, other: BridgeLine): number => rankOf(one) - rankOf(other)

/** The name in the later inventory, and if it had another one in the earlier, that one too: "Showroom (North lot in Carbon 2024)". */
function nameIn(
  { cell, before }: ComparedLine,
  inventory: string,
  nameOf: (cell: ComparedCell) => string,
): string {
  const [name, former] = [nameOf(cell), before === null ? null : nameOf(before)]
  return former === null || former === name ? name : `${name} (${former} in ${inventory})`
}

function group(
  lines: readonly ComparedLine[],
  keyOf: (line: ComparedLine) => string,
  titleOf: (line: ComparedLine) => string,
): BridgeLine[] {
  return [...Map.groupBy(lines, keyOf)].map(([key, own]) => {
    const [first] = own
    return sumLine(key, first === undefined ? key : titleOf(first), own)
  })
}

function sumLine(key: string, title: string, lines: readonly ComparedLine[]): BridgeLine {
  const sum = (figureOf: (line: ComparedLine) => Figure | undefined): string =>
    plain(lines.reduce((total, line) => total.plus(figureOf(line) ?? 0), new Figure(0)))
  const effect = (name: Effect) => sum(({ effects }) => effects[name])
  return {
    key,
    title,
    before: sum(({ before }) => sumOf(before)),
    after: sum(({ after }) => sumOf(after)),
    unmatchedBefore: sum(({ before }) => before?.unmatched),
    unmatchedAfter: sum(({ after }) => after?.unmatched),
    boundary: effect('boundary'),
    activity: effect('activity'),
    method: effect('method'),
    factor: effect('factor'),
    coverage: effect('coverage'),
    importedBefore: sum(({ before }) => before?.side.imported),
    importedAfter: sum(({ after }) => after?.side.imported),
    missingBefore: lines.reduce((count, { before }) => count + (before?.missing ?? 0), 0),
    missingAfter: lines.reduce((count, { after }) => count + (after?.missing ?? 0), 0),
  }
}

async function readStored(db: Database, id: string): Promise<StoredInventory> {
  const { rows } = await sql<Omit<StoredInventory, 'coverage' | 'missingPoints'>>`
    select i.id::text, i.organization_id::text, i.name, o.name as organization_name, i.period_start::text,
      i.period_end::text, i.status, i.boundary, i.gwp_set, i.gwp_edition
    from carbon_inventories i join organizations o on o.customer_id = i.customer_id and o.id = i.organization_id
    where i.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound('Inventory')
  const { sentence, empty } = await readCoverage(db, id)
  return { ...row, coverage: sentence, missingPoints: empty }
}

/** Facilities that are included in an inventory. */
async function readPlacesIn(db: Database, id: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select facility_id::text as id from inventory_facilities
    where inventory_id = ${id} and not excluded`.execute(db)
  return new Set(rows.map((row) => row.id))
}
