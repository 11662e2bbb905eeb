import { expect, test } from 'vitest'
import { laterMinutes, laterMinutesOf } from './rule-conditions.ts'

const RULE = { isActive: true, condition: '', steps: [], fromMinute: null, untilMinute: null }
const at = (rule: object) => laterMinutes({ ...RULE, ...rule }, '2026-11-29')

test('a rule is looked at again when all vehicles reached its steps and days, and on and after the dates it names', () => {
  expect(at({ condition: 'year > 2020 && price > 300' })).toEqual([])
  const steps = [30, 60].map((days) => ({ days, cents: 100, percent: null }))
  expect(at({ steps })).toEqual(['2026-12-29T00:00', '2027-01-28T00:00'])
  expect(at({ condition: 'daysInStock > 9 && model == "F-150 daysInStock > 99"' })).toEqual([
    '2026-12-09T00:00',
  ])
  expect(at({ condition: 'today() >= date("2026-12-24")' })).toEqual(['2026-12-24T00:00', '2026-12-25T00:00'])
  expect(at({ condition: 'today() >= date("2020-01-01")' })).toEqual([])
})

test('of one vehicle, the days are counted from its first day in stock', () => {
  const of = (condition: string, inStockOn: string | null) =>
    laterMinutesOf({ ...RULE, condition }, { today: '2026-11-29', inStockOn })
  expect(of('daysInStock > 60', '2026-10-10')).toEqual(['2026-12-09T00:00', '2026-12-10T00:00'])
  expect(of('daysInStock > 60', '2026-01-01')).toEqual([])
  expect(of('daysInStock > 60 && year > 2020', null)).toEqual([])
  expect(of('today() >= date("2026-12-24")', null)).toEqual(['2026-12-24T00:00', '2026-12-25T00:00'])
})

test('only while it is in force, and at most six times', () => {
  expect(at({ isActive: false, condition: 'daysInStock > 9' })).toEqual([])
  expect(at({ condition: 'daysInStock > 9', untilMinute: '2026-12-01T00:00' })).toEqual([])
  const steps = Array.from({ length: 20 }, (_, days) => ({ days: days + 1, cents: 100, percent: null }))
  expect(at({ steps })).toHaveLength(6)
})
