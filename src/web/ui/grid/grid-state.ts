import { readBlock } from './clipboard-block.ts'
import type { GridRow, GridSettings } from './grid-column.ts'
import {
  type Bounds,
  held,
  type CellPosition,
  rangeOf,
  type Range,
  rowsIn,
  type Step,
  stepFrom,
  tabFrom,
} from './grid-positions.ts'
import { pasteBlock } from './paste-block.ts'
import { editText, showCell, withEntry } from './read-entry.ts'

/** Maximum number of undo steps. */
const MOST_STEPS = 100

export type GridState = Readonly<{
  rows: readonly GridRow[]
  active: CellPosition
  /** The opposite corner of the selection. */
  anchor: CellPosition
  editing: Readonly<{ text: string }> | null
  past: readonly (readonly GridRow[])[]
  future: readonly (readonly GridRow[])[]
  told: Readonly<{ text: string; leftover: string | null }> | null
  /** For the next added row: keys of new rows are `new-1`, `new-2`. */
  nextKey: number
}>

export type GridAction =
  | { type: 'go'; to: CellPosition; isExtending: boolean }
  | { type: 'step'; step: Step; isExtending: boolean; page: number }
  | { type: 'tab'; by: 1 | -1 }
  | { type: 'choose'; range: Range }
  | { type: 'edit'; text: string | null }
  | { type: 'type'; text: string }
  | { type: 'commit'; to: 'up' | 'down' | 'stay' }
  | { type: 'cancel' }
  | { type: 'paste'; text: string }
  | { type: 'clear' }
  | { type: 'fill' }
  | { type: 'remove' }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'heard' }
  | { type: 'set'; key: string; cells: GridRow['cells'] }
  | { type: 'load'; rows: readonly GridRow[] }
  | { type: 'append'; rows: readonly GridRow[] }
  | { type: 'swap'; rows: ReadonlyMap<string, Readonly<{ sent: GridRow; now: GridRow }>>; byCell?: boolean }

/** The initial state of a grid. */
export function openGrid(rows: readonly GridRow[]): GridState {
  const start = { row: 0, column: 0 }
  const numbers = rows.map(({ key }) => Number(/^new-(\d+)$/.exec(key)?.[1] ?? 0))
  return {
    rows,
    active: start,
    anchor: start,
    editing: null,
    past: [],
    future: [],
    told: null,
    nextKey: numbers.reduce((most, one) => Math.max(most, one), 0) + 1,
  }
}

/** The number of reachable rows: one more than there are if typing adds a row. */
export function reachOf({ rows }: GridState, { blank, most }: GridSettings): number {
  return Math.max(1, rows.length + (blank !== null && rows.length < most ? 1 : 0))
}

/** The state after one user action. Pure; text being typed is accepted by every action except `cancel`. */
export function reduceGrid(before: GridState, action: GridAction, settings: GridSettings): GridState {
  if (action.type === 'type') return before.editing ? { ...before, editing: { text: action.text } } : before
  if (action.type === 'cancel') return { ...before, editing: null, told: null }
  if (action.type === 'load') return loaded(before, action.rows, settings)
  if (action.type === 'append') return loaded(before, [...before.rows, ...action.rows], settings)
  if (action.type === 'swap') return swapped(before, action, settings)
  const state = committed(before, settings)
  const bounds = boundsOf(state, settings)
  switch (action.type) {
    case 'go':
      return moved(state, held(action.to, bounds), action.isExtending)
    case 'step': {
      const isFilled = ({ row, column }: CellPosition) => textAt(state, settings, row, column) !== ''
      const to = stepFrom(state.active, action.step, { ...bounds, page: action.page }, isFilled)
      return moved(state, to, action.isExtending)
    }
    case 'tab': {
      const to = tabFrom(state.active, action.by, bounds)
      return to === null ? state : moved(state, to, false)
    }
    case 'choose':
      return {
        ...state,
        anchor: held({ row: action.range.top, column: action.range.first }, bounds),
        active: held({ row: action.range.bottom, column: action.range.last }, bounds),
      }
    case 'edit':
      return edited(state, action.text, settings)
    case 'commit': {
      if (action.to === 'stay') return state
      return moved(
        state,
        stepFrom(state.active, action.to, bounds, () => false),
        false,
      )
    }
    case 'set':
      return set(state, action, settings)
    case 'paste':
      return pasted(state, action.text, settings)
    case 'clear':
      return written(state, settings, () => '')
    case 'fill':
      return filled(state, settings)
    case 'remove':
      return removed(state, settings)
    case 'undo':
      return undone(state, settings)
    case 'redo':
      return redone(state, settings)
    default:
      return { ...state, told: null }
  }
}

