import { expect, test } from 'vitest'
import { runWords } from './channel-labels.ts'

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
