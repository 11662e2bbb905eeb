import fc from 'fast-check'
import { expect, test } from 'vitest'
import { can, Func, Opr, type Permission } from '#contract/permissions.ts'
import {
  applyDifferences,
  differencesBetween,
  holdable,
  isSameSet,
  keyOf,
  nameSome,
  permissionOf,
} from './permission-sets.ts'

const everything: Permission[] = Object.values(Func).flatMap(({ func, operations }) =>
  operations.map((opr) => ({ func, opr })),
)
const sets = fc.subarray(everything)

test('stored differences restore exactly the wanted set', () => {
  fc.assert(
    fc.property(sets, sets, (grants, wanted) => {
      const given = applyDifferences(grants, differencesBetween(grants, wanted))
      expect([given.length, isSameSet(given, wanted)]).toEqual([wanted.length, true])
    }),
  )
})

test('stores no duplicate or redundant differences', () => {
  fc.assert(
    fc.property(sets, sets, (grants, wanted) => {
      const stored = differencesBetween(grants, wanted)
      const granted = new Set(grants.map(keyOf))
      expect(new Set(stored.map(keyOf)).size).toBe(stored.length)
      expect(stored.every((one) => one.isAllowed !== granted.has(keyOf(one)))).toBe(true)
    }),
  )
})

test('ignores differences that a new type makes redundant', () => {
  const lot = can(Func.lots, Opr.list)
  const allowed = [{ ...lot, isAllowed: true }]
  const denied = [{ ...lot, isAllowed: false }]
  expect([applyDifferences([lot], allowed), applyDifferences([], denied)]).toEqual([[lot], []])
})

test('converts permissions to numbers and back', () => {
  expect(everything.map(keyOf).map(permissionOf)).toEqual(everything)
})

test('gives platform permissions only to platform staff', () => {
  const both = [can(Func.lots, Opr.list), can(Func.customers, Opr.list)]
  expect([holdable(both, true), holdable(both, false)]).toEqual([both, both.slice(0, 1)])
})

test('names three permissions and counts the others', () => {
  expect(nameSome(everything.slice(0, 1))).toBe('Dashboard, list (1, 1)')
  expect(nameSome(everything.slice(0, 5))).toBe(
    'Dashboard, list (1, 1); Users, list (2, 1); Users, read (2, 2) and 2 more',
  )
})
