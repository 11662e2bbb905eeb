import { expect, test } from 'vitest'
import { checkOtp } from './check-otp.ts'

test.for([
  ['email', '', 'Code is required.'],
  ['email', ' 12 34-56 ', undefined],
  ['authenticator', '12345', 'Enter all 6 digits.'],
  ['authenticator', '1234567', 'Enter all 6 digits.'],
  ['authenticator', '12345a', 'Enter all 6 digits.'],
  ['backup', ' ', 'Backup code is required.'],
  ['backup', 'demo aaaa 2222', undefined],
  ['backup', 'DEMO-AAAA-222', 'Enter all 12 letters and digits.'],
] as const)('%s %j: %s', ([type, typed, sentence]) => {
  expect(checkOtp(type, typed)).toBe(sentence)
})
