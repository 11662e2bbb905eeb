/** What the person went to by the palette, the latest first; gone with the session, like all local storage. */
const KEY = 'recentPlaces'
const KEPT = 5

export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function rememberRecent(id: string): void {
  const ids = [id, ...readRecent().filter((one) => one !== id)].slice(0, KEPT)
  localStorage.setItem(KEY, JSON.stringify(ids))
}
