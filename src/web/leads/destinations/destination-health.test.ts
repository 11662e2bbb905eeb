import { expect, test } from 'vitest'
import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import { destinationOf } from '../routing/example-rules.ts'
import { describeTarget, healthOf } from './destination-health.ts'

const NOW = new Date('2026-11-18T15:00:00Z')
const EARLIER = '2026-11-18T12:00:00Z'

test.each<[string, Partial<LeadDestination>]>([
  ['Paused', { isActive: false, stoppedAt: EARLIER, failed: 3 }],
  ['Stopped', { stoppedAt: EARLIER, failingSince: EARLIER, delivered: 4 }],
  ['Inbox', { kind: 'team', toEmail: null }],
  [
    'Everyone is off',
    { kind: 'team', toEmail: null, members: [{ userId: '2', name: 'Ana Souza', until: '2026-11-20' }] },
  ],
  ['Failing since', { failingSince: EARLIER, delivered: 4, failed: 2 }],
  ['No deliveries', {}],
  ['Waiting', { waiting: 2 }],
  ['Some failed', { delivered: 4, failed: 2 }],
  ['Delivering', { delivered: 4, waiting: 1 }],
])('%s is shown for %o', (label, changes) => {
  expect(healthOf(destinationOf(changes), NOW).label).toMatch(new RegExp(`^${label}`))
})

test('a stopped destination says why, and a failing one counts', () => {
  const reason = 'The receiver said that the webhook is gone.'
  expect(healthOf(destinationOf({ stoppedAt: EARLIER, stopReason: reason }), NOW).detail).toBe(reason)
  expect(
    healthOf(destinationOf({ failingSince: EARLIER, delivered: 4, failed: 2, waiting: 1 }), NOW).detail,
  ).toBe('4 delivered, 2 not delivered, 1 waiting')
})

test('says when the last lead was delivered', () => {
  const recent = destinationOf({ delivered: 4, lastDeliveredAt: '2026-11-18T14:55:00Z' })
  expect(healthOf(recent, NOW).detail).toBe('4 delivered. Last delivered 5 min. ago')
})

test.each<[string, Partial<LeadDestination>]>([
  ['Plain email to ana@northgate.example', {}],
  [
    'ADF email to leads@crm.example, at most 1 lead a day',
    { kind: 'adf', toEmail: 'leads@crm.example', dailyCap: 1 },
  ],
  ['Webhook to https://crm.example', { kind: 'webhook', toEmail: null, url: 'https://crm.example' }],
  ['User: Luis Ortega', { kind: 'user', toEmail: null, userName: 'Luis Ortega' }],
  ['User: deleted', { kind: 'user', toEmail: null }],
  ['Team: the first who accepts', { kind: 'team', toEmail: null }],
  [
    'Team: 2 members in turn, 1 off today',
    {
      kind: 'team',
      toEmail: null,
      members: [
        { userId: '1', name: 'Luis Ortega', until: null },
        { userId: '2', name: 'Ana Souza', until: '2026-11-20' },
      ],
    },
  ],
])('%s', (text, changes) => {
  expect(describeTarget(destinationOf(changes))).toBe(text)
})
