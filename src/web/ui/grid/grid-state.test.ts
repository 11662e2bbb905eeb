import { expect, test } from 'vitest'
import { gridRow, type GridColumn, type GridSettings } from './grid-column.ts'
import { type GridAction, type GridState, openGrid, reachOf, reduceGrid } from './grid-state.ts'
import { findProblems, nextProblem } from './problems.ts'

const columns: readonly GridColumn[] = [
  { key: 'name', title: 'Name', kind: 'text', width: 100 },
  { key: 'amount', title: 'Amount', kind: 'number', width: 100 },
  { key: 'day', title: 'Day', kind: 'date', width: 100 },
  { key: 'result', title: 'Result', kind: 'number', width: 100, isFixed: true, text: () => 'sum' },
]
const settings: GridSettings = {
  columns,
  blank: { name: '', amount: '', day: '' },
  most: 6,
  lockOf: (row) => (row.cells['name'] === 'locked' ? 'This row is approved.' : null),
  format: { decimal: '.', order: 'mdy', locale: 'en' },
}
const start = openGrid([
  gridRow('1', { name: 'a', amount: '1', day: '2025-01-01' }),
  gridRow('2', { name: 'b', amount: '2', day: '2025-02-01' }),
  gridRow('3', { name: 'c', amount: '3', day: '' }),
])

const run = (state: GridState, ...actions: GridAction[]) =>
  actions.reduce((before, action) => reduceGrid(before, action, settings), state)
const go = (row: number, column: number, isExtending = false): GridAction => ({
  type: 'go',
  to: { row, column },
  isExtending,
})
const cells = (state: GridState, key: string) => state.rows.map((row) => row.cells[key])

test('Enter accepts typed text, Escape discards it, and undo reverts it', () => {
  const typed = run(start, go(0, 1), { type: 'edit', text: '4' }, { type: 'type', text: '42' })
  expect(cells(run(typed, { type: 'cancel' }), 'amount')).toEqual(['1', '2', '3'])
  const kept = run(typed, { type: 'commit', to: 'down' })
  expect(cells(kept, 'amount')).toEqual(['42', '2', '3'])
  expect(kept.active).toEqual({ row: 1, column: 1 })
  const back = run(kept, { type: 'undo' })
  expect(cells(back, 'amount')).toEqual(['1', '2', '3'])
  expect(cells(run(back, { type: 'redo' }), 'amount')).toEqual(['42', '2', '3'])
})

test('moving to another cell accepts the text being typed', () => {
  expect(cells(run(start, go(0, 1), { type: 'edit', text: '9' }, go(2, 0)), 'amount')).toEqual([
    '9',
    '2',
    '3',
  ])
})

test('typing into the last row adds a row, with a key that is never reused', () => {
  const added = run(start, go(3, 0), { type: 'edit', text: 'd' }, { type: 'commit', to: 'down' })
  expect(added.rows.at(-1)).toMatchObject({ key: 'new-1', cells: { name: 'd' } })
  expect(added.active.row).toBe(4)
  const again = run(
    added,
    { type: 'undo' },
    go(3, 0),
    { type: 'edit', text: 'e' },
    { type: 'commit', to: 'stay' },
  )
  expect(again.rows.at(-1)?.key).toBe('new-2')
})

test('empty input adds no row', () => {
  expect(run(start, go(3, 0), { type: 'edit', text: ' ' }, { type: 'commit', to: 'down' }).rows).toHaveLength(
    3,
  )
})

test('a block is pasted starting at the active cell and adds rows as needed', () => {
  const pasted = run(start, go(2, 0), {
    type: 'paste',
    text: 'x\t1,000.5\t3/1/2025\r\ny\t7\tMar 2, 2025\r\n',
  })
  expect(cells(pasted, 'name')).toEqual(['a', 'b', 'x', 'y'])
  expect(cells(pasted, 'amount')).toEqual(['1', '2', '1000.5', '7'])
  expect(cells(pasted, 'day').slice(2)).toEqual(['2025-03-01', '2025-03-02'])
  expect(cells(run(pasted, { type: 'undo' }), 'name')).toEqual(['a', 'b', 'c'])
})

