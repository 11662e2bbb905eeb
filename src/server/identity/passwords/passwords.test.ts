import { expect, test } from 'vitest'
import { makePasswords } from './passwords.ts'

const passwords = makePasswords(2)

test('matches only the right password', async () => {
  const hash = await passwords.hash('right')
  expect([await passwords.matches(hash, 'right'), await passwords.matches(hash, 'wrong')]).toEqual([
    true,
    false,
  ])
})

test('matches nothing without a hash, not even the decoy password', async () => {
  expect(await passwords.matches(null, 'no such account')).toBe(false)
})

test('salts each hash, and uses the current settings', async () => {
  const [first, second] = await Promise.all([passwords.hash('same'), passwords.hash('same')])
  expect(first).not.toBe(second)
  expect(passwords.isOutdated(first)).toBe(false)
})

test.for([
  '$argon2id$v=19$m=4096,t=2,p=1$c2FsdHNhbHQ$aGFzaA',
  '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA',
  '$2b$10$abcdefghijklmnopqrstuv',
])('%s is outdated', (hash) => {
  expect(passwords.isOutdated(hash)).toBe(true)
})

test.for([1, 2, 3])('runs at most %i at once, and completes all', async (lanes) => {
  const { inLane } = makePasswords(lanes)
  let running = 0
  let most = 0
  const done = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      inLane(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return at
      }),
    ),
  )
  expect({ most, done: done.length }).toEqual({ most: lanes, done: 12 })
})

test('releases the lane after a failure', async () => {
  const { inLane } = makePasswords(1)
  await expect(inLane(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(inLane(() => Promise.resolve('next'))).resolves.toBe('next')
})
