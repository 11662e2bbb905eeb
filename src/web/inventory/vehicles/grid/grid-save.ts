import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import type { CellsOutcome, Vehicle } from '#contract/inventory/vehicles/vehicles.ts'
import type { CellProblem, GridRow } from '#web/ui/grid/grid-column.ts'
import type { Problems } from '#web/ui/grid/problems.ts'
import { byCell, changedKeys, isKey, overPresent, readRow, rowOf } from './vehicle-rows.ts'

/** What somebody else made of a vehicle while it was written in. */
export type Conflict = Readonly<{ present: Vehicle; by: string | null }>

/** What is known of the rows besides what stands in them. Everything by the number of the vehicle. */
export type KnownRow = Readonly<{
  /** The customer's own fields that rows keep cells of. */
  own: readonly CustomField[]
  /** As it was loaded, or saved since. */
  saved: ReadonlyMap<string, Vehicle>
  /** To be decided by the person: their cells, or the present ones. */
  conflicts: ReadonlyMap<string, Conflict>
  /** What the server said of cells, and what stood in the row then: written in, it is not true any more. */
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

export const GONE = 'This vehicle is not there any more, or out of your reach.'

/** The rows that differ from what is saved, what is the matter with each cell, and what can be sent. */
export function lookThrough(rows: readonly GridRow[], known: KnownRow) {
  const changed = new Set<string>()
  const problems = new Map<string, Record<string, CellProblem>>()
  const inputs: Extract<ReturnType<typeof readRow>, { input: unknown }>['input'][] = []
  for (const row of rows) {
    const vehicle = known.saved.get(row.key)
    if (vehicle === undefined) continue
    const keys = changedKeys(row, vehicle, known.own)
    if (keys.length === 0) continue
    changed.add(row.key)
    const told: Record<string, CellProblem> = {}
    const conflict = known.conflicts.get(row.key)
    if (conflict) {
      const who = conflict.by ?? 'Somebody else'
      for (const key of changedKeys(row, conflict.present, known.own)) {
        told[key] = { tone: 'warning', text: `${who} changed this vehicle meanwhile. Decide below.` }
      }
    }
    const read = readRow(row, vehicle, known.own)
    if ('wrong' in read) {
      for (const [key, text] of Object.entries(read.wrong)) told[key] = { tone: 'error', text }
    }
    const refusal = known.refusals.get(row.key)
    const stands = refusal !== undefined && keys.every((key) => refusal.cells[key] === row.cells[key])
    if (stands) {
      for (const [key, text] of Object.entries(refusal.fields)) told[key] = { tone: 'error', text }
    }
    const isGone = known.gone.has(row.key)
    if (isGone) for (const key of keys) told[key] = { tone: 'error', text: GONE }
    if (Object.keys(told).length > 0) problems.set(row.key, told)
    if ('input' in read && !conflict && !isGone) inputs.push(read.input)
  }
  const found: Problems = problems
  return { changed, problems: found, inputs }
}

/** The grid after the server answered. What was saved is taken over as it is kept now; all else stays as it was written. */
export function ingest(
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

/** A sentence about a field that is no column stands at the first one. */
function atColumns(fields: Readonly<Record<string, string>>, own: KnownRow['own']): Record<string, string> {
  const told = Object.entries(byCell(fields)).map(([key, text]) => [isKey(key, own) ? key : 'stock', text])
  return told.length === 0 ? { stock: 'This row could not be saved.' } : Object.fromEntries(told)
}

/** One row once the person decided between their cells and the present ones. */
export function settle(
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

/** Everything as it stands in the database, as far as that is known. */
export function giveUp(rows: readonly GridRow[], known: KnownRow): { rows: GridRow[]; known: KnownRow } {
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
