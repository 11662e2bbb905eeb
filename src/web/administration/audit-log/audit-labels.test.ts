import { expect, test } from 'vitest'
import { actorOf, describeEntry } from './audit-labels.ts'

test.for([
  [{ operation: 'insert', kind: 'lots', what: 'Main street' }, 'Added lot Main street'],
  [{ operation: 'delete', kind: 'user_types', what: 'Detailer' }, 'Deleted user type Detailer'],
  [{ operation: 'update', kind: 'brand_new_things', what: '7' }, 'Changed brand new things 7'],
  [{ operation: 'event', kind: 'users', what: 'sent a password mail' }, 'Sent a password mail'],
] as const)('%o is told as %s', ([entry, words]) => {
  expect(describeEntry(entry)).toBe(words)
})

test('what nobody did was done by the product', () => {
  expect(actorOf({ actor: null })).toBe('Forecourt')
  expect(actorOf({ actor: 'Dana Whitfield' })).toBe('Dana Whitfield')
})
