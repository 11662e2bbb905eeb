import { expect, test } from 'vitest'
import { daysBetween, nameForNextYear, showPeriod } from './assessment-labels.ts'

test('a calendar year is shown as its year, another period with both days', () => {
  expect(showPeriod({ periodStart: '2026-01-01', periodEnd: '2026-12-31' })).toBe('2026')
  expect(showPeriod({ periodStart: '2025-07-01', periodEnd: '2026-06-30' })).toBe(
    'Jul 1, 2025 to Jun 30, 2026',
  )
})

test('days are counted across months and a change of daylight saving time', () => {
  expect(daysBetween('2026-10-25', '2026-11-30')).toBe(36)
  expect(daysBetween('2026-11-30', '2026-11-25')).toBe(-5)
})

test('the name of a copy is for the next year, or says that it is a copy', () => {
  expect(nameForNextYear('Dealer energy 2026')).toBe('Dealer energy 2027')
  expect(nameForNextYear('Site check')).toBe('Site check (copy)')
})
