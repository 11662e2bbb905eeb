import { expect, test } from 'vitest'
import { describeRoom } from './health.ts'

const now = Date.parse('2026-11-18T15:00:00Z')
const GB = 1024 ** 3

test('Health says for a day that file storage was full, although there is space again', () => {
  const room = { in: 'folder' as const, freeBytes: 40 * GB }
  const at = (fullAt: string | null) => describeRoom({ ...room, fullAt }, now)
  expect(at(null)).toEqual({ state: 'ok', sentence: 'File storage has 40.0 GB of free space.' })
  expect(at('2026-11-18T14:48:00.000Z')).toEqual({
    state: 'scarce',
    sentence:
      'File storage was full 12 minutes ago, and what was sent then was not saved. File storage has 40.0 GB of free space.',
  })
  expect(at('2026-11-18T14:59:40.000Z').sentence).toMatch(/^File storage was full just now/)
  expect(at('2026-11-17T16:00:00.000Z').sentence).toMatch(/^File storage was full 23 hours ago/)
  expect(at('2026-11-17T14:00:00.000Z')).toEqual(at(null))
  expect(describeRoom({ ...room, freeBytes: GB }, now).state).toBe('scarce')
})
