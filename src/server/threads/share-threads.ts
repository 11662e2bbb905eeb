import { tooMany } from '#server/http/failure.ts'

/** The most threads in the whole server. Each customer has at most one. */
const MOST_RUNNING = 2
/** The most queued files per customer, each in memory. */
const MOST_WAITING = 3

type QueuedParse = { customerId: string; start: () => void }

/**
 * Limits the threads that read files: each customer has at most one, and queued files are processed in order.
 * @throws Failure 429 if several files of the customer are already queued
 */
export function makeThreadShare({
  mostRunning = MOST_RUNNING,
  mostWaiting = MOST_WAITING,
  busy = "Several of your company's files are already being read. Wait a moment and try again.",
} = {}): {
  run: <T>(customerId: string, work: () => Promise<T>) => Promise<T>
} {
  const running = new Set<string>()
  const waiting: QueuedParse[] = []

  function startNext(): void {
    if (running.size >= mostRunning) return
    const place = waiting.findIndex(({ customerId }) => !running.has(customerId))
    const [next] = place < 0 ? [] : waiting.splice(place, 1)
    if (next === undefined) return
    running.add(next.customerId)
    next.start()
  }

  return {
    async run(customerId, work) {
      const ahead = waiting.filter((queued) => queued.customerId === customerId).length
      if (running.has(customerId) && ahead >= mostWaiting) throw tooMany(busy, 10)
      await new Promise<void>((start) => {
        waiting.push({ customerId, start })
        startNext()
      })
      try {
        return await work()
      } finally {
        running.delete(customerId)
        startNext()
      }
    },
  }
}
