import { expect, test } from 'vitest'
import { makePriority } from './priority.ts'

test('work ahead waits for work that someone waits for, one after the other, but not forever', async () => {
  const order: string[] = []
  const { first, last } = makePriority()
  const wanted = Promise.withResolvers<void>()
  const running = first(() => wanted.promise)
  const ahead = Promise.all(['a', 'b'].map((name) => last(async () => void order.push(name))))
  await first(async () => void order.push('wanted'))
  expect(order).toEqual(['wanted'])
  wanted.resolve()
  await running
  await ahead
  expect(order).toEqual(['wanted', 'a', 'b'])

  const hasty = makePriority({ longestWaitMs: 60 })
  const never = hasty.first(() => new Promise<void>((done) => setTimeout(done, 300)))
  expect(await hasty.last(async () => 'done')).toBe('done')
  await never
})

test('work that fails delays nothing', async () => {
  const { last } = makePriority()
  const failed = last(() => Promise.reject(new Error('No picture')))
  await expect(failed).rejects.toThrow('No picture')
  expect(await last(async () => 1)).toBe(1)
})
