import { today } from '#contract/today.ts'

/** How far the product's clock is ahead of the system clock, in milliseconds. */
let offset = readStart(process.env.FORECOURT_CLOCK)

/** The offset for a given start time. Tests set it so that results do not depend on when they run. */
function readStart(start: string | undefined): number {
  if (start === undefined || start === '') return 0
  const at = Date.parse(start)
  if (Number.isNaN(at))
    throw new Error('The setting FORECOURT_CLOCK is not valid. It must look like 2026-11-18T15:00:00Z.')
  return at - Date.now()
}

/**
 * The product's only clock. Server code uses it instead of `Date`, and SQL uses `app_now()` and `today(zone)`, which
 * follow it: `database/connect.ts` sets the offset on each connection. Only tests change it.
 */
export const clock = {
  /** Milliseconds since 1970, like `Date.now()`. */
  now: (): number => Date.now() + offset,
  date: (): Date => new Date(Date.now() + offset),
  /** The date at this moment in an IANA time zone, as `yyyy-mm-dd`: `clock.today(actor.timeZone)`. */
  today: (zone: string): string => today(zone, clock.date()),
  /** Milliseconds ahead of the system clock. 0 in production. */
  offset: (): number => offset,
  /** Sets the clock, which continues to run from there. */
  set(at: Date | string): void {
    offset = new Date(at).getTime() - Date.now()
  },
  /** Moves the clock forward, or back if negative. */
  advance(milliseconds: number): void {
    offset += milliseconds
  },
}
