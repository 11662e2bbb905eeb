import { expect, test } from 'vitest'
import { findFactorGaps, type FactorPlace, type FactorRequest } from './factor-gaps.ts'

const water = (facilityId: string, region: string): FactorRequest => ({
  facilityId,
  region,
  sourceType: 'water',
  activity: 'water/supply',
  scope: '3.1',
  unit: 'gallon',
})
const place = (region: string, scopes = ['3.1'], activity = 'water/supply'): FactorPlace => ({
  activity,
  region,
  scopes,
})

test('facilities of a region are told together, with the regions that have a factor', () => {
  const wanted = [water('1', 'US-CAMX'), water('2', 'US-CAMX'), water('3', 'US-ERCT')]
  expect(findFactorGaps(wanted, [place('GB'), place('GB')])).toEqual([
    expect.objectContaining({ region: 'US-CAMX', facilityIds: ['1', '2'], elsewhere: ['GB'] }),
    expect.objectContaining({ region: 'US-ERCT', facilityIds: ['3'], elsewhere: ['GB'] }),
  ])
})

test('a factor of the region, of the country above it, of everywhere or of scope 3 as a whole leads there', () => {
  const wanted = [water('1', 'US-CAMX')]
  for (const one of [place('US-CAMX'), place('US'), place('any'), place('US', ['3'])])
    expect(findFactorGaps(wanted, [one])).toEqual([])
  // Not one of a part for the whole, of another scope, or of another activity.
  for (const one of [place('US-CA'), place('US', ['3.5']), place('US', ['3.1'], 'water/treatment')])
    expect(findFactorGaps(wanted, [one])).toHaveLength(1)
})
