import { makeBoundedThread } from '#server/threads/bounded-thread.ts'
import type { ReadInbound, InboundTask } from './adf-worker.ts'

/** An email of 50 MB needs about 200. */
const HEAP_MB = 384

/**
 * Reads ADF documents and emails in one thread with limited memory and time, so that no document can block the server. The
 * thread stays for the next one, because most documents take a millisecond.
 */
export type AdfThread = {
  /**
   * `task.pieces` can't be used afterwards.
   * @throws Failure 429 if too many of the customer's documents are waiting
   */
  read: (customerId: string, task: InboundTask) => Promise<ReadInbound>
  /** Ends the thread. */
  stop: () => Promise<void>
}

/** How a document is refused whose thread ended. Its text is kept. */
const TOO_MUCH: ReadInbound = {
  kind: 'failed',
  message: 'Reading this document takes too much time or memory.',
}
const FAILED: ReadInbound = { kind: 'failed', message: 'Reading this document failed unexpectedly.' }

export function makeAdfThread({ timeoutMs }: { timeoutMs?: number } = {}): AdfThread {
  const url = new URL('./adf-worker.ts', import.meta.url)
  const thread = makeBoundedThread<InboundTask, ReadInbound>(url, { heapMb: HEAP_MB, timeoutMs })
  return {
    async read(customerId, task) {
      const ended = await thread.run(
        customerId,
        task,
        task.pieces.map(({ buffer }) => buffer),
      )
      if (ended.kind === 'done') return ended.result
      return ended.kind === 'limits' ? TOO_MUCH : FAILED
    },
    stop: thread.stop,
  }
}
