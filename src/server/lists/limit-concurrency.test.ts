import { expect, test } from 'vitest'
import { limitConcurrency } from './limit-concurrency.ts'

const dana = { effectiveCustomerId: '1', effectiveUserId: '7' }
const other = { effectiveCustomerId: '1', effectiveUserId: '8' }

/** Work that runs until it is released. */
function blocked() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, release: resolve }
}

test('runs six statements per user at once, and other users do not wait', async () => {
  const { promise, release } = blocked()
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
  release()
  await Promise.all(all)
  expect(started).toEqual([...started.slice(0, 7), 'dana 7', 'dana 8'])
})

test('a failed statement frees its slot', async () => {
  const failing = Array.from({ length: 6 }, () =>
    limitConcurrency(dana, () => Promise.reject(new Error('slow'))),
  )
  const last = limitConcurrency(dana, async () => 'read')
  await Promise.allSettled(failing)
  expect(await last).toBe('read')
})

test('rejects a statement when fifty are queued, and continues with the queue', async () => {
  const { promise, release } = blocked()
  const all = Array.from({ length: 56 }, () => limitConcurrency(dana, () => promise))
  await expect(limitConcurrency(dana, () => promise)).rejects.toThrow('You have too many lists')
  release()
  await Promise.all(all)
  expect(await limitConcurrency(dana, async () => 'read')).toBe('read')
})
