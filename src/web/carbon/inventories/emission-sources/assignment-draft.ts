import {
  type AssignmentChange,
  type EmissionSource,
  type InventoryFacility,
  FREQUENCIES,
  METHODS,
} from '#contract/carbon/inventories/assignments.ts'
import { SOURCE_TYPES, suggestedAt } from '#contract/carbon/inventories/source-types.ts'
import { isRecord, parseRecord, readNumber, readText } from '#web/api/read-json.ts'

/** The value of a matrix cell. */
export type Cell = Readonly<
  Pick<EmissionSource, 'dataOwnerId' | 'dueOn' | 'frequency' | 'method' | 'factorId'> & {
    /** The meter, account or asset. */
    label: string | null
  }
>
/** The new value of a cell, null to unassign it, and the version it replaces: 0 if there is none. */
type Change = Readonly<{ cell: Cell | null; version: number }>
/** By the key of the cell. */
export type Draft = Readonly<Record<string, Change>>
export type Sources = ReadonlyMap<string, EmissionSource>

export const NO_DRAFT: Draft = {}

/** The key of a cell: facility ID and source type ID. Neither contains a slash. */
export const keyOfCell = (facilityId: string, sourceType: string): string => `${facilityId}/${sourceType}`

export const sourcesByKey = (sources: readonly EmissionSource[]): Sources =>
  new Map(sources.map((source) => [keyOfCell(source.facilityId, source.sourceType), source]))

/** The initial value of a cell. */
export function newCell(sourceType: string): Cell {
  const needsCustom = SOURCE_TYPES.find(({ id }) => id === sourceType)?.needsOwnFactor === true
  return {
    dataOwnerId: null,
    dueOn: null,
    frequency: 'month',
    method: needsCustom ? 'own_factor' : 'calculated',
    factorId: null,
    label: null,
  }
}

const cellOf = ({ dataOwnerId, dueOn, frequency, method, factorId, label }: Cell): Cell => ({
  dataOwnerId,
  dueOn,
  frequency,
  method,
  factorId,
  label,
})

const savedCell = (source: EmissionSource): Cell => cellOf({ ...source, label: source.sourceLabel })

/** The current value of a cell: from the draft, otherwise as saved; null if it isn't assigned. */
export function readCell(sources: Sources, draft: Draft, key: string): Cell | null {
  const change = draft[key]
  if (change) return change.cell
  const source = sources.get(key)
  return source ? savedCell(source) : null
}

/** Adds cells to the draft. A cell that equals its saved value is removed from it. */
export function putCells(
  sources: Sources,
  draft: Draft,
  cells: Readonly<Record<string, Cell | null>>,
): Draft {
  const next: Record<string, Change> = { ...draft }
  for (const [key, cell] of Object.entries(cells)) {
    const source = sources.get(key)
    const saved = source ? savedCell(source) : null
    if (JSON.stringify(saved) === JSON.stringify(cell && cellOf(cell))) delete next[key]
    else next[key] = { cell, version: draft[key]?.version ?? source?.version ?? 0 }
  }
  return next
}

/** The suggested assignments of an empty matrix, by facility type. */
export function suggest(
  facilities: readonly InventoryFacility[],
  notRelevant: ReadonlySet<number>,
): Record<string, Cell> {
  const proposed: Record<string, Cell> = {}
  for (const facility of facilities) {
    for (const { id } of suggestedAt(facility, notRelevant))
      proposed[keyOfCell(facility.id, id)] = newCell(id)
  }
  return proposed
}

/** The draft in the shape of the contract. */
export function toChanges(draft: Draft): AssignmentChange[] {
  return Object.entries(draft).map(([key, { cell, version }]): AssignmentChange => {
    const [facilityId = '', sourceType = ''] = key.split('/')
    return cell === null
      ? { facilityId, sourceType, version, isAssigned: false }
      : { facilityId, sourceType, version, isAssigned: true, ...cell }
  })
}

/** The keys of cells that others have changed since they were drafted. */
export function findStale(sources: Sources, draft: Draft): string[] {
  return Object.entries(draft)
    .filter(([key, { version }]) => version !== (sources.get(key)?.version ?? 0))
    .map(([key]) => key)
}

/** The same draft, based on the current sources. */
export function rebase(sources: Sources, draft: Draft): Draft {
  const cells = Object.fromEntries(Object.entries(draft).map(([key, { cell }]) => [key, cell]))
  return putCells(sources, NO_DRAFT, cells)
}

/** The stored draft; entries that can't be read are skipped. */
export function readDraft(text: string): Draft {
  const stored = parseRecord(text)
  if (!stored) return NO_DRAFT
  const draft: Record<string, Change> = {}
  for (const [key, change] of Object.entries(stored)) {
    if (!isRecord(change)) continue
    const cell = change['cell']
    if (cell !== null && !isRecord(cell)) continue
    draft[key] = { cell: cell && readStoredCell(cell), version: readNumber(change, 'version') }
  }
  return draft
}

function readStoredCell(cell: Record<string, unknown>): Cell {
  return {
    dataOwnerId: readText(cell, 'dataOwnerId') || null,
    dueOn: readText(cell, 'dueOn') || null,
    frequency: FREQUENCIES.find((one) => one === cell['frequency']) ?? 'month',
    method: METHODS.find((one) => one === cell['method']) ?? 'calculated',
    factorId: readText(cell, 'factorId') || null,
    label: readText(cell, 'label') || null,
  }
}
