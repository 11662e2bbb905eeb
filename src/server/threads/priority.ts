import { setTimeout as wait } from 'node:timers/promises'

/** Work that no one waits for is not delayed for longer: a server that is always busy would never do it. */
const LONGEST_WAIT_MS = 30_000
const LOOK_MS = 50

export type Priority = {
  /** Runs work that someone waits for, at once. */
  first: <T>(work: () => Promise<T>) => Promise<T>
  /** Runs work that no one waits for: one at a time, when no other is wanted. */
  last: <T>(work: () => Promise<T>) => Promise<T>
}

/** Lets work that is done ahead wait for work that someone waits for. */
export function makePriority({ longestWaitMs = LONGEST_WAIT_MS } = {}): Priority {
  let wanted = 0
  let latest: Promise<unknown> = Promise.resolve()
  const untilQuiet = async (): Promise<void> => {
    const end = performance.now() + longestWaitMs
    for (;;) {
      if (wanted === 0 || performance.now() >= end) return
      await wait(LOOK_MS)
    }
  }
  return {
    async first(work) {
      wanted += 1
      try {
        return await work()
      } finally {
        wanted -= 1
      }
    },
    async last(work) {
      const mine = latest.then(untilQuiet).then(work)
      latest = mine.catch(() => {})
      return mine
    },
  }
}
