import { expect, test } from 'vitest'
import { whyNotImpersonate } from './why-not.ts'

const user = { isSelf: false, isSuper: false, isActive: true, lock: null }
const yes = () => true

test.for([
  [{}, null],
  [{ isSelf: true }, 'This is your own account.'],
  [{ isSuper: true }, "Super users can't be impersonated."],
  [{ isActive: false }, "This user can't sign in, so you can't impersonate them."],
  [{ lock: "They have permissions you don't have." }, "They have permissions you don't have."],
] as const)('%o: %s', ([more, sentence]) => {
  expect(whyNotImpersonate({ ...user, ...more }, yes, false)).toBe(sentence)
})

test('requires the permission, and no other impersonation in progress', () => {
  expect(whyNotImpersonate(user, yes, true)).toMatch(/^You're already impersonating/)
  expect(whyNotImpersonate(user, () => false, false)).toBe('This requires Impersonation, execute (4, 7).')
})

test('gives no reason while permissions are loading', () => {
  expect(whyNotImpersonate(user, () => null, false)).toBe(null)
})
