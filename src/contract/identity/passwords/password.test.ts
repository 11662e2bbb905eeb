import { expect, test } from 'vitest'
import { NewPassword, PASSWORD_RULE_MESSAGE } from './password.ts'

test.for(['Abcde1!', 'DemoForecourt7!', 'aA1@aA1@', `aA1*${'x'.repeat(200)}`])('accepts %s', (password) => {
  expect(NewPassword.parse(password)).toBe(password)
})

test.for([
  ['six characters', 'Abcd1!'],
  ['no uppercase letter', 'abcde1!'],
  ['no lowercase letter', 'ABCDE1!'],
  ['no digit', 'Abcdef!'],
  ['no special character', 'Abcdef1'],
  ['a special character outside the allowed set', 'Abcde1!?'],
  ['a space', 'Abc de1!'],
  ['a letter outside a to z', 'Äbcde1!x'],
] as const)('rejects a password with %s, using the message from the specification', ([, password]) => {
  expect(NewPassword.safeParse(password).error?.issues[0]?.message).toBe(PASSWORD_RULE_MESSAGE)
})
