import { expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { makeBriefCache } from './brief-cache.ts'

const LIMITS = { freshMs: 3_000, most: 300 }

test('a page is read once for all who come within three seconds', async () => {
  const cached = makeBriefCache<number>(LIMITS)
  let reads = 0
  const read = async () => (reads += 1)
  expect(await Promise.all([cached.get('a', read), cached.get('a', read)])).toEqual([1, 1])
  expect(await cached.get('b', read)).toBe(2)
  clock.advance(3_001)
  expect(await cached.get('a', read)).toBe(3)
})

test('a failure is read again, and the oldest page makes room', async () => {
  const cached = makeBriefCache<string>(LIMITS)
  await expect(cached.get('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone')
  expect(await cached.get('a', async () => 'back')).toBe('back')
  for (let at = 0; at < 300; at += 1) await cached.get(`page ${at}`, async () => 'x')
  expect(await cached.get('a', async () => 'read again')).toBe('read again')
})