function boundsOf(state: GridState, settings: GridSettings): Bounds {
  return { rows: reachOf(state, settings), columns: settings.columns.length, page: 1 }
}

function textAt({ rows }: GridState, { columns, format }: GridSettings, row: number, column: number): string {
  const line = rows[row]
  const place = columns[column]
  return line && place ? showCell(line, place, format) : ''
}

/** Sets a value chosen outside the grid, regardless of the cursor. */
function set(
  state: GridState,
  { key, cells }: { key: string; cells: GridRow['cells'] },
  settings: GridSettings,
): GridState {
  const line = state.rows.find((row) => row.key === key)
  if (!line) return state
  const lock = settings.lockOf?.(line) ?? null
  if (lock !== null) return say(state, lock)
  const next = { ...line, cells: { ...line.cells, ...cells } }
  return changed(
    state,
    state.rows.map((row) => (row === line ? next : row)),
  )
}

/** The selection as a block for the clipboard. */
export function chosenBlock(state: GridState, settings: GridSettings): string[][] {
  const range = rangeOf(state.anchor, state.active)
  const columns = settings.columns.slice(range.first, range.last + 1)
  return rowsIn(state.rows, range).map((row) =>
    columns.map((column) => showCell(row, column, settings.format)),
  )
}

function moved(state: GridState, to: CellPosition, isExtending: boolean): GridState {
  return { ...state, active: to, anchor: isExtending ? state.anchor : to, told: null }
}

/** Replaces the rows and adds an undo step. */
function changed(state: GridState, rows: readonly GridRow[]): GridState {
  return { ...state, rows, past: [...state.past.slice(1 - MOST_STEPS), state.rows], future: [] }
}

function say(state: GridState, text: string, leftover: string | null = null): GridState {
  return { ...state, told: { text, leftover } }
}

function edited(state: GridState, text: string | null, settings: GridSettings): GridState {
  const { row, column } = state.active
  const place = settings.columns[column]
  const line = state.rows[row]
  if (!place) return state
  if (place.isFixed) return say(state, `${place.title} is calculated and can't be edited.`)
  const lock = line ? (settings.lockOf?.(line) ?? null) : null
  if (lock !== null) return say(state, lock)
  const begun = text ?? (line ? editText(line, place, settings.format) : '')
  return { ...state, anchor: state.active, editing: { text: begun }, told: null }
}

/** Accepts the text being typed, if it changed. */
function committed(state: GridState, settings: GridSettings): GridState {
  if (state.editing === null) return state
  const { text } = state.editing
  const { row, column } = state.active
  const place = settings.columns[column]
  const line = state.rows[row]
  const still = { ...state, editing: null }
  if (!place) return still
  if (line && text === editText(line, place, settings.format)) return still
  if (!line && text.trim() === '') return still
  const made = line ?? { key: `new-${state.nextKey}`, cells: settings.blank ?? {}, refused: {} }
  const rows = [...state.rows]
  rows[row] = withEntry(made, place, text, settings.format)
  return { ...changed(still, rows), nextKey: state.nextKey + (line ? 0 : 1) }
}

function pasted(state: GridState, text: string, settings: GridSettings): GridState {
  const range = rangeOf(state.anchor, state.active)
  const target = { rows: state.rows, range, newKey: (at: number) => `new-${state.nextKey + at}` }
  const done = pasteBlock(readBlock(text), target, settings)
  const { top, bottom, first, last } = done.range
  const next = {
    ...changed(state, done.rows),
    nextKey: state.nextKey + done.rows.length,
    // As in spreadsheets, the first cell stays active.
    anchor: { row: bottom, column: last },
    active: { row: top, column: first },
  }
  return done.told.length === 0 ? { ...next, told: null } : say(next, done.told.join(' '), done.leftover)
}

