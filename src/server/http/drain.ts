import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { clock } from '#server/clock.ts'

/** If /readyz was not polled within this time, no load balancer is using it. */
const POLLED_MS = 60_000

/** Takes a process out of its load balancer before it stops. */
export type Drain = {
  isDraining: () => boolean
  /** Call this when /readyz is polled. */
  notePoll: () => void
  /** Resolves when the load balancer has had time to notice. */
  begin: () => Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    drain: Drain
  }
}

/**
 * After `begin`, /readyz answers 503 and each response closes its connection, but requests are still served. This lasts
 * for `seconds` if /readyz was polled within the last minute; otherwise it ends at once.
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

/** While draining, every response closes its connection, so that the client reconnects to another process. */
export function installDrain(app: FastifyInstance, drain: Drain): void {
  app.decorate('drain', drain)
  app.addHook('onSend', async (_request, reply) => {
    if (drain.isDraining()) void reply.header('connection', 'close')
  })
}
