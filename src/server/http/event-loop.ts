import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How often the delay is measured, in milliseconds; each measured value contains it. */
const EVERY_MS = 10
const WINDOW_MS = 60_000

/** How long requests of this process waited for each other, in seconds: 99 of 100 measurements less than `p99`. */
export type EventLoopDelay = Readonly<{ p99: number; max: number }>

/**
 * Measures how long the thread of requests is busy without a turn for the next one. `read` is about the last whole minute and
 * since, so that a delay is seen for at least a minute, no matter how often it is read.
 */
export function watchEventLoop(): { read: () => EventLoopDelay; stop: () => void } {
  const measured = monitorEventLoopDelay({ resolution: EVERY_MS })
  measured.enable()
  const measure = (): EventLoopDelay => ({
    p99: secondsOf(measured.percentile(99)),
    max: secondsOf(measured.max),
  })
  let before: EventLoopDelay = { p99: 0, max: 0 }
  const timer = setInterval(() => {
    before = measure()
    measured.reset()
  }, WINDOW_MS)
  timer.unref()
  return {
    read() {
      const { p99, max } = measure()
      return { p99: Math.max(p99, before.p99), max: Math.max(max, before.max) }
    },
    stop() {
      clearInterval(timer)
      measured.disable()
    },
  }
}

const secondsOf = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - EVERY_MS / 1000)
