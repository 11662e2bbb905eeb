import { expect, test } from 'vitest'
import { LOT_LIST } from '#contract/customers/lots/lots.ts'
import { VEHICLE_LIST } from '#contract/vehicles/vehicles/vehicle-list.ts'
import { ListExport } from '#contract/reports/reports.ts'
import { toExport } from './export-list.ts'

const state = { columns: ['name', 'code'], sort: '-name', search: 'ford', filter: 'isPublic' }
const wanted = { list: LOT_LIST, state, rows: 4, format: 'csv' } as const
const shown = { list: 'lots', format: 'csv', columns: ['name', 'code'], sort: '-name' }

test('an export contains what the list shows: columns, order, search and filter', () => {
  expect(toExport(wanted)).toEqual({ ...shown, search: 'ford', filter: 'isPublic' })
  expect(ListExport.safeParse(toExport(wanted)).success).toBe(true)
})

test('individually selected rows are exported regardless of search and filter', () => {
  const selected = { kind: 'some', ids: new Set(['7', '9']) } as const
  expect(toExport({ ...wanted, selected })).toEqual({ ...shown, ids: ['7', '9'] })
})

test('an export of all matching rows leaves out deselected ones', () => {
  const all = { kind: 'all', except: new Set(['7']) } as const
  expect(toExport({ ...wanted, selected: all })).toMatchObject({ search: 'ford', except: ['7'] })
  expect(toExport({ ...wanted, selected: { kind: 'all', except: new Set() } })).not.toHaveProperty('except')
})

test('a field that another column shows as well is exported after it, once', () => {
  const exported = (...columns: string[]) =>
    toExport({ ...wanted, list: VEHICLE_LIST, state: { ...state, columns } }).columns
  expect(exported('name', 'stock', 'price')).toEqual(['name', 'stock', 'vin', 'price'])
  expect(exported('vin', 'stock')).toEqual(['vin', 'stock'])
  expect(exported('name')).toEqual(['name'])
})
