import { expect, test } from 'vitest'
import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { newCell } from './assignment-draft.ts'
import { otherRegionsMessage, gapsByCell, gapMessage, openGaps } from './factor-gaps.ts'

const oil: FactorGap = {
  sourceType: 'waste_oil',
  sourceName: null,
  sourceLabel: null,
  activity: 'waste/closed-loop/mineral-oil',
  scope: '3.5',
  unit: 'short ton',
  region: 'US-CAMX',
  elsewhere: ['GB'],
  facilityIds: ['5', '6', '7'],
}
const gaps = gapsByCell([oil])
const cell = newCell('waste_oil')

test('counts the assigned cells that lack a factor, by missing factor', () => {
  const cells = [
    ['5/waste_oil', cell],
    ['6/waste_oil', cell],
    ['7/waste_oil', null],
    ['5/electricity', newCell('electricity')],
  ] as const
  expect(openGaps(cells, gaps)).toEqual([{ gap: oil, facilities: 2 }])
})

test('no factor is missing if one was selected manually or emissions are measured', () => {
  expect(openGaps([['5/waste_oil', { ...cell, factorId: '12' }]], gaps)).toEqual([])
  expect(openGaps([['5/waste_oil', { ...cell, method: 'direct' }]], gaps)).toEqual([])
  expect(openGaps([['5/waste_oil', { ...cell, method: 'own_factor' }]], gaps)).toHaveLength(1)
})

test('the message names the region, and regions that have a factor', () => {
  expect(gapMessage(oil)).toBe('No published factor for US-CAMX')
  expect(otherRegionsMessage(oil)).toContain('GB')
  expect(otherRegionsMessage({ ...oil, elsewhere: [] })).toBe(
    'The library has no such factor for any region.',
  )
})
