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

test('stops at once if no load balancer polls it', async () => {
  const { drain, waits } = drainOf(5)
  await drain.begin()
  expect([drain.isDraining(), waits]).toEqual([true, []])
})

test('waits for the configured seconds if a load balancer polls it', async () => {
  const { drain, waits } = drainOf(5)
  drain.notePoll()
  expect(drain.isDraining()).toBe(false)
  await drain.begin()
  expect([drain.isDraining(), waits]).toEqual([true, [5000]])
})

test('does not wait for a load balancer that last polled a minute ago', async () => {
  const { drain, waits } = drainOf(5)
  drain.notePoll()
  clock.advance(60_000)
  await drain.begin()
  expect(waits).toEqual([])
})
