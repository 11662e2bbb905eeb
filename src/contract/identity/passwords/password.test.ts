import { expect, test } from 'vitest'
import { NewPassword, PASSWORD_RULE_MESSAGE } from './password.ts'

test.for(['Abcde1!', 'DemoForecourt7!', 'aA1@aA1@', `aA1*${'x'.repeat(200)}`])(
  '%s meets the rule',
  (given) => {
    expect(NewPassword.parse(given)).toBe(given)
  },
)

test.for([
  ['six characters', 'Abcd1!'],
  ['no capital', 'abcde1!'],
  ['no small letter', 'ABCDE1!'],
  ['no digit', 'Abcdef!'],
  ['no special character', 'Abcdef1'],
  ['a special character that is not in the list', 'Abcde1!?'],
  ['a space', 'Abc de1!'],
  ['a letter beyond a to z', 'Äbcde1!x'],
] as const)('%s is refused in the words of the specification', ([, given]) => {
  expect(NewPassword.safeParse(given).error?.issues[0]?.message).toBe(PASSWORD_RULE_MESSAGE)
})
