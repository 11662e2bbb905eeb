import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a 429 waits before it is sent, in milliseconds. */
const HOLD_MS = 1_000
/** The most that wait at the same time. What is beyond that is sent at once. */
const MOST_HELD = 2_000

/**
 * Sends every 429 a second later. A program that tries again at once, such as one that guesses links, is slowed down without
 * work on our side: answering a thousand refusals in a second would delay everyone else.
 */
export function holdRefusals(app: FastifyInstance): void {
  let held = 0
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (reply.statusCode !== 429 || held >= MOST_HELD || isStopping) return
    held += 1
    await wait(HOLD_MS)
    held -= 1
  })
}
