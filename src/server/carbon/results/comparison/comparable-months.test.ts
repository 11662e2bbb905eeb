import { expect, test } from 'vitest'
import { type MonthOfSource, unmatchedMonths } from './comparable-months.ts'

/** Months of one source from January on, with the days that are covered. */
const months = (year: number, days: readonly number[], more: Partial<MonthOfSource> = {}): MonthOfSource[] =>
  days.map((covered, at) => ({
    facilityId: '1',
    sourceType: 'electricity',
    frequency: 'month',
    month: `${year}-${String(at + 1).padStart(2, '0')}-01`,
    at,
    days: covered,
    isOpen: true,
    ...more,
  }))
const monthsOf = (all: readonly { month: string }[]) => all.map(({ month }) => month)

test('a month without data, or with part of it, has no counterpart; a leap day makes no difference', () => {
  const { before, after } = unmatchedMonths(months(2024, [31, 29, 31, 30]), months(2025, [31, 28, 12, 0]))
  expect(monthsOf(before)).toEqual(['2024-03-01', '2024-04-01'])
  expect(monthsOf(after)).toEqual(['2025-03-01', '2025-04-01'])
})

test('months after the end of a shorter inventory have no counterpart', () => {
  const { before, after } = unmatchedMonths(months(2024, [31, 29, 31]), months(2025, [31]))
  expect(monthsOf(before)).toEqual(['2024-02-01', '2024-03-01'])
  expect(after).toEqual([])
})

test('a yearly data point is compared as a whole', () => {
  const yearly = { frequency: 'year' } as const
  const full = months(2024, [31, 29], yearly)
  expect(unmatchedMonths(full, months(2025, [31, 28], yearly)).before).toEqual([])
  expect(unmatchedMonths(full, months(2025, [31, 0], yearly)).before).toHaveLength(2)
})

test('a closed facility and a source that only one inventory has are changes, not missing data', () => {
  const closed = months(2025, [0], { isOpen: false })
  expect(unmatchedMonths(months(2024, [31]), closed).before).toEqual([])
  expect(unmatchedMonths(months(2024, [31]), []).before).toEqual([])
})
