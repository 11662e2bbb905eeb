import { useSyncExternalStore } from 'react'
import { ask } from '../overlay/dialogs.tsx'

/** What was typed into a field for a number and can't be read. `of`: the value that it stands for. `label`: of the field. */
export type UnreadNumber = Readonly<{ text: string; of: string; label: string }>

/** Of a field that is shown or, if it is remembered, was shown. `isLeft`: the user saved the page without it. */
type Noted = UnreadNumber & Readonly<{ page: string; isShown: boolean; isLeft?: boolean }>

let noted: ReadonlyMap<string, Noted> = new Map()
const listeners = new Set<() => void>()

function change(next: Iterable<[string, Noted]>): void {
  noted = new Map(next)
  for (const listener of listeners) listener()
}

/** Without an address, as in a test that renders markup, the page is "". */
const page = (): string => ('location' in globalThis ? location.pathname : '')
const keyOf = (name: string): string => `${page()}\n${name}`
const without = (key: string) => [...noted].filter(([one]) => one !== key)

/** What a field with this name within the page could not read before. */
export const recallUnread = (name: string): UnreadNumber | null => noted.get(keyOf(name)) ?? null

/**
 * Notes what the field of this name can't read, until it is forgotten. Call the function that it returns when the field is taken
 * out of the page: with `isRemembered`, the text is kept until the field is shown again.
 */
export function noteUnread(name: string, unread: UnreadNumber, isRemembered: boolean): () => void {
  const key = keyOf(name)
  const entry = { ...unread, page: page(), isShown: true }
  change([...without(key), [key, entry]])
  return () => {
    const now = noted.get(key)
    if (now === undefined) return
    change(
      isRemembered && now.isLeft !== true
        ? [...without(key), [key, { ...entry, isShown: false }]]
        : without(key),
    )
  }
}

/** Forgets the text of the field of this name: it can be read now. */
export function forgetUnread(name: string): void {
  if (noted.has(keyOf(name))) change(without(keyOf(name)))
}

/** Forgets the texts of all fields of something that was deleted: their names begin with its name. */
export function forgetUnreadOf(owner: string): void {
  const start = `${keyOf(owner)} `
  if ([...noted.keys()].some((key) => key.startsWith(start)))
    change([...noted].filter(([key]) => !key.startsWith(start)))
}

const onPage = (all: ReadonlyMap<string, Noted>): Noted[] =>
  [...all.values()].filter((one) => one.page === page())

/** The numbers of this page that can't be read, shown or not. */
export const useUnread = (): readonly UnreadNumber[] => onPage(useSyncExternalStore(subscribe, read, read))

const read = () => noted
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** "Weight: “1,5”", or what is blank although it must not be. */
export function describeUnread({ label, text }: UnreadNumber): string {
  const shown = text.trim() === '' ? 'blank' : `“${text}”`
  return label === '' ? shown : `${label}: ${shown}`
}

let asking: Promise<boolean> | null = null

/**
 * Asks before a page is saved with numbers that can't be read. True if there are none, or the user continues without them. Null
 * if it asks already: two handlers may receive the same key.
 */
export async function mayLeaveUnread(): Promise<boolean | null> {
  const unread = onPage(noted)
  if (unread.length === 0) return true
  if (asking !== null) return null
  const list = unread.map(describeUnread)
  asking = ask({
    title: 'Some numbers can’t be read',
    text: `${[...new Set(list)].join(', ')}. If you continue, the numbers from before stay.`,
    confirm: 'Continue',
  })
  const isSure = await asking.finally(() => (asking = null))
  if (isSure) {
    const kept = [...noted].filter(([, one]) => one.page !== page() || one.isShown)
    change(kept.map(([key, one]) => [key, one.page === page() ? { ...one, isLeft: true } : one]))
  }
  return isSure
}

/** Whether a number on this page can't be read. */
export const hasUnread = (): boolean => onPage(noted).length > 0
