import { expect, test } from 'vitest'
import { monthFinding, monthStacks, scopeSums } from './month-stacks.ts'

const line = (key: string, location: string) => ({
  key,
  title: key,
  location,
  market: location,
  biogenic: '0',
  other: '0',
  imported: '0',
  importedMarket: '0',
  missing: 0,
  estimated: 0,
})
const part = (month: string, scope: '1' | '2' | '3', kg: string) => ({
  month,
  scope,
  location: kg,
  market: '0',
})

const MONTHS = [line('2025-01-01', '84000'), line('2025-02-01', '42000')]
const PARTS = [
  part('2025-01-01', '1', '60000'),
  part('2025-01-01', '3', '24000'),
  part('2025-02-01', '2', '42000'),
]

test('a month is a stack of its scopes, and axis lines are round numbers', () => {
  const { stacks, lines } = monthStacks({ months: MONTHS, monthScopes: PARTS }, 'location')
  expect(lines).toEqual([0, 25000, 50000, 75000, 100000])
  expect(stacks.map(({ slices }) => slices.map(({ scope, from, share }) => [scope, from, share]))).toEqual([
    [
      ['1', 0, 0.6],
      ['3', 0.6, 0.24],
    ],
    [['2', 0, 0.42]],
  ])
})

test('months without emissions have an axis and no columns', () => {
  const { stacks, lines } = monthStacks({ months: [line('2025-01-01', '0')], monthScopes: [] }, 'location')
  expect(stacks[0]?.slices).toEqual([])
  expect(lines).toEqual([0, 1])
})

test('sums each scope over the months without rounding', () => {
  expect(scopeSums([...PARTS, part('2025-02-01', '1', '0.1')], 'location')).toEqual([
    { scope: '1', kg: '60000.1' },
    { scope: '2', kg: '42000' },
    { scope: '3', kg: '24000' },
  ])
})

test('the finding compares the highest month with the lowest', () => {
  expect(monthFinding(MONTHS, 'location')).toBe('Jan 2025 is the highest, 2.0 times Feb 2025.')
  expect(monthFinding(MONTHS.slice(0, 1), 'location')).toBe('Jan 2025 is the only month with emissions.')
  expect(monthFinding(MONTHS, 'location', ['2025-02-01'])).toBe('Jan 2025 is the only complete month.')
  expect(monthFinding(MONTHS, 'location', ['2025-01-01', '2025-02-01'])).toBe(
    'Every month still has missing data.',
  )
  expect(monthFinding([line('2025-01-01', '0')], 'location')).toBe('No emissions yet.')
})
