import { expect, test } from 'vitest'
import { batched } from './participant-links.ts'

/** Lookups that the test answers. */
function makeLookups() {
  const lookups: { keys: readonly string[]; answer: () => void; fail: () => void }[] = []
  const find = batched<string>(
    (keys) =>
      new Promise((resolve, reject) => {
        lookups.push({
          keys,
          answer: () => resolve(new Map(keys.map((key) => [key, `value of ${key}`]))),
          fail: () => reject(new Error('broken')),
        })
      }),
  )
  return { lookups, find }
}
const settle = () => new Promise(setImmediate)

test('keys that arrive during a lookup share the next one', async () => {
  const { lookups, find } = makeLookups()
  const first = find('a')
  await settle()
  const others = [find('b'), find('c'), find('b')]
  await settle()
  expect(lookups.map(({ keys }) => keys)).toEqual([['a']])
  lookups[0]?.answer()
  expect(await first).toBe('value of a')
  await settle()
  expect(lookups.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']])
  lookups[1]?.answer()
  expect(await Promise.all(others)).toEqual(['value of b', 'value of c', 'value of b'])
})

test('a failed lookup fails only for its own keys', async () => {
  const { lookups, find } = makeLookups()
  const first = find('a')
  await settle()
  const second = find('b')
  lookups[0]?.fail()
  await expect(first).rejects.toThrow('broken')
  await settle()
  lookups[1]?.answer()
  expect(await second).toBe('value of b')
})
