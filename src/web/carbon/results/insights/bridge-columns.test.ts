import { expect, test } from 'vitest'
import { bridgeColumns } from './bridge-columns.ts'

const line = (before: number, boundary: number, activity: number, method: number, factor: number) => ({
  key: 'total',
  title: 'Total',
  before: String(before),
  boundary: String(boundary),
  activity: String(activity),
  method: String(method),
  factor: String(factor),
  after: String(before + boundary + activity + method + factor),
  coverage: '0',
  unmatchedBefore: '0',
  unmatchedAfter: '0',
  importedBefore: '0',
  importedAfter: '0',
  missingBefore: 0,
  missingAfter: 0,
})

test('the axis starts at 0, so that a column is as high as its share of the total', () => {
  const columns = bridgeColumns(line(1000, 0, -60, 0, -40))
  expect(columns.find(({ key }) => key === 'before')).toMatchObject({ from: 0, share: 1 })
  expect(columns.find(({ key }) => key === 'activity')?.share).toBeCloseTo(0.06)
  expect(columns.at(-1)).toMatchObject({ key: 'after', from: 0, share: 0.9, level: 0.9 })
})

test('the axis starts below 0 for a negative total', () => {
  const columns = bridgeColumns(line(100, 0, -150, 0, 0))
  expect(columns[0]?.from).toBeCloseTo(50 / 150)
  expect(columns[0]?.share).toBeCloseTo(100 / 150)
})

test('columns have no height if both totals are 0', () => {
  expect(bridgeColumns(line(0, 0, 0, 0, 0)).every(({ share }) => share === 0)).toBe(true)
})
