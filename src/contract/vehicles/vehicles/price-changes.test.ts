import { expect, test } from 'vitest'
import { namePriceChanges, needsConfirmation } from './price-changes.ts'

const LIMITS = { changePercent: 30, stockPercent: 10, minCents: 50_000, maxCents: 100_000_000 }

test.each([
  [2_100_000, 100, true],
  [2_100_000, 1_470_000, false],
  [2_100_000, 1_469_999, true],
  [2_100_000, 2_730_000, false],
  [2_100_000, 2_730_001, true],
  [null, 100, true],
  [null, 99_999_999_900, true],
  [null, 2_100_000, false],
  [0, 2_100_000, false],
  // Removing a price hides the vehicle and advertises nothing wrong.
  [2_100_000, null, false],
  [2_100_000, 0, false],
  // An unusual price that is already there stays as it is.
  [100, 100, false],
])('from %s to %s cents needs confirmation: %s', (beforeCents, afterCents, expected) => {
  expect(needsConfirmation({ title: 'A', beforeCents, afterCents }, LIMITS)).toBe(expected)
})

test('names the vehicles with both amounts, and at most five', () => {
  const one = { title: '2021 Ford Escape', beforeCents: 2_100_050, afterCents: 100 }
  expect(namePriceChanges([one], 'USD')).toBe('2021 Ford Escape, $21,000.50 to $1')
  expect(
    namePriceChanges(
      Array.from({ length: 6 }, () => one),
      'USD',
    ),
  ).toMatch(/(; 2021 Ford Escape.*){4}; and others$/)
})
