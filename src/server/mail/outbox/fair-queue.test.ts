import { expect, test } from 'vitest'
import { makeFairQueue } from './fair-queue.ts'

/** Tasks that run until the test ends them, and a list of started tasks. */
function fakeTasks() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<string>((end) => {
      begun.push(name)
      ends.set(name, () => end(name))
    })
  const finish = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await begin()
  }
  return { begun, work, finish }
}
const begin = (): Promise<void> => new Promise(setImmediate)
const of = (customerId: string, userId: string | null = null) => ({ customerId, userId })

test('leaves slots for other customers when one customer has slow work', async () => {
  const queue = makeFairQueue(['one', 'two'])
  const { begun, work, finish } = fakeTasks()
  const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => queue.run(of(name.charAt(0)), work(name)))
  await begin()
  expect(begun).toEqual(['a1', 'b1'])
  await finish('b1')
  expect(begun).toEqual(['a1', 'b1', 'b2'])
  await finish('b2')
  expect(begun).toEqual(['a1', 'b1', 'b2'])
  for (const name of ['a1', 'a2', 'a3']) await finish(name)
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
})

test('gives a free slot to the customer that waited longest, not to the one with the most work', async () => {
  const queue = makeFairQueue(['one'])
  const { begun, work, finish } = fakeTasks()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void queue.run(of(name.charAt(0)), work(name))
  await begin()
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await finish(name)
  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('rejects a third waiting task of the same user only', async () => {
  const queue = makeFairQueue(['one'])
  const { begun, work, finish } = fakeTasks()
  for (const name of ['a1', 'a2', 'a3']) void queue.run(of('a', 'ana'), work(name))
  await expect(queue.run(of('a', 'ana'), work('a4'))).rejects.toMatchObject({ status: 429 })
  void queue.run(of('a', 'ben'), work('a5'))
  void queue.run(of('a'), work('a6'))
  for (const name of ['a1', 'a2', 'a3', 'a5', 'a6']) await finish(name)
  void queue.run(of('a', 'ana'), work('a7'))
  await begin()
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a5', 'a6', 'a7'])
})

test('releases the slot when a task fails', async () => {
  const queue = makeFairQueue(['one'])
  await expect(queue.run(of('a', 'ana'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run(of('b'), async (slot) => slot)).toBe('one')
})
