import { expect, test } from 'vitest'
import { BLANK_CHANGE, checkChange } from './check-password.ts'

const GOOD = { oldPassword: 'x', newPassword: 'Rivera7!', confirmPassword: 'Rivera7!' }

test('each empty field is reported', () => {
  expect(checkChange(BLANK_CHANGE)).toEqual({
    oldPassword: 'Old Password is required',
    newPassword: 'New Password is required',
    confirmPassword: 'Confirm Password is required',
  })
})

test('a weak password and a mismatch are reported in the words of the specification', () => {
  expect(checkChange({ ...GOOD, newPassword: 'weak' })).toEqual({
    newPassword:
      'Password must contain at least one uppercase letter, one lowercase letter, one number, and one special character(!@#$%^&*), and be at least 7 characters long.',
    confirmPassword: 'Password and Confirm Password must be match.',
  })
})

test('a valid change has no errors', () => {
  expect(checkChange(GOOD)).toEqual({})
})
