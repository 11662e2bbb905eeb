import { setTimeout } from 'node:timers/promises'
import { leaveTransaction } from '#server/outside/open-transaction.ts'

/** Long enough for the transaction that asked to be over. */
const SOON_MS = 500
/** What is under way when the server stops gets this long, as the queue's own jobs do. */
const STOP_MS = 5_000

/**
 * Runs work a moment after it was asked for, once for all who asked meanwhile. For what a schedule does anyway and a
 * person waits for: asked for and not come about, it waits for the schedule.
 */
export function runDebounced(
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
  delayMs = SOON_MS,
): { run: () => void; stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | null = null
  let running: Promise<unknown> = Promise.resolve()
  const start = (): void => {
    timer = null
    running = running.then(work).catch(onError)
  }
  return {
    run() {
      timer ??= leaveTransaction(() => globalThis.setTimeout(start, delayMs))
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      await Promise.race([running, setTimeout(STOP_MS, null, { ref: false })])
    },
  }
}
