import { expect, test } from 'vitest'
import { runWords, scheduleWords } from './channel-words.ts'

const run = {
  id: '1',
  state: 'sent' as const,
  askedBy: null,
  startedAt: '2026-11-21T09:00:00Z',
  endedAt: '2026-11-21T09:00:01Z',
  offered: 412,
  held: 9,
  bytes: 1,
  reasons: { notLive: 4, noPrice: 6 },
  said: null,
}

test('a run says what went out and what was held back, the most frequent reason first', () => {
  expect(runWords(run)).toBe('412 vehicles sent, 9 held back: no price (6), not live (4)')
  expect(runWords({ ...run, state: 'failed', offered: 1, held: 0, reasons: {} })).toBe(
    '1 vehicle ready, none held back',
  )
})

test('a schedule says when', () => {
  expect(scheduleWords({ everyHours: 1, dailyAt: null })).toBe('Every hour')
  expect(scheduleWords({ everyHours: 6, dailyAt: null })).toBe('Every 6 hours')
  expect(scheduleWords({ everyHours: null, dailyAt: '06:30' })).toBe('Daily at 06:30')
  expect(scheduleWords({ everyHours: null, dailyAt: null })).toBe('When asked')
})
