import { expect, test } from 'vitest'
import { typeEmail, userForm } from './user-form.ts'

const { blank, check } = userForm

test('an empty form names the required fields', () => {
  expect(check(blank)).toEqual({
    firstName: 'First name is required.',
    lastName: 'Last name is required.',
    email: 'Email is required.',
    userName: 'User name is required.',
    userTypeId: 'User type is required.',
  })
})

test('the user name follows the email address until it is edited', () => {
  const first = { ...blank, ...typeEmail(blank, 'ana@x.example') }
  expect(first.userName).toBe('ana@x.example')
  const second = { ...first, ...typeEmail(first, 'ana@y.example') }
  expect(second.userName).toBe('ana@y.example')
  const own = { ...second, userName: 'ana' }
  expect({ ...own, ...typeEmail(own, 'ana@z.example') }.userName).toBe('ana')
})
