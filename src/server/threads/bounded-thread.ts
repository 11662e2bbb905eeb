import { type Transferable, Worker } from 'node:worker_threads'
import { makeThreadShare } from './fair-share.ts'

/** How long one task may take. */
const TIMEOUT_MS = 5_000
/** Extra time for the first task, while the thread loads its libraries. */
const START_MS = 20_000
/** The most queued tasks per customer. */
const MOST_WAITING = 20

/** `limits`: the task took too much time or memory. `failed`: the thread ended with an unexpected error. */
export type ThreadResult<Result> = { kind: 'done'; result: Result } | { kind: 'limits' } | { kind: 'failed' }

/** One thread with limited memory and time, which answers each message with one message. */
export type BoundedThread<Task, Result> = {
  /**
   * `transfer` can't be used afterwards.
   * @throws Failure 429 if too many of the customer's tasks are waiting
   */
  run: (customerId: string, task: Task, transfer: readonly Transferable[]) => Promise<ThreadResult<Result>>
  /** Ends the thread. */
  stop: () => Promise<void>
}

/**
 * Starts the thread with the first task. It stays for the next one, because most take a millisecond; a task that exceeds its
 * limits ends it.
 */
export function makeBoundedThread<Task, Result>(
  url: URL,
  {
    heapMb,
    timeoutMs = TIMEOUT_MS,
    mostWaiting = MOST_WAITING,
  }: { heapMb: number; timeoutMs?: number | undefined; mostWaiting?: number },
): BoundedThread<Task, Result> {
  const share = makeThreadShare({ mostRunning: 1, mostWaiting })
  let worker: Worker | null = null
  let isWarm = false

  function start(): Worker {
    const started = new Worker(url, { resourceLimits: { maxOldGenerationSizeMb: heapMb } })
    // Don't keep the process alive.
    started.unref()
    isWarm = false
    // Between two tasks, no one else listens.
    started.on('error', () => {
      if (worker === started) worker = null
    })
    return started
  }

  async function runInThread(task: Task, transfer: readonly Transferable[]): Promise<ThreadResult<Result>> {
    const current = (worker ??= start())
    const { promise, resolve } = Promise.withResolvers<ThreadResult<Result>>()
    const timer = setTimeout(() => resolve({ kind: 'limits' }), timeoutMs + (isWarm ? 0 : START_MS))
    const finish = (result: Result): void => resolve({ kind: 'done', result })
    const fail = (error: Error): void => resolve({ kind: isOutOfMemory(error) ? 'limits' : 'failed' })
    const end = (): void => resolve({ kind: 'failed' })
    current.once('message', finish)
    current.once('error', fail)
    current.once('exit', end)
    current.postMessage(task, transfer)
    const ended = await promise
    clearTimeout(timer)
    current.off('message', finish).off('error', fail).off('exit', end)
    isWarm = ended.kind === 'done'
    if (!isWarm) {
      worker = null
      await current.terminate()
    }
    return ended
  }

  return {
    run: (customerId, task, transfer) => share(customerId, () => runInThread(task, transfer)),
    async stop() {
      const current = worker
      worker = null
      await current?.terminate()
    },
  }
}

const isOutOfMemory = (error: Error): boolean => 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
