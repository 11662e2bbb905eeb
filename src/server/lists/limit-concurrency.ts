import type { Member } from '#server/http/actor.ts'
import { type Failure, tooMany } from '#server/http/failure.ts'

/** A place is a connection that work may use at once; further work waits without one. */
type Limits = Readonly<{ places: number; mostWaiting: number; full: () => Failure }>
type Queue = { busy: number; waiting: (() => void)[] }

/**
 * Makes places for each key, so that the slow work of one user or customer leaves connections to others.
 * @returns runs work in its turn. @throws Failure `full` if too much is already waiting
 */
export function makePlaces({ places, mostWaiting, full }: Limits) {
  const queues = new Map<string, Queue>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? { busy: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.busy < places) queue.busy += 1
    else {
      if (queue.waiting.length >= mostWaiting) throw full()
      // Work that finishes passes on its place.
      await new Promise<void>((start) => queue.waiting.push(start))
    }
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      if (next !== undefined) next()
      else {
        queue.busy -= 1
        if (queue.busy === 0) queues.delete(key)
      }
    }
  }
}

/** Half of the connections in the request pool, for the slow statements of one user. */
const ofUser = makePlaces({
  places: 6,
  mostWaiting: 50,
  full: () => tooMany('You have too many lists loading. Try again in a few seconds.', 5),
})

/**
 * Limits one user's slow statements to half of the connections. The rest wait without a connection.
 * @throws Failure 429 if too many are already waiting.
 */
export function limitConcurrency<T>(
  { effectiveCustomerId, effectiveUserId }: Pick<Member, 'effectiveCustomerId' | 'effectiveUserId'>,
  work: () => Promise<T>,
): Promise<T> {
  return ofUser(`${effectiveCustomerId} ${effectiveUserId}`, work)
}
