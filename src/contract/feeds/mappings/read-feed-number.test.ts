import { expect, test } from 'vitest'
import { toCents } from './read-feed-number.ts'

test.for([
  ['0', 0],
  ['12', 1_200],
  ['12.3', 1_230],
  ['12.34', 1_234],
  ['12.344999', 1_234],
  ['12.345', 1_235],
  ['12.3451', 1_235],
  ['0.005', 1],
  ['0.004', 0],
  ['9.995', 1_000],
  ['-12.345', -1_235],
  ['-0.004', 0],
  ['90071992547409.91', 9_007_199_254_740_991],
] as const)('converts %s to %i cents, rounding half away from zero', ([digits, cents]) => {
  expect(toCents(digits)).toBe(cents)
})
