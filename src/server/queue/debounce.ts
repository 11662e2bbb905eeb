import { leaveTransaction } from '#server/outside/open-transaction.ts'
import { finishBeforeStop } from './finish-before-stop.ts'

/** Long enough for the caller's transaction to be committed. */
const SOON_MS = 500

/**
 * Runs work shortly after it was requested, once for all requests in between. For work that is also polled: a lost request
 * only delays it.
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
      timer ??= leaveTransaction(() => setTimeout(start, delayMs))
    },
    async stop() {
      if (timer !== null) clearTimeout(timer)
      await finishBeforeStop([running])
    },
  }
}
