import { expect, test } from 'vitest'
import { receivedOf, receivedWords } from './received.ts'

const TODAY = '2026-11-22'

test('what is all there is received, whenever it was due; what is late and not all there is overdue', () => {
  expect(receivedOf({ expected: 12, there: 12, dueOn: '2026-01-01' }, TODAY)).toBe('received')
  expect(receivedOf({ expected: 12, there: 11, dueOn: '2026-11-21' }, TODAY)).toBe('overdue')
  expect(receivedOf({ expected: 12, there: 11, dueOn: TODAY }, TODAY)).toBe('partly')
  expect(receivedOf({ expected: 12, there: 0, dueOn: null }, TODAY)).toBe('waiting')
  expect(receivedOf({ expected: 0, there: 0, dueOn: null }, TODAY)).toBeNull()
})

test('the mark says how many', () => {
  expect(receivedWords('partly', { expected: 12, there: 7 })).toBe('Partly, 7 of 12 data points')
  expect(receivedWords('waiting', { expected: 1, there: 0 })).toBe('Waiting, 0 of 1 data point')
})
