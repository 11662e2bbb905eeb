import { expect, test } from 'vitest'
import { sampleInvitation as invitation } from '#test/factories/assessments/sample-target.ts'
import { describeExpiry, describeInvitation, extendLock, linkLock, revokeLock } from './invitation-labels.ts'

const expiresAt = '2020-01-31T23:59:59.000Z'

test('a person without a link is told apart by whether the assessment is open and what became of the email', () => {
  expect(describeInvitation(invitation({}), false)).toBe('Sent when the assessment opens')
  expect(describeInvitation(invitation({}), true)).toBe('No invitation yet')
  expect(describeInvitation(invitation({ mailState: 'kept' }), true)).toBe(
    "Emails aren't sent. Copy the link instead.",
  )
  expect(describeInvitation(invitation({ expiresAt }), true)).toBe('Link copied')
})

test('a link has a last day until it is used up or revoked', () => {
  expect(describeExpiry(invitation({ state: 'expired', expiresAt }))).toMatch(
    /^Ended Jan 31, 2020|^Ended Feb 1, 2020/,
  )
  expect(describeExpiry(invitation({ state: 'submitted', expiresAt }))).toBe('')
})

test("what can't be done with an invitation has a reason", () => {
  const submitted = invitation({ state: 'submitted', expiresAt })
  const revoked = invitation({ state: 'revoked', expiresAt })
  const expired = invitation({ state: 'expired', expiresAt })
  expect([submitted, revoked, expired].map((one) => linkLock(one, null))).toEqual([
    'Tom Becker has submitted already.',
    null,
    null,
  ])
  expect([submitted, revoked, expired].map((one) => extendLock(one, null))).toEqual([
    'Tom Becker has submitted already.',
    'Access was revoked. Send a new invitation instead.',
    null,
  ])
  expect(revokeLock(invitation({}))).toBe('Tom Becker has no invitation yet.')
  expect(revokeLock(expired)).toBeNull()
  expect(linkLock(expired, 'It is closed.')).toBe('It is closed.')
})
