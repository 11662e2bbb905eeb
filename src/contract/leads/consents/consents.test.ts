import { expect, test } from 'vitest'
import { channelPermissions } from './consents.ts'

type Events = Parameters<typeof channelPermissions>[0]
const all = { hasEmail: true, hasPhone: true }
const reasons = (events: Events, reach = all) =>
  Object.fromEntries(channelPermissions(events, reach).map(({ channel, reason }) => [channel, reason]))

test('an inquiry may be answered by email and phone, but not by text', () => {
  expect(reasons([])).toEqual({ email: null, call: null, text: 'Text needs consent.' })
})

test('the latest event of a channel counts, and a declined marketing consent forbids no answer', () => {
  const revoked = { kind: 'revoked', channel: 'email', purpose: 'inquiry' } as const
  const given = { kind: 'given', channel: 'email', purpose: 'inquiry' } as const
  expect(reasons([revoked, given]).email).toMatch('asked not to be emailed')
  expect(reasons([given, revoked]).email).toBeNull()
  expect(reasons([{ kind: 'declined', channel: 'email', purpose: 'marketing' }]).email).toBeNull()
  expect(reasons([{ kind: 'revoked', channel: 'email', purpose: 'marketing' }]).email).toBeNull()
})

test('a channel without an address says so', () => {
  expect(reasons([], { hasEmail: false, hasPhone: false })).toEqual({
    email: 'There is no email address.',
    call: 'There is no phone number.',
    text: 'There is no phone number.',
  })
})
