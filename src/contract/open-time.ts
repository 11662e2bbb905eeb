import { openingAt, type WallTime } from './open-now.ts'
import type { Holiday, OpeningHours } from './opening-hours.ts'
import { momentIn } from './today.ts'

type Open = Readonly<{ hours: OpeningHours; holidays: readonly Holiday[]; zone: string }>

/** More changes between open and closed than a year has. */
const MOST_CHANGES = 2_000

/**
 * The moment at which a place was open for `minutes` since `from`: a question at 8 PM with a goal of 15 minutes is due 15
 * minutes after opening. Without known hours every minute counts.
 */
export function addOpenMinutes(open: Open, from: Date, minutes: number): Date {
  let left = minutes * 60_000
  for (const [begin, end] of openSpans(open, from.getTime(), Number.POSITIVE_INFINITY)) {
    if (begin + left <= end) return new Date(begin + left)
    left -= end - begin
  }
  // It doesn't open again within two weeks: the plain time.
  return new Date(from.getTime() + minutes * 60_000)
}

/** How many milliseconds between two moments a place was open. */
export function openTimeBetween(open: Open, from: Date, to: Date): number {
  let sum = 0
  for (const [begin, end] of openSpans(open, from.getTime(), to.getTime())) {
    sum += Math.min(end, to.getTime()) - begin
  }
  return sum
}

/** The times in which a place is open, from a moment on. The last one may be endless. */
function* openSpans(open: Open, from: number, to: number): Generator<readonly [begin: number, end: number]> {
  const moment = ({ on, at }: WallTime) => momentIn(open.zone, on, at)
  let at = from
  for (let changes = 0; changes < MOST_CHANGES && at < to; changes += 1) {
    const opening = openingAt(open, new Date(at))
    if (opening.state === 'unknown') {
      yield [at, Number.POSITIVE_INFINITY]
      return
    }
    const change = opening.state === 'open' ? opening.until : opening.opens
    // Of a time that the clocks show twice, `moment` is the first, which may be over.
    const next = change === null ? Number.POSITIVE_INFINITY : Math.max(moment(change), at + 60_000)
    if (opening.state === 'open') yield [at, next]
    if (change === null) return
    at = next
  }
}