test('rows that do not fit are returned, not lost', () => {
  const pasted = run(start, go(0, 0), { type: 'paste', text: 'r1\nr2\nr3\nr4\nr5\nr6\nr7\nr8' })
  expect(pasted.rows).toHaveLength(6)
  expect(pasted.told?.leftover).toBe('r7\r\nr8')
  const wide = run(start, go(0, 2), { type: 'paste', text: '2025-01-01\tignored\tlost' })
  expect(wide.told?.leftover).toBe('2025-01-01\tignored\tlost')
})

test('rejected cells keep their text, and the rest of the block is accepted', () => {
  const pasted = run(start, go(0, 1), { type: 'paste', text: 'about 5\t2025-01-31\n6\tnever' })
  expect(cells(pasted, 'amount')).toEqual(['about 5', '6', '3'])
  expect(pasted.rows[0]?.refused).toEqual({ amount: expect.stringContaining("isn't a number") })
  expect(pasted.rows[1]?.refused).toEqual({ day: expect.stringContaining("isn't a date") })
  const found = findProblems(pasted.rows, columns, new Map())
  expect(nextProblem(found, { row: 0, column: 1 })).toMatchObject({ row: 1, column: 2 })
  expect(nextProblem(found, { row: 1, column: 2 })).toMatchObject({ row: 0, column: 1 })
})

test('a block whose numbers only parse with a decimal comma is read that way as a whole, with a message', () => {
  const pasted = run(start, go(0, 1), { type: 'paste', text: '1.234,5\n1.250\n980,25' })
  expect(cells(pasted, 'amount')).toEqual(['1234.5', '1250', '980.25'])
  expect(pasted.told?.text).toContain('comma')
  const slip = run(start, go(0, 1), { type: 'paste', text: '1,000\n1,250\n1,5' })
  expect(cells(slip, 'amount')).toEqual(['1000', '1250', '1,5'])
  expect(slip.rows[2]?.refused['amount']).toContain('If you mean 1.5')
  const days = run(start, go(0, 2), { type: 'paste', text: '31/01/2025\n01/02/2025' })
  expect(cells(days, 'day').slice(0, 2)).toEqual(['2025-01-31', '2025-02-01'])
})

test('a first line with column titles determines the columns', () => {
  const pasted = run(start, go(3, 0), { type: 'paste', text: 'Amount\tSupplier\tName\n12\tCity Gas\tgas' })
  expect(pasted.rows[3]?.cells).toMatchObject({ name: 'gas', amount: '12' })
  expect(pasted.told?.leftover).toContain('City Gas')
})

test('one copied cell fills the selection, and a block repeats in a multiple of itself', () => {
  const one = run(start, go(0, 1), go(2, 1, true), { type: 'paste', text: '5' })
  expect(cells(one, 'amount')).toEqual(['5', '5', '5'])
  const two = run(start, go(0, 0), go(3, 0, true), { type: 'paste', text: 'x\ny' })
  expect(cells(two, 'name')).toEqual(['x', 'y', 'x', 'y'])
})

test('fill down repeats the first row of the selection, or the row above', () => {
  expect(cells(run(start, go(0, 1), go(2, 1, true), { type: 'fill' }), 'amount')).toEqual(['1', '1', '1'])
  expect(cells(run(start, go(2, 2), { type: 'fill' }), 'day')[2]).toBe('2025-02-01')
})

