import { expect, test } from 'vitest'
import { whyNotImpersonate } from './why-not.ts'

const person = { isSelf: false, isSuper: false, isActive: true, lock: null }
const yes = () => true

test.for([
  [{}, null],
  [{ isSelf: true }, 'This is your own account.'],
  [{ isSuper: true }, 'Nobody acts as a super user.'],
  [{ isActive: false }, 'They may not sign in, so nobody acts as them.'],
  [{ lock: 'They may do what you may not.' }, 'They may do what you may not.'],
] as const)('of %o it says %s', ([more, sentence]) => {
  expect(whyNotImpersonate({ ...person, ...more }, yes, false)).toBe(sentence)
})

test('nobody goes from one skin into another, and none without the permission', () => {
  expect(whyNotImpersonate(person, yes, true)).toMatch(/^You are acting/)
  expect(whyNotImpersonate(person, () => false, false)).toBe('It needs Impersonation, execute (4, 7).')
})

test('while the permissions are on their way nothing is claimed', () => {
  expect(whyNotImpersonate(person, () => null, false)).toBe(null)
})
