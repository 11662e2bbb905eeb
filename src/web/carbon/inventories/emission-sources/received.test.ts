import { expect, test } from 'vitest'
import { receivedOf, receivedLabel } from './received.ts'

const TODAY = '2026-11-22'

test('complete data is received even after its due date; incomplete data past its due date is overdue', () => {
  expect(receivedOf({ expected: 12, there: 12, dueOn: '2026-01-01' }, TODAY)).toBe('received')
  expect(receivedOf({ expected: 12, there: 11, dueOn: '2026-11-21' }, TODAY)).toBe('overdue')
  expect(receivedOf({ expected: 12, there: 11, dueOn: TODAY }, TODAY)).toBe('partial')
  expect(receivedOf({ expected: 12, there: 0, dueOn: null }, TODAY)).toBe('waiting')
  expect(receivedOf({ expected: 0, there: 0, dueOn: null }, TODAY)).toBeNull()
})

test('the mark shows the number of data points', () => {
  expect(receivedLabel('partial', { expected: 12, there: 7 })).toBe('Partial, 7 of 12 data points')
  expect(receivedLabel('waiting', { expected: 1, there: 0 })).toBe('Waiting, 0 of 1 data point')
})
