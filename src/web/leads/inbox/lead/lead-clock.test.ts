import { expect, test } from 'vitest'
import { clockOf } from './lead-clock.ts'

const NOW = Date.parse('2026-11-18T15:00:00Z')
const lead = {
  waitsUntil: null,
  snoozedUntil: null,
  firstResponseAt: null,
  unansweredSince: null,
  outcome: 'open',
  status: 'routed',
  zone: 'America/Los_Angeles',
} as const
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString()

test.each([
  [15, 'mute', '15 min left'],
  [9, 'warn', '9 min left'],
  [0.5, 'warn', '1 min left'],
  [0, 'bad', '1 min late'],
  [-14, 'bad', '14 min late'],
  [-125, 'bad', '2 h 5 min late'],
  [-60 * 72, 'bad', '3 days late'],
  [90, 'mute', '1 h 30 min left'],
] as const)('%d minutes before the deadline is %s: %s', (minutes, tone, text) => {
  expect(clockOf({ ...lead, waitsUntil: at(minutes) }, NOW)).toEqual({ tone, text })
})

test('a deadline in the next opening hours is a time of the lot, not a count of minutes', () => {
  const { text } = clockOf({ ...lead, waitsUntil: '2026-11-19T17:15:00Z' }, NOW)
  expect(text).toMatch(/^Respond by .*Nov 19.*9:15/)
})

test('an answered lead is not late, and a snoozed one says until when', () => {
  expect(clockOf({ ...lead, firstResponseAt: at(-30) }, NOW).text).toMatch(/^Answered /)
  expect(clockOf({ ...lead, snoozedUntil: at(60) }, NOW).tone).toBe('info')
  expect(clockOf({ ...lead, snoozedUntil: at(-60) }, NOW).text).toBe('Not answered')
})
