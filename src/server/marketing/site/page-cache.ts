import { clock } from '#server/clock.ts'

/** A price, a sale and a new photo appear within this time, in milliseconds. */
const FRESH_MS = 3_000
const MAX_PAGES = 300

/**
 * Keeps what was read for a page for three seconds, so that a page with many visitors reads the database once. Visitors who
 * come at the same moment wait for one read. Failures aren't kept.
 */
export function makePageCache<T>() {
  const kept = new Map<string, { at: number; value: Promise<T> }>()
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const now = clock.now()
    const known = kept.get(key)
    if (known !== undefined && now >= known.at && now - known.at < FRESH_MS) return known.value
    // The oldest is the first of the map.
    const [oldest] = kept.keys()
    if (kept.size >= MAX_PAGES && oldest !== undefined) kept.delete(oldest)
    const entry = { at: now, value: read() }
    kept.delete(key)
    kept.set(key, entry)
    entry.value.catch(() => {
      if (kept.get(key) === entry) kept.delete(key)
    })
    return entry.value
  }
}
