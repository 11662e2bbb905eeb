import { expect, test } from 'vitest'
import type { EmissionSource, InventoryFacility } from '#contract/carbon/inventories/assignments.ts'
import {
  findStale,
  newCell,
  NO_DRAFT,
  putCells,
  readCell,
  readDraft,
  rebase,
  sourcesByKey,
  suggest,
  toChanges,
} from './assignment-draft.ts'

const SOURCE: EmissionSource = {
  id: '9',
  inventoryId: '1',
  facilityId: '5',
  sourceType: 'electricity',
  sourceName: null,
  sourceLabel: null,
  activity: 'electricity/grid',
  scope: '2',
  unit: 'kWh',
  dataOwnerId: '3',
  dataOwnerName: 'Priya Raman',
  dueOn: null,
  frequency: 'month',
  method: 'calculated',
  factorId: null,
  factorName: null,
  expected: 12,
  there: 0,
  version: 4,
}
const saved = sourcesByKey([SOURCE])
const facility = (more: Partial<InventoryFacility>): InventoryFacility => ({
  id: '5',
  code: 'AUB',
  name: 'Auburn Boulevard',
  level: 'site',
  type: 'showroom',
  country: 'US',
  choice: 'included',
  reason: null,
  spans: [],
  sources: 0,
  version: 1,
  ...more,
})

test('a cell that is set back to its saved value is not a change', () => {
  const off = putCells(saved, NO_DRAFT, { '5/electricity': null })
  expect(off).toEqual({ '5/electricity': { cell: null, version: 4 } })
  expect(readCell(saved, off, '5/electricity')).toBeNull()
  const was = readCell(saved, NO_DRAFT, '5/electricity')
  expect(putCells(saved, off, { '5/electricity': was })).toEqual({})
})

test('converts new and removed cells to changes, with version 0 for a new cell', () => {
  const draft = putCells(saved, NO_DRAFT, { '5/water': newCell('water'), '5/electricity': null })
  expect(toChanges(draft)).toEqual([
    {
      facilityId: '5',
      sourceType: 'water',
      version: 0,
      isAssigned: true,
      dataOwnerId: null,
      dueOn: null,
      frequency: 'month',
      method: 'calculated',
      factorId: null,
      label: null,
    },
    { facilityId: '5', sourceType: 'electricity', version: 4, isAssigned: false },
  ])
})

test('finds cells that others changed, and rebases the draft on them', () => {
  const draft = putCells(saved, NO_DRAFT, { '5/electricity': null })
  const newer = sourcesByKey([{ ...SOURCE, version: 5 }])
  expect([findStale(saved, draft), findStale(newer, draft)]).toEqual([[], ['5/electricity']])
  expect(findStale(newer, rebase(newer, draft))).toEqual([])
  // The cell was unassigned in the meantime, so there is nothing left to remove.
  expect(rebase(sourcesByKey([]), draft)).toEqual({})
})

test('a draft survives storage as text, and invalid text is ignored', () => {
  const draft = putCells(saved, NO_DRAFT, {
    '5/water': { ...newCell('water'), dataOwnerId: '3', dueOn: '2026-03-31', frequency: 'quarter' },
    '5/electricity': null,
  })
  expect(readDraft(JSON.stringify(draft))).toEqual(draft)
  expect([readDraft(''), readDraft('[1]'), readDraft('{"5/water": 7}')]).toEqual([{}, {}, {}])
})

test('suggests sources by the type of a site or building, without categories that are not relevant', () => {
  const proposed = suggest([facility({}), facility({ id: '6', level: 'meter' })], new Set())
  expect(Object.keys(proposed)).toEqual(
    expect.arrayContaining(['5/electricity', '5/demo_cars', '5/commuting']),
  )
  expect(Object.keys(proposed).some((key) => key.startsWith('6/'))).toBe(false)
  expect(suggest([facility({})], new Set([7]))).not.toHaveProperty('5/commuting')
  expect(suggest([facility({ type: null })], new Set())).toEqual({})
})
