import { expect, test } from 'vitest'
import { deliveriesOf } from './deliveries-of.ts'
import { describeAttempts, replayLock, stateLabel } from './delivery-looks.ts'

const NOW = new Date('2026-11-18T15:00:00Z')

test('a queued delivery says whether it was tried before, and when it is due', () => {
  const again = { state: 'queued', attempts: 2, nextAttemptAt: '2026-11-18T15:05:00Z' } as const
  expect(stateLabel(again)).toBe('Waiting to be sent again')
  expect(stateLabel({ ...again, attempts: 0 })).toBe('Queued')
  expect(describeAttempts(again, NOW)).toBe('2 attempts, next in 5 min.')
  expect(describeAttempts({ ...again, nextAttemptAt: '2026-11-18T19:59:00Z' }, NOW)).toBe(
    '2 attempts, next in 5 hr.',
  )
  expect(describeAttempts({ ...again, nextAttemptAt: '2026-11-18T14:59:00Z' }, NOW)).toBe(
    '2 attempts, due now',
  )
  // The time of the next attempt means nothing once it is delivered.
  expect(describeAttempts({ ...again, state: 'delivered', attempts: 1 }, NOW)).toBe('1 attempt')
})

test('only finished deliveries whose destination exists are sent again', () => {
  expect(replayLock({ state: 'failed', destinationId: '1' })).toBeNull()
  expect(replayLock({ state: 'in-doubt', destinationId: '1' })).toBeNull()
  expect(replayLock({ state: 'queued', destinationId: '1' })).toBe('It is already being sent.')
  expect(replayLock({ state: 'delivered', destinationId: null })).toBe('Its destination was deleted.')
})

test('the filter of a destination survives quotes in its name', () => {
  expect(deliveriesOf('The "new" CRM').filter).toBe(String.raw`destinationName == "The \"new\" CRM"`)
})
