import { clock } from '#server/clock.ts'

const MOST = 50_000
/** Longer than a mark is valid, in milliseconds. */
const KEPT_MS = 31 * 60_000

/** Remembers texts for half an hour. Calling it tells whether a text is new. */
export function makeSeenOnce() {
  const seen = new Map<string, number>()
  const add = (text: string): boolean => {
    const now = clock.now()
    for (const [oldest, at] of seen) {
      if (seen.size < MOST && now - at < KEPT_MS) break
      seen.delete(oldest)
    }
    if (seen.has(text)) return false
    seen.set(text, now)
    return true
  }
  return Object.assign(add, { has: (text: string): boolean => seen.has(text) })
}
