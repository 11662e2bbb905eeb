import { expect, test } from 'vitest'
import { GrantedPermissions } from './granted.ts'

const lots = { func: 8, opr: 3 }

test.for([
  ['the list', [lots]],
  ['the object that the permission calls answer', { isSuper: true, permissions: [lots] }],
  ['numbers as text', [{ func: '8', opr: '3' }]],
  ['an entry twice', [lots, { ...lots }]],
  ['more fields in an entry', [{ ...lots, title: 'Lots' }]],
] as const)('%s is taken as the set that is wanted', ([, sent]) => {
  expect(GrantedPermissions.parse(sent)).toEqual([lots])
})

test.for([
  ['a function that does not exist', [{ func: 999, opr: 1 }]],
  ['an operation that the function does not have', [{ func: 1, opr: 3 }]],
  ['nothing at all', null],
  ['a number', 8],
] as const)('%s is refused', ([, sent]) => {
  expect(GrantedPermissions.safeParse(sent).success).toBe(false)
})

test('none is a set, too', () => {
  expect(GrantedPermissions.parse([])).toEqual([])
})
