import { Worker } from 'node:worker_threads'
import { makeThreadShare } from '#server/spreadsheets/share-threads.ts'
import type { ReadInbound, InboundTask } from './adf-worker.ts'

/** How long one document may take. */
const TIMEOUT_MS = 5_000
/** Extra time for the first document, while the thread loads its libraries. */
const START_MS = 20_000
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

export function makeAdfThread({ timeoutMs = TIMEOUT_MS } = {}): AdfThread {
  const share = makeThreadShare({ mostRunning: 1, mostWaiting: 20 })
  let worker: Worker | null = null
  let isWarm = false

  function start(): Worker {
    const started = new Worker(new URL('./adf-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    // Don't keep the process alive.
    started.unref()
    isWarm = false
    // Between two documents, no one else listens.
    started.on('error', () => {
      if (worker === started) worker = null
    })
    return started
  }

  async function readInThread(task: InboundTask): Promise<ReadInbound> {
    const current = (worker ??= start())
    const { promise, resolve } = Promise.withResolvers<{ read: ReadInbound; isEnded: boolean }>()
    const timer = setTimeout(
      () => resolve({ read: TOO_MUCH, isEnded: true }),
      timeoutMs + (isWarm ? 0 : START_MS),
    )
    const finish = (read: ReadInbound): void => resolve({ read, isEnded: false })
    const fail = (error: Error): void =>
      resolve({ read: isOutOfMemory(error) ? TOO_MUCH : FAILED, isEnded: true })
    const end = (): void => resolve({ read: FAILED, isEnded: true })
    current.once('message', finish)
    current.once('error', fail)
    current.once('exit', end)
    current.postMessage(
      task,
      task.pieces.map(({ buffer }) => buffer),
    )
    const { read, isEnded } = await promise
    clearTimeout(timer)
    current.off('message', finish).off('error', fail).off('exit', end)
    isWarm = !isEnded
    if (isEnded) {
      worker = null
      await current.terminate()
    }
    return read
  }

  return {
    read: (customerId, task) => share.run(customerId, () => readInThread(task)),
    async stop() {
      const current = worker
      worker = null
      await current?.terminate()
    },
  }
}

const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
