import { expect, test } from 'vitest'
import { BLANK, checkUser, typeEmail } from './user-form.ts'

test('an empty form names the required fields', () => {
  expect(checkUser(BLANK)).toEqual({
    'user.firstName': 'First name is required.',
    'user.lastName': 'Last name is required.',
    'user.email': 'Enter a valid email address.',
    'user.userName': 'User name is required.',
    'user.userTypeId': 'User type is required.',
  })
})

test('the user name follows the email address until it is edited', () => {
  const first = { ...BLANK, ...typeEmail(BLANK, 'ana@x.example') }
  expect(first.userName).toBe('ana@x.example')
  const second = { ...first, ...typeEmail(first, 'ana@y.example') }
  expect(second.userName).toBe('ana@y.example')
  const own = { ...second, userName: 'ana' }
  expect({ ...own, ...typeEmail(own, 'ana@z.example') }.userName).toBe('ana')
})
