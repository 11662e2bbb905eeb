import { describe, expect, test } from 'vitest'
import { formatBytes, isOver, latestEnd, describeProgress } from './job-labels.ts'

const job = { state: 'running', total: 86, done: 40, failures: 0 } as const

describe('progress of a job', () => {
  test.for([
    [{ ...job, state: 'waiting', total: null, done: 0 }, 'Queued'],
    [{ ...job, total: null, done: 0 }, 'Counting rows'],
    [job, '40 of 86 done'],
    [{ ...job, state: 'done', done: 86 }, '86 done'],
    [{ ...job, state: 'done', done: 86, failures: 3 }, '83 done, 3 rejected'],
    [{ ...job, state: 'canceled' }, 'Canceled, 40 of 86 done'],
    [{ ...job, state: 'failed', failures: 1 }, 'Failed, 39 of 86 done, 1 rejected'],
  ] as const)('%j reads %s', ([how, words]) => {
    expect(describeProgress(how)).toBe(words)
  })
})

test('only waiting and running jobs are unfinished', () => {
  const states = ['waiting', 'running', 'done', 'failed', 'canceled'] as const
  expect(states.filter((state) => !isOver({ state }))).toEqual(['waiting', 'running'])
})

test('the latest end is the latest instant, or null if nothing has ended', () => {
  const ended = [null, '2026-11-21T10:00:00.000Z', '2026-11-21T09:00:00.000Z'].map((endedAt) => ({ endedAt }))
  expect(latestEnd(ended)).toBe('2026-11-21T10:00:00.000Z')
  expect(latestEnd([{ endedAt: null }])).toBeNull()
})

test('sizes use the unit that fits', () => {
  expect([1, 999, 12_400, 3_100_000, 2_000_000_000].map(formatBytes)).toEqual([
    '1 byte',
    '999 bytes',
    '12.4 kB',
    '3.1 MB',
    '2 GB',
  ])
})
