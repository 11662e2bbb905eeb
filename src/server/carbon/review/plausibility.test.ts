import { expect, test } from 'vitest'
import { plausibilityOf } from './plausibility.ts'

const MJ_PER_KWH = 3.6

test('a first bill of 1 GWh in a month is unusual, and far more is impossible', () => {
  expect(plausibilityOf('energy', (60_000 / 30) * MJ_PER_KWH)).toBeNull()
  expect(plausibilityOf('energy', (1_000_000 / 30) * MJ_PER_KWH)).toBe(
    '33,300 kWh per day is unusually high for one site. Are quantity and unit right?',
  )
  expect(plausibilityOf('energy', (9e15 / 31) * MJ_PER_KWH)).toMatch(/^No site uses/)
})

test('nothing is said about money and counts', () => {
  expect([plausibilityOf('money', 1e12), plausibilityOf('count', 1e12)]).toEqual([null, null])
})
