// How fast this machine is at the moment, compared with the one for which the budget was set. CPU seconds alone say little:
// the same work takes up to twice as many on a core that shares its caches, its clock or its other half with others.
import { execFile } from 'node:child_process'
import { join } from 'node:path'

/**
 * The CPU time of `speed-probe.mjs` on the machine for which test/budget.json was set, in microseconds. Measured through
 * the checks of an earlier state: they took 72 CPU seconds there, and 94 where the probe took 95 ms.
 */
const REFERENCE_MICROSECONDS = 73_000
const INTERVAL_MS = 15_000
/** The speed is the median of this many measurements, because a single one is off by up to a third. */
const KEPT = 7

const PROBE = join(import.meta.dirname, 'speed-probe.mjs')

/** @typedef {{ current: () => number, average: () => number, stop: () => void }} SpeedMeter */

/**
 * Measures the speed every 15 seconds, which costs less than one percent of a core's time. `node` runs the probe. 1 is the reference, 0.5 is half as fast.
 * Without a measurement yet it is 1.
 * @returns {SpeedMeter}
 */
export function startSpeedMeter(node) {
  const measured = []
  const measure = () =>
    execFile(node, [PROBE], (error, output) => {
      if (error === null) measured.push(Number(output))
    })
  measure()
  const timer = setInterval(measure, INTERVAL_MS)
  timer.unref()
  return {
    current: () => speedOf(measured.slice(-KEPT)),
    average: () => speedOf(measured),
    stop: () => clearInterval(timer),
  }
}

/**
 * The speed that measurements show.
 * @param {number[]} microseconds of CPU time
 */
export function speedOf(microseconds) {
  if (microseconds.length === 0) return 1
  const sorted = microseconds.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const median = (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2
  return REFERENCE_MICROSECONDS / median
}