/** Writes a text into every selected cell that can be edited. */
function written(
  state: GridState,
  settings: GridSettings,
  text: (row: number, column: number) => string,
): GridState {
  const range = rangeOf(state.anchor, state.active)
  let locked = 0
  const rows = state.rows.map((row, at) => {
    if (at < range.top || at > range.bottom) return row
    if ((settings.lockOf?.(row) ?? null) !== null) {
      locked += 1
      return row
    }
    return settings.columns.reduce((line, column, nth) => {
      if (nth < range.first || nth > range.last || column.isFixed) return line
      const next = text(at, nth)
      return next === showCell(line, column, settings.format)
        ? line
        : withEntry(line, column, next, settings.format)
    }, row)
  })
  const isSame = rows.every((row, at) => row === state.rows[at])
  const next = isSame ? { ...state, told: null } : { ...changed(state, rows), told: null }
  return locked === 0
    ? next
    : say(next, locked === 1 ? "1 row can't be changed." : `${locked} rows can't be changed.`)
}

/** Copies the first selected row into those below it; for a single row, copies the row above into it. */
function filled(state: GridState, settings: GridSettings): GridState {
  const range = rangeOf(state.anchor, state.active)
  const from = range.top === range.bottom ? range.top - 1 : range.top
  const source = state.rows[from]
  if (!source) return state
  return written(state, settings, (_row, column) => {
    const place = settings.columns[column]
    // Uses the edit format, not the display format: grouping and month names would have to be parsed again.
    return place ? editText(source, place, settings.format) : ''
  })
}

function removed(state: GridState, settings: GridSettings): GridState {
  const { top, bottom } = rangeOf(state.anchor, state.active)
  const isGone = (row: GridRow, at: number) =>
    at >= top && at <= bottom && (settings.lockOf?.(row) ?? null) === null
  const rows = state.rows.filter((row, at) => !isGone(row, at))
  if (rows.length === state.rows.length) return state
  const next = changed(state, rows)
  const to = held({ row: top, column: state.active.column }, boundsOf(next, settings))
  return moved(next, to, false)
}

function undone(state: GridState, settings: GridSettings): GridState {
  const rows = state.past.at(-1)
  if (!rows) return state
  const next = { ...state, rows, past: state.past.slice(0, -1), future: [...state.future, state.rows] }
  return inside(next, settings)
}

function redone(state: GridState, settings: GridSettings): GridState {
  const rows = state.future.at(-1)
  if (!rows) return state
  const next = { ...state, rows, future: state.future.slice(0, -1), past: [...state.past, state.rows] }
  return inside(next, settings)
}

function loaded(state: GridState, rows: readonly GridRow[], settings: GridSettings): GridState {
  const { row } = state.active
  // Keep editing if it is still the same row.
  const editing = rows[row]?.key === state.rows[row]?.key ? state.editing : null
  const next = { ...openGrid(rows), active: state.active, anchor: state.anchor, editing }
  // Keys of added rows are never reused.
  return inside({ ...next, nextKey: Math.max(state.nextKey, next.nextKey) }, settings)
}

/** Replaces sent rows with their saved versions. Later edits stay, under the new key. `byCell`: and only the cells they changed. */
function swapped(
  state: GridState,
  { rows: swaps, byCell = false }: Extract<GridAction, { type: 'swap' }>,
  settings: GridSettings,
): GridState {
  const rows = state.rows.map((row) => {
    const swap = swaps.get(row.key)
    if (!swap) return row
    if (row === swap.sent) return swap.now
    return byCell ? withLaterCells(row, swap) : { ...row, key: swap.now.key }
  })
  // The positions hold the same rows, so editing continues even if a row's key changed.
  return { ...loaded(state, rows, settings), editing: state.editing }
}

function withLaterCells(row: GridRow, { sent, now }: Readonly<{ sent: GridRow; now: GridRow }>): GridRow {
  const later = Object.keys(row.cells).filter((key) => row.cells[key] !== sent.cells[key])
  const refused = later.flatMap((key) => {
    const why = row.refused[key]
    return why === undefined ? [] : [[key, why] as const]
  })
  const kept = Object.entries(now.refused).filter(([key]) => !later.includes(key))
  return {
    ...now,
    cells: { ...now.cells, ...Object.fromEntries(later.map((key) => [key, row.cells[key] ?? ''])) },
    refused: Object.fromEntries([...kept, ...refused]),
  }
}

function inside(state: GridState, settings: GridSettings): GridState {
  const bounds = boundsOf(state, settings)
  return { ...state, told: null, active: held(state.active, bounds), anchor: held(state.anchor, bounds) }
}
