import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import type { CellsOutcome, Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import type { CellProblem, GridRow } from '#web/ui/grid/grid-column.ts'
import type { Problems } from '#web/ui/grid/problems.ts'
import { byCell, changedKeys, isKey, overPresent, readRow, rowOf } from './vehicle-rows.ts'

/** Another user's version of a vehicle that was edited in the grid. */
export type Conflict = Readonly<{ present: Vehicle; by: string | null }>

/** The state of the rows besides their cells, by vehicle ID. */
export type KnownRow = Readonly<{
  /** The custom fields that rows have cells for. */
  own: readonly CustomField[]
  /** As loaded or last saved. */
  saved: ReadonlyMap<string, Vehicle>
  /** Conflicts that the user has to resolve. */
  conflicts: ReadonlyMap<string, Conflict>
  /** The server's errors with the cells they refer to; they no longer apply once the row is edited. */
  refusals: ReadonlyMap<
    string,
    Readonly<{ cells: GridRow['cells']; fields: Readonly<Record<string, string>> }>
  >
  gone: ReadonlySet<string>
}>

export function knownOf(vehicles: readonly Vehicle[], own: readonly CustomField[]): KnownRow {
  return {
    own,
    saved: new Map(vehicles.map((vehicle) => [vehicle.id, vehicle])),
    conflicts: new Map(),
    refusals: new Map(),
    gone: new Set(),
  }
}

export const GONE = "This vehicle was deleted, or you don't have access to it."

/** Finds changed rows, the problems of their cells, and the rows that can be sent. */
export function checkRows(rows: readonly GridRow[], known: KnownRow) {
  const changed = new Set<string>()
  const problems = new Map<string, Record<string, CellProblem>>()
  const inputs: Extract<ReturnType<typeof readRow>, { input: unknown }>['input'][] = []
  for (const row of rows) {
    const vehicle = known.saved.get(row.key)
    if (vehicle === undefined) continue
    const keys = changedKeys(row, vehicle, known.own)
    if (keys.length === 0) continue
    changed.add(row.key)
    const cellProblems: Record<string, CellProblem> = {}
    const conflict = known.conflicts.get(row.key)
    if (conflict) {
      const who = conflict.by ?? 'Another user'
      for (const key of changedKeys(row, conflict.present, known.own)) {
        cellProblems[key] = {
          tone: 'warning',
          text: `${who} changed this vehicle in the meantime. Resolve the conflict below.`,
        }
      }
    }
    const read = readRow(row, vehicle, known.own)
    if ('wrong' in read) {
      for (const [key, text] of Object.entries(read.wrong)) cellProblems[key] = { tone: 'error', text }
    }
    const refusal = known.refusals.get(row.key)
    const isCurrent = refusal !== undefined && keys.every((key) => refusal.cells[key] === row.cells[key])
    if (isCurrent) {
      for (const [key, text] of Object.entries(refusal.fields)) cellProblems[key] = { tone: 'error', text }
    }
    const isGone = known.gone.has(row.key)
    if (isGone) for (const key of keys) cellProblems[key] = { tone: 'error', text: GONE }
    if (Object.keys(cellProblems).length > 0) problems.set(row.key, cellProblems)
    if ('input' in read && !conflict && !isGone) inputs.push(read.input)
  }
  const found: Problems = problems
  return { changed, problems: found, inputs }
}

/** Applies the server's response: saved rows get the saved values; the others keep the user's input. */
export function applyOutcomes(
  rows: readonly GridRow[],
  known: KnownRow,
  outcomes: readonly CellsOutcome[],
): { rows: GridRow[]; known: KnownRow } {
  const saved = new Map(known.saved)
  const conflicts = new Map(known.conflicts)
  const refusals = new Map(known.refusals)
  const gone = new Set(known.gone)
  const answered = new Map(outcomes.map((outcome) => [outcome.id, outcome]))
  const next = rows.map((row) => {
    const outcome = answered.get(row.key)
    const before = saved.get(row.key)
    if (outcome === undefined || before === undefined) return row
    refusals.delete(row.key)
    switch (outcome.outcome) {
      case 'saved':
        saved.set(row.key, outcome.vehicle)
        return rowOf(outcome.vehicle, known.own)
      case 'stale':
        conflicts.set(row.key, { present: outcome.vehicle, by: outcome.by })
        return row
      case 'refused':
        refusals.set(row.key, { cells: row.cells, fields: atColumns(outcome.fields, known.own) })
        return row
      default:
        gone.add(row.key)
        return row
    }
  })
  return { rows: next, known: { ...known, saved, conflicts, refusals, gone } }
}

/** Shows errors of fields without a column in the first column. */
function atColumns(fields: Readonly<Record<string, string>>, own: KnownRow['own']): Record<string, string> {
  const errors = Object.entries(byCell(fields)).map(([key, text]) => [isKey(key, own) ? key : 'stock', text])
  return errors.length === 0 ? { stock: "This row couldn't be saved." } : Object.fromEntries(errors)
}

/** Resolves a conflict with the user's cells or the other user's version. */
export function resolveConflict(
  rows: readonly GridRow[],
  known: KnownRow,
  { id, keeps }: { id: string; keeps: 'mine' | 'theirs' },
): { rows: GridRow[]; known: KnownRow } {
  const conflict = known.conflicts.get(id)
  const before = known.saved.get(id)
  if (conflict === undefined || before === undefined) return { rows: [...rows], known }
  const { present } = conflict
  const conflicts = new Map(known.conflicts)
  conflicts.delete(id)
  const { own } = known
  const decide = (row: GridRow) =>
    keeps === 'mine' ? overPresent(row, { before, present, own }) : rowOf(present, own)
  return {
    rows: rows.map((row) => (row.key === id ? decide(row) : row)),
    known: { ...known, conflicts, saved: new Map(known.saved).set(id, present) },
  }
}

/** Discards all input and shows the latest known saved values. */
export function discardChanges(
  rows: readonly GridRow[],
  known: KnownRow,
): { rows: GridRow[]; known: KnownRow } {
  const saved = new Map(known.saved)
  for (const [id, { present }] of known.conflicts) saved.set(id, present)
  return {
    rows: rows.map((row) => {
      const vehicle = saved.get(row.key)
      return vehicle ? rowOf(vehicle, known.own) : row
    }),
    known: { ...known, saved, conflicts: new Map(), refusals: new Map() },
  }
}
