import { finishBeforeStop } from './finish-before-stop.ts'
import { MAX_PER_CUSTOMER } from './due-items.ts'

/** One more than a customer may have at once: those that wait for slow servers leave a lane for the others. */
const LANES = MAX_PER_CUSTOMER + 1

export type DueWorker = {
  /** Works until nothing is due that may run now. Safe to call at any time and concurrently: a lane that ended starts again. */
  workDue: () => Promise<void>
  /** Ends after what runs now. */
  stop: () => Promise<void>
}

/**
 * Works on due items, some at a time. A call while a long one runs starts the other lanes again, so that it delays nobody.
 * @param claim leases the next item; null if none may run now.
 */
export function makeDueWorker<Lease>({
  claim,
  work,
  onError,
}: {
  claim: () => Promise<Lease | null>
  work: (lease: Lease) => Promise<void>
  onError: (error: unknown) => void
}): DueWorker {
  const lanes = new Set<Promise<void>>()
  let isStopping = false
  let claiming: Promise<unknown> = Promise.resolve()

  /** One claim after another: two at the same time would not see how many leases the customer has. */
  function claimNext(): Promise<Lease | null> {
    const next = claiming.then(() => (isStopping ? null : claim()))
    claiming = next.catch(() => {})
    return next
  }

  async function runLane(): Promise<void> {
    try {
      for (let lease = await claimNext(); lease !== null; lease = await claimNext())
        await work(lease).catch(onError)
    } catch (error) {
      // The database is unavailable. The next look tries again.
      onError(error)
    }
  }

  return {
    async workDue() {
      while (lanes.size < LANES) {
        const lane: Promise<void> = runLane().finally(() => lanes.delete(lane))
        lanes.add(lane)
      }
      await Promise.all(lanes)
    },
    async stop() {
      isStopping = true
      await finishBeforeStop(lanes)
    },
  }
}
