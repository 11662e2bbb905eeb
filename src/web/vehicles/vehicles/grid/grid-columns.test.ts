import { expect, test } from 'vitest'
import { type GridAction, openGrid, reduceGrid } from '#web/ui/grid/grid-state.ts'
import type { GridSettings } from '#web/ui/grid/grid-column.ts'
import { columnsOf } from './grid-columns.ts'
import { knownOf } from './grid-save.ts'
import { aVehicle, OWN_FIELDS } from './test-vehicle.ts'
import { rowOf } from './vehicle-rows.ts'
import { editedFields } from './edited-fields.ts'

const vehicles = ['1', '2'].map((id) => ({ ...aVehicle, id }))
const settings: GridSettings = {
  columns: columnsOf({ vehicles, lots: [], own: OWN_FIELDS }),
  blank: null,
  most: 2,
  format: { decimal: '.', order: 'mdy', locale: 'en-US' },
}
const opened = openGrid(vehicles.map((vehicle) => rowOf(vehicle, OWN_FIELDS)))
const after = (...actions: GridAction[]) =>
  actions.reduce((state, action) => reduceGrid(state, action, settings), opened)
const at = (key: string): GridAction => ({
  type: 'go',
  to: { row: 0, column: settings.columns.findIndex((column) => column.key === key) },
  isExtending: false,
})

test('reads pasted custom fields by name, with or without the unit, and by their type', () => {
  const block = [
    'Key board\tLength\tinspected\tLoaner\tSTAGE',
    'B 4\t1,005.25\t3/1/2026\tTRUE\twash',
    'B 5\t4.5 m\t2026-02-30\tperhaps\tElsewhere',
  ].join('\n')
  const { rows } = after(at('custom_board'), { type: 'paste', text: block })
  expect(rows[0]?.cells).toMatchObject({
    custom_board: 'B 4',
    custom_length: '1005.25',
    custom_inspected: '2026-03-01',
    custom_loaner: 'yes',
    custom_stage: 'Wash',
  })
  expect(rows[0]?.refused).toEqual({})
  expect(Object.keys(rows[1]?.refused ?? {}).toSorted()).toEqual([
    'custom_inspected',
    'custom_length',
    'custom_loaner',
    'custom_stage',
  ])
  expect(settings.columns.map(({ title }) => title)).toContain('Length (m)')
})

test('counts an edited field as unsaved until it is saved, even if the edit is undone', () => {
  const known = knownOf(vehicles, OWN_FIELDS)
  const paste: GridAction = { type: 'paste', text: 'B 4' }
  expect(editedFields(opened, known)).toEqual(new Set())
  expect(editedFields(after(at('custom_board'), paste), known)).toEqual(new Set(['custom_board']))
  const back = after(at('custom_board'), paste, { type: 'undo' })
  expect(back.rows[0]?.cells['custom_board']).toBe('')
  expect(editedFields(back, known)).toEqual(new Set(['custom_board']))
  expect(editedFields(after(at('stock'), paste), known)).toEqual(new Set())
})
