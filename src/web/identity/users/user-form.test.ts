import { expect, test } from 'vitest'
import { nameDroppedOverrides, typeEmail, userForm, warnOfOverrides } from './user-form.ts'

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

test('another user type says what becomes of overrides, before and after it is saved', () => {
  const user = { userTypeId: '1', differences: 3 }
  expect(warnOfOverrides(user, '2')).toContain('has 3 permission overrides')
  expect(nameDroppedOverrides(user, { userTypeId: '2', differences: 1 })).toContain(
    '2 permission overrides dropped',
  )
  expect([
    warnOfOverrides(null, '2'),
    warnOfOverrides(user, '1'),
    warnOfOverrides({ ...user, differences: 0 }, '2'),
    nameDroppedOverrides(user, { userTypeId: '2', differences: 3 }),
  ]).toEqual([null, null, null, null])
})
