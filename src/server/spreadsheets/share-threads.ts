import { tooMany } from '#server/http/failure.ts'

/** At most so many run in the whole server, one of them for each customer. */
const MOST_RUNNING = 2
/** So many more of a customer wait, each with its file in memory. */
const MOST_WAITING = 3

type QueuedParse = { customerId: string; start: () => void }

/**
 * Shares the threads that read files: one customer has at most one, and those who wait come in their order.
 * @throws Failure 429 where several files of the customer wait already
 */
export function makeThreadShare({ mostRunning = MOST_RUNNING, mostWaiting = MOST_WAITING } = {}): {
  run: <T>(customerId: string, work: () => Promise<T>) => Promise<T>
} {
  const running = new Set<string>()
  const waiting: QueuedParse[] = []

  function startNext(): void {
    if (running.size >= mostRunning) return
    const place = waiting.findIndex(({ customerId }) => !running.has(customerId))
    const [turn] = place < 0 ? [] : waiting.splice(place, 1)
    if (turn === undefined) return
    running.add(turn.customerId)
    turn.start()
  }

  return {
    async run(customerId, work) {
      const ahead = waiting.filter((turn) => turn.customerId === customerId).length
      if (running.has(customerId) && ahead >= mostWaiting)
        throw tooMany('Several files of your company are being read. Wait a moment and try again.', 10)
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
