import { expect, test } from 'vitest'
import type { BridgeLine } from '#contract/carbon/results/comparison.ts'
import { bridgeSteps, changeOf, shareOf } from './bridge-labels.ts'

const line: BridgeLine = {
  key: 'total',
  title: 'Total',
  before: '1000',
  after: '900',
  boundary: '200',
  activity: '-400',
  method: '0',
  factor: '100',
  importedBefore: '0',
  importedAfter: '0',
  missingBefore: 0,
  missingAfter: 0,
}

test('each bar starts where the previous one ends, and the last starts at 0', () => {
  const { steps, least, most } = bridgeSteps(line)
  expect(steps.map(({ key, from, to }) => [key, from, to])).toEqual([
    ['before', 0, 1000],
    ['boundary', 1000, 1200],
    ['activity', 1200, 800],
    ['method', 800, 800],
    ['factor', 800, 900],
    ['after', 0, 900],
  ])
  expect([least, most]).toEqual([0, 1200])
})

test('a change has an amount in kg and a percentage, but no percentage of 0', () => {
  expect(changeOf(line)).toBe('-100')
  expect(shareOf(line)).toBe('-10.0%')
  expect(shareOf({ before: '0', after: '5' })).toBeNull()
})
