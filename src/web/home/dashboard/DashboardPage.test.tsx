import { expect, test } from 'vitest'
import { describe as describeDecision } from './Decisions.tsx'
import { summarize } from './MissingData.tsx'

test('a decision names its largest groups and how many rows are in the others', () => {
  const groups = [
    { label: 'no photos', count: 18 },
    { label: 'lot is hidden', count: 3 },
  ]
  expect(describeDecision({ count: 25, groups })).toBe('No photos 18 · lot is hidden 3 · 4 more')
  expect(describeDecision({ count: 21, groups })).toBe('No photos 18 · lot is hidden 3')
  expect(describeDecision({ count: 18, groups: groups.slice(0, 1) })).toBe('No photos')
  expect(describeDecision({ count: 2, groups: [{ label: null, count: 1 }] })).toBe(
    'Without a name 1 · 1 more',
  )
  expect(describeDecision({ count: null, groups: [] })).toBe('Too many to count here. Open the list.')
})

test('the summary of collected data names the facility that misses the most', () => {
  const facility = (name: string, missing: number) => ({
    facilityId: name,
    name,
    expected: 20,
    there: 20 - missing,
    estimated: 0,
    missing,
    months: [],
  })
  const of = (...facilities: ReturnType<typeof facility>[]) => {
    const missing = facilities.reduce((sum, one) => sum + one.missing, 0)
    return summarize({ expected: 40, there: 40 - missing, estimated: 0, missing, months: [], facilities })
  }
  expect(of(facility('A', 2), facility('B', 4))).toBe('6 data points are missing, 4 of them at B.')
  expect(of(facility('A', 0), facility('B', 4))).toBe('4 data points are missing, all at B.')
  expect(of(facility('A', 1), facility('B', 0))).toBe('1 data point is missing, at A.')
  expect(of(facility('A', 0))).toBe('No data points are missing so far.')
})
