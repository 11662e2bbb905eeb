import { clock } from '#server/clock.ts'
import { type Failure, tooMany } from '#server/http/failure.ts'
import { addressKey } from './sign-in-failures.ts'

/** Links that don't work within an hour, from one network. */
export const MOST_GUESSES_AN_HOUR = 60
const HOUR_MS = 3_600_000
/** Networks that are counted at the same time. The one that began first is forgotten for the next. */
const MOST_NETWORKS = 10_000

/** Counts a link that doesn't work. @returns the error that is answered instead, if there were too many; otherwise null */
export type CountGuess = (ip: string) => Failure | null

/**
 * Limits guesses of links. Only those that don't work count and are refused, so that nobody who was given a link is kept out by
 * others in the same network. Counted in memory, so that guesses take no connections.
 */
export function makeGuessCounter(): CountGuess {
  const counts = new Map<string, { from: number; count: number }>()
  return (ip) => {
    const network = addressKey(ip)
    const now = clock.now()
    const known = counts.get(network)
    const isOver = known === undefined || now - known.from >= HOUR_MS
    const one = isOver ? { from: now, count: 0 } : known
    one.count += 1
    if (isOver) {
      counts.delete(network)
      const [oldest] = counts.keys()
      if (counts.size >= MOST_NETWORKS && oldest !== undefined) counts.delete(oldest)
      counts.set(network, one)
    }
    if (one.count <= MOST_GUESSES_AN_HOUR) return null
    const seconds = Math.ceil((one.from + HOUR_MS - now) / 1_000)
    const minutes = Math.ceil(seconds / 60)
    return tooMany(
      `Too many links that don't work were tried from this network. Links that work still open. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
      seconds,
    )
  }
}
