import { expect, test } from 'vitest'
import { isNearName } from './near-name.ts'

test.each([
  ['Marcus Bell', 'marcus bell'],
  ['José García', 'Jose Garcia'],
  ['M. Bell', 'Marcus Bell'],
  ['Bell, Marcus', 'Marcus Bell'],
  ['Marcus', 'Marcus Bell'],
  ['Markus Bell', 'Marcus Bell'],
  ['Marcsu Bell', 'Marcus Bell'],
])('%s may be %s', (one, other) => {
  expect([isNearName(one, other), isNearName(other, one)]).toEqual([true, true])
})

test.each([
  ['Marcus Bell', 'Anna Bell'],
  ['M.', 'Marcus Bell'],
  ['Ann Lee', 'Ana Leo'],
  ['', 'Marcus Bell'],
  [null, null],
])('%s is not %s', (one, other) => {
  expect([isNearName(one, other), isNearName(other, one)]).toEqual([false, false])
})
