import { expect, test } from 'vitest'
import { aVehicle } from '../grid/test-vehicle.ts'
import { formatAge, formatValuation } from './valuation-text.ts'

const TODAY = '2026-11-22'

test('formats a valuation with its source, date and age', () => {
  const vehicle = { ...aVehicle, bookValueCents: 1, bookValueSource: 'J.D. Power', bookValueOn: '2026-11-12' }
  expect(formatValuation(vehicle, 'bookValue', TODAY)).toMatch(
    /^J\.D\. Power, as of .*12.*2026, 10 days ago$/,
  )
  expect(formatValuation({ ...vehicle, bookValueSource: null }, 'bookValue', TODAY)).toMatch(/^as of /)
  expect(formatValuation(aVehicle, 'marketPrice', TODAY)).toBe('')
})

test.for([
  ['2026-11-22', 'today'],
  ['2026-11-21', 'yesterday'],
  ['2026-10-22', '31 days ago'],
  ['2026-11-24', 'in 2 days'],
] as const)('%s is %s', ([day, age]) => {
  expect(formatAge(day, TODAY)).toBe(age)
})
