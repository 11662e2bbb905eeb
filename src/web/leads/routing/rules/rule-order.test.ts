import { expect, test } from 'vitest'
import { moveAfter, moveBy, moveTo, orderedIds } from './rule-order.ts'

const rules = ['1', '2', '3', '9'].map((id) => ({ id, isCatchAll: id === '9' }))
const ids = (moved: typeof rules | null) => moved?.map(({ id }) => id).join('') ?? null

test('a rule moves up and down, but not past either end', () => {
  expect(ids(moveBy(rules, '2', -1))).toBe('2139')
  expect(ids(moveBy(rules, '2', 1))).toBe('1329')
  expect(ids(moveBy(rules, '1', -1))).toBeNull()
  expect(ids(moveBy(rules, '3', 1))).toBeNull()
})

test('the catch-all rule stays last', () => {
  expect(ids(moveBy(rules, '9', -1))).toBeNull()
  expect(ids(moveTo(rules, '1', '9'))).toBeNull()
  expect(ids(moveTo(rules, '9', '1'))).toBeNull()
  expect(orderedIds(rules)).toEqual(['1', '2', '3'])
})

test('a rule takes the position of another one', () => {
  expect(ids(moveTo(rules, '1', '3'))).toBe('2319')
  expect(ids(moveTo(rules, '3', '1'))).toBe('3129')
  expect(ids(moveTo(rules, '1', '1'))).toBeNull()
  expect(ids(moveTo(rules, '1', '7'))).toBeNull()
})

test('a copy follows its original', () => {
  expect(ids(moveAfter(rules, '3', '1'))).toBe('1329')
  expect(ids(moveAfter(rules, '7', '1'))).toBe('1239')
})
