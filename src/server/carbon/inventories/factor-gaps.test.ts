import { expect, test } from 'vitest'
import { findFactorGaps, type FactorPlace, type FactorRequest } from './factor-gaps.ts'

const water = (facilityId: string, region: string): FactorRequest => ({
  facilityId,
  region,
  sourceType: 'water',
  sourceName: null,
  sourceLabel: null,
  activity: 'water/supply',
  scope: '3.1',
  unit: 'gallon',
})
const place = (region: string, scopes = ['3.1'], activity = 'water/supply'): FactorPlace => ({
  activity,
  region,
  scopes,
})

test('groups facilities by region and lists the regions that have a factor', () => {
  const wanted = [water('1', 'US-CAMX'), water('2', 'US-CAMX'), water('3', 'US-ERCT')]
  expect(findFactorGaps(wanted, [place('GB'), place('GB')])).toEqual([
    expect.objectContaining({ region: 'US-CAMX', facilityIds: ['1', '2'], elsewhere: ['GB'] }),
    expect.objectContaining({ region: 'US-ERCT', facilityIds: ['3'], elsewhere: ['GB'] }),
  ])
})

test('accepts a factor for the region, its country, any region, or scope 3 as a whole', () => {
  const wanted = [water('1', 'US-CAMX')]
  for (const one of [place('US-CAMX'), place('US'), place('any'), place('US', ['3'])])
    expect(findFactorGaps(wanted, [one])).toEqual([])
  // Not a factor for only a part of the region, another scope, or another activity.
  for (const one of [place('US-CA'), place('US', ['3.5']), place('US', ['3.1'], 'water/treatment')])
    expect(findFactorGaps(wanted, [one])).toHaveLength(1)
})
