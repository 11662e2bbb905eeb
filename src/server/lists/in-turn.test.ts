import { expect, test } from 'vitest'
import { limitConcurrency } from './in-turn.ts'

const dana = { effectiveCustomerId: '1', effectiveUserId: '7' }
const other = { effectiveCustomerId: '1', effectiveUserId: '8' }

/** Work that goes on until it is let go. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, letGo: resolve }
}

test('one person has six statements at once, the seventh waits, another person does not', async () => {
  const { promise, letGo } = held()
  const started: string[] = []
  const run = (who: typeof dana, name: string) =>
    limitConcurrency(who, async () => {
      started.push(name)
      await promise
    })
  const all = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => run(dana, `dana ${n}`))
  all.push(run(other, 'other'))
  await Promise.resolve()
  expect(started).toEqual(['dana 1', 'dana 2', 'dana 3', 'dana 4', 'dana 5', 'dana 6', 'other'])
  letGo()
  await Promise.all(all)
  expect(started).toEqual([...started.slice(0, 7), 'dana 7', 'dana 8'])
})

test('one that fails hands its place on', async () => {
  const failing = Array.from({ length: 6 }, () =>
    limitConcurrency(dana, () => Promise.reject(new Error('slow'))),
  )
  const last = limitConcurrency(dana, async () => 'read')
  await Promise.allSettled(failing)
  expect(await last).toBe('read')
})

test('more than fifty that wait are refused, and the line works on after that', async () => {
  const { promise, letGo } = held()
  const all = Array.from({ length: 56 }, () => limitConcurrency(dana, () => promise))
  await expect(limitConcurrency(dana, () => promise)).rejects.toThrow('Too many of your lists')
  letGo()
  await Promise.all(all)
  expect(await limitConcurrency(dana, async () => 'read')).toBe('read')
})
