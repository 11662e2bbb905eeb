import { tooMany } from '#server/http/failure.ts'

/** The owner of a task. Tasks without a user are never rejected. */
export type Owner = { customerId: string; userId: string | null }
export type FairQueue<S> = {
  /** @throws Failure 429 if the user has too many tasks. */
  run: <T>(owner: Owner, work: (slot: S) => Promise<T>) => Promise<T>
}

/** Queued and running tasks per user. */
const MAX_PER_USER = 3

/**
 * Shares a few slots between customers: each uses at most one at a time, and a free slot goes to the waiting customer that
 * had one least recently. So slow work delays another customer by at most one task.
 */
export function makeFairQueue<S>(slots: readonly S[]): FairQueue<S> {
  const free = [...slots]
  const busy = new Set<string>()
  /** Customers with queued tasks, the least recently served first. */
  const waiting = new Map<string, ((slot: S) => void)[]>()
  const ofUser = new Map<string, number>()

  function next(): void {
    for (const [customerId, line] of waiting) {
      const slot = busy.has(customerId) ? undefined : free.shift()
      if (slot === undefined) continue
      const go = line.shift()
      waiting.delete(customerId)
      if (line.length > 0) waiting.set(customerId, line)
      busy.add(customerId)
      go?.(slot)
    }
  }

  async function take<T>(customerId: string, work: (slot: S) => Promise<T>): Promise<T> {
    const slot = await new Promise<S>((go) => {
      const line = waiting.get(customerId) ?? []
      line.push(go)
      waiting.set(customerId, line)
      next()
    })
    try {
      return await work(slot)
    } finally {
      busy.delete(customerId)
      const line = waiting.get(customerId)
      if (line !== undefined) {
        // Just served: moves behind the others.
        waiting.delete(customerId)
        waiting.set(customerId, line)
      }
      // The most recently used slot has its libraries loaded.
      free.unshift(slot)
      next()
    }
  }

  return {
    async run({ customerId, userId }, work) {
      if (userId === null) return take(customerId, work)
      const user = `${customerId}/${userId}`
      const count = ofUser.get(user) ?? 0
      if (count >= MAX_PER_USER) {
        throw tooMany('Two of your previews are still queued. Try again in a few seconds.', 2)
      }
      ofUser.set(user, count + 1)
      return take(customerId, work).finally(() => {
        const left = (ofUser.get(user) ?? 1) - 1
        if (left === 0) ofUser.delete(user)
        else ofUser.set(user, left)
      })
    },
  }
}
