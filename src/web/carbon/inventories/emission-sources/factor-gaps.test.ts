import { expect, test } from 'vitest'
import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { newCell } from './assignment-draft.ts'
import { elsewhereWords, gapsByCell, gapWords, openGaps } from './factor-gaps.ts'

const oil: FactorGap = {
  sourceType: 'waste_oil',
  activity: 'waste/closed-loop/mineral-oil',
  scope: '3.5',
  unit: 'short ton',
  region: 'US-CAMX',
  elsewhere: ['GB'],
  facilityIds: ['5', '6', '7'],
}
const gaps = gapsByCell([oil])
const cell = newCell('waste_oil')

test('cells that are assigned and wait for a factor are counted by what they lack', () => {
  const cells = [
    ['5/waste_oil', cell],
    ['6/waste_oil', cell],
    ['7/waste_oil', null],
    ['5/electricity', newCell('electricity')],
  ] as const
  expect(openGaps(cells, gaps)).toEqual([{ gap: oil, facilities: 2 }])
})

test('where a factor was chosen by hand, or emissions are measured, nothing is lacking', () => {
  expect(openGaps([['5/waste_oil', { ...cell, factorId: '12' }]], gaps)).toEqual([])
  expect(openGaps([['5/waste_oil', { ...cell, method: 'direct' }]], gaps)).toEqual([])
  expect(openGaps([['5/waste_oil', { ...cell, method: 'own_factor' }]], gaps)).toHaveLength(1)
})

test('the words name the region, and where there is a factor', () => {
  expect(gapWords(oil)).toBe('No published factor for US-CAMX')
  expect(elsewhereWords(oil)).toContain('GB')
  expect(elsewhereWords({ ...oil, elsewhere: [] })).toBe('The library has none for anywhere.')
})
