import { parseRecord } from '#web/api/read-json.ts'

/** Which menu sections the user opened or closed during this session. */
const KEY = 'openSections'

/** The user's last choice for a section; null if they haven't changed it. */
export function readSection(id: string): boolean | null {
  const value = parseRecord(localStorage.getItem(KEY) ?? '')?.[id]
  return typeof value === 'boolean' ? value : null
}

export function storeSection(id: string, isOpen: boolean): void {
  const sections = parseRecord(localStorage.getItem(KEY) ?? '') ?? {}
  localStorage.setItem(KEY, JSON.stringify({ ...sections, [id]: isOpen }))
}
