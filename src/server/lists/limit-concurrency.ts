import type { Member } from '#server/http/actor.ts'
import { tooMany } from '#server/http/failure.ts'

/** Half of the connections in the request pool. */
const MAX_CONCURRENT = 6
const MAX_WAITING = 50

type UserQueue = { busy: number; waiting: (() => void)[] }
const queues = new Map<string, UserQueue>()

/**
 * Limits one user's slow statements to half of the connections. The rest wait without a connection.
 * @throws Failure 429 if too many are already waiting.
 */
export async function limitConcurrency<T>(
  { effectiveCustomerId, effectiveUserId }: Pick<Member, 'effectiveCustomerId' | 'effectiveUserId'>,
  work: () => Promise<T>,
): Promise<T> {
  const user = `${effectiveCustomerId} ${effectiveUserId}`
  const queue = queues.get(user) ?? { busy: 0, waiting: [] }
  queues.set(user, queue)
  if (queue.busy < MAX_CONCURRENT) queue.busy += 1
  else {
    if (queue.waiting.length >= MAX_WAITING)
      throw tooMany('You have too many lists loading. Try again in a few seconds.', 5)
    // A statement that finishes passes on its slot.
    await new Promise<void>((start) => queue.waiting.push(start))
  }
  try {
    return await work()
  } finally {
    const next = queue.waiting.shift()
    if (next !== undefined) next()
    else {
      queue.busy -= 1
      if (queue.busy === 0) queues.delete(user)
    }
  }
}
