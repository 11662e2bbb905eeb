import { clock } from '#server/clock.ts'

/**
 * Keeps what was read for `freshMs` milliseconds, so that many requests at a time read the database once: those that come
 * meanwhile wait for the same read. At most `most` values; the oldest makes room. Failures aren't kept.
 */
export function makeBriefCache<T>({ freshMs, most }: { freshMs: number; most: number }) {
  const kept = new Map<string, { at: number; value: Promise<T> }>()
  const get = (key: string, read: () => Promise<T>): Promise<T> => {
    const now = clock.now()
    const known = kept.get(key)
    if (known !== undefined && now >= known.at && now - known.at < freshMs) return known.value
    // The oldest is the first of the map.
    const [oldest] = kept.keys()
    if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
    const entry = { at: now, value: read() }
    kept.delete(key)
    kept.set(key, entry)
    entry.value.catch(() => {
      if (kept.get(key) === entry) kept.delete(key)
    })
    return entry.value
  }
  return { get, forget: (key: string) => void kept.delete(key), forgetAll: () => kept.clear() }
}
