import { tooMany } from '#server/http/failure.ts'

/** Whose work it is. Work of no user is never refused. */
export type Owner = { customerId: string; userId: string | null }
export type FairQueue<S> = {
  /** @throws Failure 429 when too much of the same user waits already. */
  run: <T>(owner: Owner, work: (slot: S) => Promise<T>) => Promise<T>
}

/** Work of one user that may wait or run at once. */
const MOST_OF_A_USER = 3

/**
 * Shares a few slots between customers: each has at most one of them at a time, and a slot that gets free goes to the
 * waiting customer that had one least recently. So nobody's slow work delays another customer's by more than one piece.
 */
export function makeFairQueue<S>(slots: readonly S[]): FairQueue<S> {
  const free = [...slots]
  const busy = new Set<string>()
  /** Customers with waiting work; the one that had its turn least recently comes first. */
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
        // It has just had its turn: the others go first.
        waiting.delete(customerId)
        waiting.set(customerId, line)
      }
      // The one that was used last has its libraries.
      free.unshift(slot)
      next()
    }
  }

  return {
    async run({ customerId, userId }, work) {
      if (userId === null) return take(customerId, work)
      const user = `${customerId}/${userId}`
      const count = ofUser.get(user) ?? 0
      if (count >= MOST_OF_A_USER) {
        throw tooMany('Two of your previews are still waiting. Try again in a few seconds.', 2)
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
