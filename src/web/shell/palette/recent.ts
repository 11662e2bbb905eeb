/** The user's latest choices in the palette, most recent first; cleared with the session, like all local storage. */
const KEY = 'recentPlaces'
const MOST_RECENT = 5

export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

export function rememberRecent(id: string): void {
  const ids = [id, ...readRecent().filter((one) => one !== id)].slice(0, MOST_RECENT)
  localStorage.setItem(KEY, JSON.stringify(ids))
}
