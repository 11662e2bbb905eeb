import { expect, test } from 'vitest'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import type { GridRow } from '#web/ui/grid/grid-column.ts'
import { aVehicle, OWN_FIELDS } from './test-vehicle.ts'
import * as rows from './vehicle-rows.ts'

const vehicle: Vehicle = { ...aVehicle, custom: { custom_length: 5.25, custom_loaner: true } }
const rowOf = (one: Vehicle) => rows.rowOf(one, OWN_FIELDS)
const changedKeys = (row: GridRow, before: Vehicle) => rows.changedKeys(row, before, OWN_FIELDS)
const readRow = (row: GridRow, before: Vehicle) => rows.readRow(row, before, OWN_FIELDS)

const written = (cells: Record<string, string>, refused: Record<string, string> = {}) => {
  const row = rowOf(vehicle)
  return { ...row, cells: { ...row.cells, ...cells }, refused }
}

test('finds no changes in an unedited row', () => {
  expect(changedKeys(rowOf(vehicle), vehicle)).toEqual([])
})

test('sends only changed cells, in the format of the contract', () => {
  expect(readRow(written({ priceCents: '43999.99', tags: 'Auction; Front line,' }), vehicle)).toEqual({
    input: { id: '7', version: 4, priceCents: 4_399_999, tags: ['Auction', 'Front line'] },
  })
  expect(readRow(written({ priceCents: '', stock: '' }), vehicle)).toEqual({
    input: { id: '7', version: 4, priceCents: null, stock: null },
  })
})

test("reports invalid values in their cells with the contract's messages", () => {
  expect(
    readRow(written({ priceCents: '1.999', tags: `Fine, ${'x'.repeat(41)}`, status: '' }), vehicle),
  ).toEqual({
    wrong: {
      priceCents: 'Price must be a number.',
      tags: 'A tag may have at most 40 characters.',
      status: 'Choose a status.',
    },
  })
  expect(readRow(written({ status: 'hold' }), vehicle)).toEqual({
    wrong: { statusReason: 'Reason is required.' },
  })
  expect(readRow(written({ lotId: 'nowhere' }, { lotId: 'No such lot.' }), vehicle)).toEqual({
    wrong: { lotId: 'No such lot.' },
  })
})

test("keeps only the user's edits on top of another user's version", () => {
  const present = { ...vehicle, priceCents: 100, stock: 'X1', version: 5 }
  const row = rows.overPresent(written({ priceCents: '50' }), { before: vehicle, present, own: OWN_FIELDS })
  expect(row.cells).toMatchObject({ priceCents: '50', stock: 'X1', status: 'live' })
  expect(changedKeys(row, present)).toEqual(['priceCents'])
})

test('sends only changed custom fields, by their type', () => {
  const row = written({
    custom_board: 'B 4',
    custom_length: '-4.5',
    custom_loaner: 'no',
    custom_inspected: '2026-03-01',
    custom_stage: 'Wash',
  })
  expect(readRow(row, vehicle)).toEqual({
    input: {
      id: '7',
      version: 4,
      custom: {
        custom_board: 'B 4',
        custom_length: -4.5,
        custom_loaner: false,
        custom_inspected: '2026-03-01',
        custom_stage: 'Wash',
      },
    },
  })
  expect(readRow(written({ custom_length: '', priceCents: '1' }), vehicle)).toEqual({
    input: { id: '7', version: 4, priceCents: 100, custom: { custom_length: null } },
  })
})

test('reports invalid custom fields in their cells and does not send the row', () => {
  const row = written(
    { custom_length: '1.23456', custom_board: 'x'.repeat(201), custom_loaner: 'maybe', stock: 'S2' },
    { custom_loaner: '"maybe" isn\'t one of the choices: Yes, No.' },
  )
  expect(readRow(row, vehicle)).toEqual({
    wrong: {
      custom_length: 'Length must be a number with at most four decimal places.',
      custom_board: 'Key board must be a single line of at most 200 characters.',
      custom_loaner: '"maybe" isn\'t one of the choices: Yes, No.',
    },
  })
})

test("keeps the user's custom field edits on top of another user's version", () => {
  const present = { ...vehicle, custom: { custom_length: 6, custom_stage: 'Ready' }, version: 5 }
  const row = rows.overPresent(written({ custom_stage: 'Wash' }), {
    before: vehicle,
    present,
    own: OWN_FIELDS,
  })
  expect(row.cells).toMatchObject({ custom_stage: 'Wash', custom_length: '6', custom_loaner: '' })
  expect(changedKeys(row, present)).toEqual(['custom_stage'])
})
