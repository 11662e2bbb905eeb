import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { clock } from '#server/clock.ts'

/** Whoever did not ask /readyz for so long does not balance by it. */
const POLLED_MS = 60_000

/** How a process leaves its load balancer before it stops. */
export type Drain = {
  isDraining: () => boolean
  /** /readyz was asked. */
  notePoll: () => void
  /** Ends when whoever balances had the time to notice. */
  begin: () => Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain
  }
}

/**
 * From `begin` on /readyz answers 503, and each answer closes its connection, while requests are still served: for these
 * seconds where somebody asked /readyz within the last minute, and no longer where nobody did.
 */
export function makeDrain({
  seconds,
  waitFor = (milliseconds) => wait(milliseconds),
}: {
  seconds: number
  waitFor?: (milliseconds: number) => Promise<unknown>
}): Drain {
  let isDraining = false
  let polledAt: number | null = null
  return {
    isDraining: () => isDraining,
    notePoll() {
      polledAt = clock.now()
    },
    async begin() {
      isDraining = true
      if (polledAt !== null && clock.now() - polledAt < POLLED_MS) await waitFor(seconds * 1000)
    },
  }
}

/** Lets every answer end its connection once the process drains: its caller opens the next one elsewhere. */
export function installDrain(app: FastifyInstance, drain: Drain): void {
  app.decorate('drain', drain)
  app.addHook('onSend', async (_request, reply) => {
    if (drain.isDraining()) void reply.header('connection', 'close')
  })
}
