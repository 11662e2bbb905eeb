import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NewPassword } from '#contract/identity/passwords/password.ts'
import { meetsPasswordRule } from './password-rule.ts'

const characters = Array.from('abzABZ059!@#$%^&* ?ä-').map((one) => fc.constant(one))

test('the listed requirements together match the rule in the contract', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(...characters), maxLength: 12 }), (text) => {
      expect(meetsPasswordRule(text)).toBe(NewPassword.safeParse(text).success)
    }),
    { numRuns: 2000 },
  )
})

test('a password meets the rule only if it meets every requirement', () => {
  expect(meetsPasswordRule('DemoForecourt7!')).toBe(true)
  expect(meetsPasswordRule('Abcd1!')).toBe(false)
})
