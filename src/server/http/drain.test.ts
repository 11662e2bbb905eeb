import { afterEach, expect, test } from 'vitest'
import { clock } from '#server/clock.ts'
import { makeDrain } from './drain.ts'

const machine = clock.offset()
afterEach(() => clock.advance(machine - clock.offset()))

function drainOf(seconds: number) {
  const waits: number[] = []
  const drain = makeDrain({
    seconds,
    async waitFor(milliseconds) {
      waits.push(milliseconds)
    },
  })
  return { drain, waits }
}

test('a process that nobody polls stops at once', async () => {
  const { drain, waits } = drainOf(5)
  await drain.begin()
  expect([drain.isDraining(), waits]).toEqual([true, []])
})

test('a process that is polled waits for its seconds before it stops', async () => {
  const { drain, waits } = drainOf(5)
  drain.notePoll()
  expect(drain.isDraining()).toBe(false)
  await drain.begin()
  expect([drain.isDraining(), waits]).toEqual([true, [5000]])
})

test('who asked more than a minute ago is not waited for', async () => {
  const { drain, waits } = drainOf(5)
  drain.notePoll()
  clock.advance(60_000)
  await drain.begin()
  expect(waits).toEqual([])
})
