import { expect, test } from 'vitest'
import { describeEmails } from './opening.ts'

test('the emails are counted in one sentence', () => {
  expect(describeEmails({ users: 0, invitations: 0 })).toBe('No emails are sent.')
  expect(describeEmails({ users: 1, invitations: 0 })).toBe('1 email is sent to people with an account.')
  expect(describeEmails({ users: 0, invitations: 1 })).toBe(
    '1 email is sent: 1 invitation to people without an account.',
  )
  expect(describeEmails({ users: 4, invitations: 2 })).toBe(
    '6 emails are sent: 4 to people with an account, and 2 invitations to people without one.',
  )
})
