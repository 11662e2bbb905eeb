import { expect, test } from 'vitest'
import { aVehicle as vehicle } from './test-vehicle.ts'
import { changedKeys, overPresent, readRow, rowOf } from './vehicle-rows.ts'

const written = (cells: Record<string, string>, refused: Record<string, string> = {}) => {
  const row = rowOf(vehicle)
  return { ...row, cells: { ...row.cells, ...cells }, refused }
}

test('a row that was not written in differs in nothing', () => {
  expect(changedKeys(rowOf(vehicle), vehicle)).toEqual([])
})

test('only what differs is sent, as the contract has it', () => {
  expect(readRow(written({ priceCents: '43999.99', tags: 'Auction; Front line,' }), vehicle)).toEqual({
    input: { id: '7', version: 4, priceCents: 4_399_999, tags: ['Auction', 'Front line'] },
  })
  expect(readRow(written({ priceCents: '', stock: '' }), vehicle)).toEqual({
    input: { id: '7', version: 4, priceCents: null, stock: null },
  })
})

test('what cannot be is told at its cell, in the words of the contract', () => {
  expect(
    readRow(written({ priceCents: '1.999', tags: `Fine, ${'x'.repeat(41)}`, status: '' }), vehicle),
  ).toEqual({
    wrong: {
      priceCents: 'Price must be an amount, in whole cents.',
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

test('over what somebody else changed, only what the person wrote stays', () => {
  const present = { ...vehicle, priceCents: 100, stock: 'X1', version: 5 }
  const row = overPresent(written({ priceCents: '50' }), vehicle, present)
  expect(row.cells).toMatchObject({ priceCents: '50', stock: 'X1', status: 'live' })
  expect(changedKeys(row, present)).toEqual(['priceCents'])
})
