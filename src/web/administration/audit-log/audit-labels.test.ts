import { expect, test } from 'vitest'
import { actorOf, describeEntry } from './audit-labels.ts'

test.for([
  [{ operation: 'insert', kind: 'lots', what: 'Main street' }, 'Added lot Main street'],
  [{ operation: 'delete', kind: 'user_types', what: 'Detailer' }, 'Deleted user type Detailer'],
  [{ operation: 'update', kind: 'brand_new_things', what: '7' }, 'Changed brand new things 7'],
  [{ operation: 'insert', kind: 'emission_sources', what: 'emission source' }, 'Added emission source'],
  [
    { operation: 'insert', kind: 'user_permissions', what: 'Denied Lots, export for Ann Lee' },
    'Denied Lots, export for Ann Lee',
  ],
  [{ operation: 'event', kind: 'users', what: 'sent a password email' }, 'Sent a password email'],
] as const)('%o is described as %s', ([entry, words]) => {
  expect(describeEntry(entry)).toBe(words)
})

test('names the product as the actor when there is no user', () => {
  expect(actorOf({ actor: null, kind: 'lots' })).toBe('Forecourt')
  expect(actorOf({ actor: null, kind: 'sign_ins' })).toBe('Not signed in')
  expect(actorOf({ actor: 'Dana Whitfield', kind: 'sign_ins' })).toBe('Dana Whitfield')
})
