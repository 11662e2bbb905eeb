import { parseRecord } from '#web/api/read-json.ts'

/** Which sections of the menu the person opened or closed, for as long as they stay signed in. */
const KEY = 'openSections'

/** What the person last did with a section; null when they left it as it was. */
export function readSection(id: string): boolean | null {
  const value = parseRecord(localStorage.getItem(KEY) ?? '')?.[id]
  return typeof value === 'boolean' ? value : null
}

export function storeSection(id: string, isOpen: boolean): void {
  const sections = parseRecord(localStorage.getItem(KEY) ?? '') ?? {}
  localStorage.setItem(KEY, JSON.stringify({ ...sections, [id]: isOpen }))
}
