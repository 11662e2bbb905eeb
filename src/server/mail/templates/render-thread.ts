import { Worker } from 'node:worker_threads'
import type { Rendered, RenderTask } from './template-worker.ts'

/** Extra time for the first task, while the thread loads its libraries. */
const START_MS = 20_000

/** One thread that renders one template at a time. */
export type RenderThread = {
  /** @returns null if it exceeded `timeoutMs` or the memory limit. */
  run: (task: RenderTask) => Promise<Rendered | null>
  /** Loads its libraries in advance. */
  warm: () => void
}

/** A task that takes too long ends with its thread; the next one gets a new thread. */
export function makeRenderThread(timeoutMs: number): RenderThread {
  let worker: Worker | null = null
  let finishCurrent: ((rendered: Rendered | null) => void) | null = null
  /** The worker that has responded once: its libraries are loaded. */
  let warmed: Worker | null = null

  function start(): Worker {
    const started = new Worker(new URL('./template-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const lose = (): void => {
      if (worker !== started) return
      worker = null
      finishCurrent?.(null)
    }
    started.on('message', (rendered: Rendered) => {
      warmed = started
      finishCurrent?.(rendered)
    })
    started.on('error', lose)
    started.on('exit', lose)
    // Don't keep the process alive.
    started.unref()
    return started
  }

  return {
    warm: () => void (worker ??= start()),
    run: (task) =>
      new Promise((settle) => {
        const current = (worker ??= start())
        const timer = setTimeout(
          () => {
            void current.terminate()
            worker = start()
            finishCurrent?.(null)
          },
          timeoutMs + (warmed === current ? 0 : START_MS),
        )
        finishCurrent = (rendered) => {
          if (rendered !== null && rendered.number !== task.number) return
          clearTimeout(timer)
          finishCurrent = null
          settle(rendered)
        }
        current.postMessage(task, [])
      }),
  }
}
