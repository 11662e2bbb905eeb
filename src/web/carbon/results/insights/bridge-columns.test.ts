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
  importedBefore: '0',
  importedAfter: '0',
  missingBefore: 0,
  missingAfter: 0,
})

test('small steps between large totals stay visible: the axis starts above 0', () => {
  const { columns, begins } = bridgeColumns(line(1000, 0, -60, 0, -40))
  expect(begins).toBe(840)
  const activity = columns.find(({ key }) => key === 'activity')
  expect(activity?.from).toBeCloseTo(100 / 160)
  expect(activity?.share).toBeCloseTo(60 / 160)
  expect(columns.at(-1)).toMatchObject({ key: 'after', from: 0, level: 60 / 160 })
})

test('the axis starts at 0 for large steps, and below 0 for a negative total', () => {
  expect(bridgeColumns(line(100, 0, 900, 0, 0)).begins).toBe(0)
  const { columns, begins } = bridgeColumns(line(100, 0, -150, 0, 0))
  expect(begins).toBe(-50)
  expect(columns[0]?.from).toBeCloseTo(50 / 150)
  expect(columns[0]?.share).toBeCloseTo(100 / 150)
})

test('columns have no height if both totals are 0', () => {
  expect(bridgeColumns(line(0, 0, 0, 0, 0)).columns.every(({ share }) => share === 0)).toBe(true)
})
