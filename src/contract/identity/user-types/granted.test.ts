import { expect, test } from 'vitest'
import { GrantedPermissions } from './granted.ts'

const lots = { func: 8, opr: 3 }

test.for([
  ['a list', [lots]],
  ['the object that the permission calls return', { isSuper: true, permissions: [lots] }],
  ['numbers as text', [{ func: '8', opr: '3' }]],
  ['an entry twice', [lots, { ...lots }]],
  ['more fields in an entry', [{ ...lots, title: 'Lots' }]],
] as const)('accepts %s', ([, sent]) => {
  expect(GrantedPermissions.parse(sent)).toEqual([lots])
})

test.for([
  ['a function that does not exist', [{ func: 999, opr: 1 }]],
  ["an operation that the function doesn't have", [{ func: 1, opr: 3 }]],
  ['nothing at all', null],
  ['a number', 8],
] as const)('rejects %s', ([, sent]) => {
  expect(GrantedPermissions.safeParse(sent).success).toBe(false)
})

test('accepts an empty list', () => {
  expect(GrantedPermissions.parse([])).toEqual([])
})
