import type { DBSchema, IDBPDatabase } from 'idb'
import type { Claims } from '#contract/identity/sessions/session.ts'
import { deviceDatabase } from './device-database.ts'

/** What someone typed into a form and has not saved. It stays on this device until it is saved, discarded or too old. */
export type KeptTyping = Readonly<{
  /** Of one opening of the form: two tabs don't overwrite each other's. */
  id: string
  /** The person, the form and the record. */
  place: string
  /** The path of the page that it was typed on. */
  page?: string
  /** In milliseconds since 1970. */
  at: number
  /** The changed fields only, so that what others changed since stays. */
  values: Readonly<Record<string, unknown>>
  /** The same fields as they were loaded. */
  loaded?: Readonly<Record<string, unknown>>
}>
interface Schema extends DBSchema {
  forms: { key: string; value: KeptTyping; indexes: { place: string } }
}

export const KEPT_MS = 30 * 24 * 60 * 60_000

const database = deviceDatabase<Schema>(
  'forecourt-typed',
  1,
  (db) => void db.createObjectStore('forms', { keyPath: 'id' }).createIndex('place', 'place'),
)

/** Without a database, as in some private windows, or with a value that can't be stored, nothing is kept. */
const attempt = <T>(work: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T | null> =>
  database()
    .then(work)
    .catch(() => null)

/** The first part of each `place` of this person, also while they impersonate someone. */
export const personOf = (claims: Pick<Claims, 'userId' | 'impersonateUserId'> | null): string =>
  `${claims?.userId}/${claims?.impersonateUserId}`

/** What earlier openings of a form kept, the latest first. */
export async function findKept(place: string): Promise<KeptTyping[]> {
  await takeOver()
  return newest((await attempt((db) => db.getAllFromIndex('forms', 'place', place))) ?? [])
}

/** What a person typed on a page and has not saved, in whichever of its forms, the latest first. */
export async function findKeptOn(page: string, person: string): Promise<KeptTyping[]> {
  await takeOver()
  const all = (await attempt((db) => db.getAll('forms'))) ?? []
  return newest(all.filter((one) => one.page === page && one.place.startsWith(`${person} `)))
}

/** Forgets what is too old. */
function newest(all: readonly KeptTyping[]): KeptTyping[] {
  const from = Date.now() - KEPT_MS
  for (const { id } of all.filter(({ at }) => at < from)) forgetKept(id)
  return all.filter(({ at }) => at >= from).toSorted((one, other) => other.at - one.at)
}

/** What the database hasn't confirmed yet: it may still be opening. Null: to be forgotten. */
const unconfirmed = new Map<string, KeptTyping | null>()
/** Storage that is written before a page is gone, unlike the database. */
const LEFT_OVER = 'typed'

export const keepTyping = (entry: KeptTyping): void => void store(entry.id, entry)

export const forgetKept = (id: string): void => void store(id, null)

async function store(id: string, entry: KeptTyping | null): Promise<void> {
  unconfirmed.set(id, entry)
  await attempt(async (db) => {
    await (entry === null ? db.delete('forms', id) : db.put('forms', entry))
    if (unconfirmed.get(id) === entry) unconfirmed.delete(id)
  })
}

globalThis.addEventListener?.('pagehide', () => {
  if (unconfirmed.size > 0) sessionStorage.setItem(LEFT_OVER, JSON.stringify([...unconfirmed]))
})

/** Stores what the page before, in this tab, couldn't store any more. */
const takeOver = (): Promise<unknown> =>
  attempt(async () => {
    const left: [string, KeptTyping | null][] = JSON.parse(sessionStorage.getItem(LEFT_OVER) ?? '[]')
    sessionStorage.removeItem(LEFT_OVER)
    await Promise.all(left.map(([id, entry]) => store(id, entry)))
  })

/** "Website: https://northgate.example": the texts that were typed, one per line, without what was loaded. */
export function textsOf({ values, loaded }: Pick<KeptTyping, 'values' | 'loaded'>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const texts = leavesOf(value, loaded?.[name])
    return texts.length === 0 ? [] : [`${inWords(name)}: ${texts.join(', ')}`]
  })
}

/** The texts and numbers in a value that aren't in the other one. */
function leavesOf(value: unknown, before: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number')
    return value === '' || value === before ? [] : [String(value)]
  if (typeof value !== 'object' || value === null) return []
  const known = new Map(Object.entries(typeof before === 'object' && before !== null ? before : {}))
  return Object.entries(value).flatMap(([key, part]) => leavesOf(part, known.get(key)))
}

/** "Legal name" for `legalName`. */
const inWords = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase())
