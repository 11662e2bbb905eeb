import { expect, test } from 'vitest'
import { inShownOrder, isOrderOld } from './stable-order.ts'

const rows = (ids: string) => ids.split('').map((id) => ({ id }))
const order = (shown: string, now: string) =>
  inShownOrder(shown.split(''), rows(now))
    .map(({ id }) => id)
    .join('')

test.each([
  ['', 'abc', 'abc'],
  // a was answered: it stays where it is.
  ['abc', 'bca', 'abc'],
  // d came in as the most urgent one, e in the middle.
  ['abc', 'dabec', 'dabec'],
  ['abc', 'c', 'c'],
  ['abc', 'dbca', 'dabc'],
])('shown %s, now %s: %s', (shown, now, expected) => {
  expect(order(shown, now)).toBe(expected)
})

test('another order is noticed', () => {
  expect(isOrderOld(rows('abc'), rows('abc'))).toBe(false)
  expect(isOrderOld(rows('abc'), rows('bca'))).toBe(true)
})
