import { ask } from '../overlay/dialogs.tsx'

/** What was typed into a field for a number and can't be read. `of`: the value that it stands for. */
export type UnreadNumber = Readonly<{ text: string; of: string }>

const SPACE = '\n'
/** By the address of the page and a name within it, until the page is loaded again. */
const remembered = new Map<string, UnreadNumber>()
/** Without an address, as in a test that renders markup, nothing is remembered. */
const pageKey = (): string => `${'location' in globalThis ? location.pathname : ''}${SPACE}`
const keyOf = (name: string): string => `${pageKey()}${name}`

/** What a field with this name could not read before. */
export const recallUnread = (name: string): UnreadNumber | null => remembered.get(keyOf(name)) ?? null

/** Remembers what a field with this name can't read; null: it can read what is typed now. */
export function rememberUnread(name: string, unread: UnreadNumber | null): void {
  if (unread === null) remembered.delete(keyOf(name))
  else remembered.set(keyOf(name), unread)
}

/** The attribute of a field that can't read its text, with the text; its form saves the number from before. */
export const UNREAD = 'data-unread'

function findUnread(): string[] {
  const shown = [...document.querySelectorAll(`[${UNREAD}]`)].map((field) => field.getAttribute(UNREAD) ?? '')
  const hidden = [...remembered].flatMap(([key, { text }]) => (key.startsWith(pageKey()) ? [text] : []))
  return [...new Set([...shown, ...hidden])].filter((text) => text.trim() !== '')
}

let asking: Promise<boolean> | null = null

/**
 * Asks before a page is saved with numbers that can't be read. True if there are none, or the user continues without them. Null
 * if it asks already: two handlers may receive the same key.
 */
export async function mayLeaveUnread(): Promise<boolean | null> {
  const texts = findUnread()
  if (texts.length === 0) return true
  if (asking !== null) return null
  asking = ask({
    title: 'Some numbers can’t be read',
    text: `${texts.map((text) => `“${text}”`).join(', ')}: if you continue, the numbers from before stay.`,
    confirm: 'Continue',
  })
  const isSure = await asking.finally(() => (asking = null))
  if (isSure) for (const key of remembered.keys()) if (key.startsWith(pageKey())) remembered.delete(key)
  return isSure
}

/** Whether a number on this page can't be read. */
export const hasUnread = (): boolean => findUnread().length > 0
