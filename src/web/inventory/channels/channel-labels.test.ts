import { expect, test } from 'vitest'
import { describeRun } from './channel-labels.ts'

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

test('describes what a run sent and excluded, the most frequent reason first', () => {
  expect(describeRun(run)).toBe('412 vehicles sent, 9 excluded: no price (6), not for sale (4)')
  expect(describeRun({ ...run, state: 'failed', offered: 1, held: 0, reasons: {} })).toBe(
    '1 vehicle ready, none excluded',
  )
})