test('nothing changes a locked row, and the reason is shown', () => {
  const locked = openGrid([gridRow('1', { name: 'locked', amount: '1', day: '' }), ...start.rows.slice(1)])
  expect(run(locked, go(0, 1), { type: 'edit', text: '9' })).toMatchObject({
    editing: null,
    told: { text: 'This row is approved.' },
  })
  const pasted = run(locked, go(0, 1), { type: 'paste', text: '8\n9' })
  expect(cells(pasted, 'amount')).toEqual(['1', '9', '3'])
  expect(pasted.told?.leftover).toBe('8')
  expect(run(locked, go(0, 0), go(2, 0, true), { type: 'remove' }).rows.map(({ key }) => key)).toEqual(['1'])
})

test('a saved row replaces the one that was sent, and later edits stay', () => {
  const [first, second] = start.rows
  if (!first || !second) throw new Error('There are rows.')
  const sent = { sent: first, now: gridRow('90', { name: 'a', amount: '1.0', day: '' }) }
  const late = run(start, go(1, 1), { type: 'edit', text: '22' }, { type: 'commit', to: 'stay' })
  const rows = new Map([
    ['1', sent],
    ['2', { sent: second, now: gridRow('91', { name: 'b', amount: '2', day: '' }) }],
  ])
  const swapped = run(run(late, go(2, 0), { type: 'edit', text: 'half' }), { type: 'swap', rows })
  expect(swapped.rows.map(({ key }) => key)).toEqual(['90', '91', '3'])
  expect(cells(swapped, 'amount')).toEqual(['1.0', '22', '3'])
  expect(swapped.editing).toEqual({ text: 'half' })
  expect(run(swapped, { type: 'undo' }).rows.map(({ key }) => key)).toEqual(['90', '91', '3'])
})

test('of a saved row that is edited later, only the cells typed meanwhile stay', () => {
  const [, second] = start.rows
  if (!second) throw new Error('There are rows.')
  const now = gridRow('2', { name: 'b as saved', amount: '2.0', day: '' })
  const late = run(start, go(1, 1), { type: 'edit', text: '22' }, { type: 'commit', to: 'stay' })
  const rows = new Map([['2', { sent: second, now }]])
  const { rows: swapped } = run(late, { type: 'swap', rows, byCell: true })
  expect(swapped[1]?.cells).toMatchObject({ name: 'b as saved', amount: '22' })
})

test('long steps go to the edge of the filled cells', () => {
  const far = (step: 'edgeDown' | 'edgeUp' | 'edgeNext'): GridAction => ({
    type: 'step',
    step,
    isExtending: false,
    page: 5,
  })
  expect(run(start, go(0, 2), far('edgeDown')).active).toEqual({ row: 1, column: 2 })
  expect(run(start, go(3, 0), far('edgeUp')).active).toEqual({ row: 2, column: 0 })
})

test('ten thousand rows are pasted and undone within a second', () => {
  const many = { ...settings, most: 20_000 }
  const text = Array.from({ length: 10_000 }, (_, at) => `row ${at}\t${at}\t2025-01-01`).join('\n')
  const began = performance.now()
  const pasted = reduceGrid(openGrid([]), { type: 'paste', text }, many)
  const back = reduceGrid(pasted, { type: 'undo' }, many)
  expect(performance.now() - began).toBeLessThan(1000)
  expect(pasted.rows).toHaveLength(10_000)
  expect(back.rows).toHaveLength(0)
  expect(reachOf(pasted, many)).toBe(10_001)
})

test('a value chosen outside the grid is set in its row, but not in a locked one, and can be undone', () => {
  const set: GridAction = { type: 'set', key: '2', cells: { name: 'chosen', hidden: '7' } }
  const chosen = run(start, go(0, 1), set)
  expect(chosen.rows[1]?.cells).toMatchObject({ name: 'chosen', amount: '2', hidden: '7' })
  expect(chosen.active).toEqual({ row: 0, column: 1 })
  expect(run(chosen, { type: 'undo' }).rows).toEqual(start.rows)
  const locked = openGrid([gridRow('2', { name: 'locked' })])
  expect(run(locked, set)).toMatchObject({ rows: locked.rows, told: { text: 'This row is approved.' } })
})
