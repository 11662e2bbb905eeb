import { Worker } from 'node:worker_threads'
import type { Rendered, RenderTask } from './template-worker.ts'

/** The first task waits until the thread has loaded its libraries. */
const START_MS = 20_000

/** One thread that renders one template at a time. */
export type RenderThread = {
  /** @returns null when it took longer than `longestMs` or too much memory, and was ended. */
  run: (task: RenderTask) => Promise<Rendered | null>
  /** Loads its libraries before there is a task. */
  warm: () => void
}

/** A task that takes too long ends with its thread; the next one gets a new thread. */
export function makeRenderThread(longestMs: number): RenderThread {
  let worker: Worker | null = null
  let recalculateCurrent: ((rendered: Rendered | null) => void) | null = null
  /** It has answered once: its libraries are loaded. */
  let warmed: Worker | null = null

  function start(): Worker {
    const started = new Worker(new URL('./template-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    const lose = (): void => {
      if (worker !== started) return
      worker = null
      recalculateCurrent?.(null)
    }
    started.on('message', (rendered: Rendered) => {
      warmed = started
      recalculateCurrent?.(rendered)
    })
    started.on('error', lose)
    started.on('exit', lose)
    // It must not keep the product from stopping.
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
            recalculateCurrent?.(null)
          },
          longestMs + (warmed === current ? 0 : START_MS),
        )
        recalculateCurrent = (rendered) => {
          if (rendered !== null && rendered.number !== task.number) return
          clearTimeout(timer)
          recalculateCurrent = null
          settle(rendered)
        }
        current.postMessage(task, [])
      }),
  }
}
