import type { Site } from '#contract/marketing/site/site.ts'
import { clock } from '#server/clock.ts'
import { type DatabaseWatch, isAway } from '#server/database/database-watch.ts'
import { makeBriefCache } from './brief-cache.ts'

/** What is older is not shown, because it could have been withdrawn since, in milliseconds. */
export const KEPT_MS = 15 * 60_000
/** Bytes of all customers, and of one. */
const MAX_BYTES = 64_000_000
const CUSTOMER_BYTES = 16_000_000
/** Of an entry besides its content. */
const ENTRY_BYTES = 500

/** What a kept answer shows: the IDs of vehicles for sale, the keys of open forms, and the revisions of short URLs and pages. */
export type PublicContent = Readonly<{
  vehicles?: readonly string[]
  forms?: readonly string[]
  links?: readonly string[]
  pages?: readonly string[]
}>

/** Whether something may still be shown. */
export type Allowed = Readonly<{
  vehicle: (id: string) => boolean
  form: (key: string) => boolean
  link: (revision: string) => boolean
  page: (revision: string) => boolean
}>

type Entry = {
  customerId: string
  at: number
  bytes: number
  shown: PublicContent
  /** Makes room. */
  drop: () => void
  /** Leaves out what may not be shown anymore; null: all of it. @returns false if nothing is left */
  restrict: (allowed: Allowed | null) => boolean
}

/** Reads something of a site: again from the database after a few seconds, and as it was last while the database is away. */
export type SiteReader<T> = (
  site: Pick<Site, 'customerId'>,
  key: string,
  read: () => Promise<T>,
) => Promise<T>

type ReaderOf<T> = Readonly<{
  name: string
  /** How long an answer is used without asking again. */
  freshMs: number
  /** What a kept answer shows; null: it isn't kept. */
  shows: (value: T) => PublicContent | null
  /** The answer without what may not be shown anymore; null if nothing is left. Absent: it is all or nothing. */
  without?: (value: T, allowed: Allowed) => T | null
  bytesOf?: (value: T) => number
}>

export type PublicMemory = Readonly<{
  reader: <T>(of: ReaderOf<T>) => SiteReader<T>
  /** What is kept, by customer. */
  shown: () => ReadonlyMap<string, Required<PublicContent>>
  /** Leaves out of a customer's answers what isn't among this. */
  keepOnly: (customerId: string, shown: Required<PublicContent>) => void
  forget: (customerId: string) => void
  /** Makes every reader ask again: what it read before may have been withdrawn since. */
  askAgain: () => void
  /** When an answer of a reader was read; null if it isn't kept. */
  readAt: (name: string, customerId: string, key: string) => number | null
  /** Bytes of a customer. */
  bytes: (customerId: string) => number
}>

/**
 * Keeps the data of public pages in memory for an outage. Pages are made of it for each visitor, because their forms have tokens
 * of their own. A customer whose visitors open many pages displaces its own, not those of others.
 */
export function makePublicMemory(
  watch: DatabaseWatch,
  { maxBytes = MAX_BYTES, customerBytes = CUSTOMER_BYTES } = {},
): PublicMemory {
  const { entries, totals, forgotten, add, remove, restrict } = makeLedger({ maxBytes, customerBytes })
  const readers: { forgetAll: () => void }[] = []
  return {
    reader<T>({ name, freshMs, shows, without, bytesOf = jsonBytes }: ReaderOf<T>): SiteReader<T> {
      const kept = new Map<string, { at: number; value: T }>()
      const fresh = makeBriefCache<T>({ freshMs, most: 300 })
      readers.push(fresh)
      const keep = (id: string, customerId: string, { at, value }: { at: number; value: T }): void => {
        const before = entries.get(id)
        if (before !== undefined) remove(id, before)
        const shown = shows(value)
        if (shown === null) return
        kept.set(id, { at, value })
        add(id, {
          customerId,
          at,
          bytes: ENTRY_BYTES + bytesOf(value),
          shown,
          drop: () => void kept.delete(id),
          restrict(allowed) {
            fresh.forget(id)
            const left = allowed === null ? null : (without?.(value, allowed) ?? null)
            if (left === null) return false
            keep(id, customerId, { at, value: left })
            return true
          },
        })
      }
      return async ({ customerId }, key, read) => {
        const id = idOf(name, customerId, key)
        try {
          return await fresh.get(id, async () => {
            const began = forgotten.get(customerId)
            const value = await watch.attempt(read)
            if (forgotten.get(customerId) === began) keep(id, customerId, { at: clock.now(), value })
            return value
          })
        } catch (error) {
          const found = kept.get(id)
          if (!isAway(error) || found === undefined || clock.now() - found.at > KEPT_MS) throw error
          return found.value
        }
      }
    },
    shown() {
      const byCustomer = Map.groupBy(entries.values(), ({ customerId }) => customerId)
      const distinct = (all: readonly Entry[], kind: keyof PublicContent) => [
        ...new Set(all.flatMap(({ shown }) => shown[kind] ?? [])),
      ]
      return new Map(
        [...byCustomer].map(([id, all]) => [
          id,
          {
            vehicles: distinct(all, 'vehicles'),
            forms: distinct(all, 'forms'),
            links: distinct(all, 'links'),
            pages: distinct(all, 'pages'),
          },
        ]),
      )
    },
    keepOnly(customerId, shown) {
      const among = (all: readonly string[]) => {
        const known = new Set(all)
        return (one: string) => known.has(one)
      }
      restrict(customerId, {
        vehicle: among(shown.vehicles),
        form: among(shown.forms),
        link: among(shown.links),
        page: among(shown.pages),
      })
    },
    forget: (customerId) => restrict(customerId, null),
    askAgain: () => readers.forEach(({ forgetAll }) => forgetAll()),
    readAt: (name, customerId, key) => entries.get(idOf(name, customerId, key))?.at ?? null,
    bytes: (customerId) => totals.get(customerId) ?? 0,
  }
}

/** What is kept, with the bytes of each customer. */
function makeLedger({ maxBytes, customerBytes }: { maxBytes: number; customerBytes: number }) {
  /** The order is that of the last successful read. */
  const entries = new Map<string, Entry>()
  const totals = new Map<string, number>()
  /** Counts what was forgotten, so that a read that began before isn't kept. */
  const forgotten = new Map<string, number>()

  const remove = (id: string, { customerId, bytes, drop }: Entry): void => {
    entries.delete(id)
    drop()
    const left = (totals.get(customerId) ?? 0) - bytes
    if (left > 0) totals.set(customerId, left)
    else totals.delete(customerId)
  }
  const removeOldest = (customerId: string): void => {
    for (const [id, entry] of entries) if (entry.customerId === customerId) return remove(id, entry)
  }
  const makeRoom = (customerId: string): void => {
    while ((totals.get(customerId) ?? 0) > customerBytes) removeOldest(customerId)
    while (sum(totals) > maxBytes) removeOldest(largest(totals))
  }
  const add = (id: string, entry: Entry): void => {
    entries.set(id, entry)
    totals.set(entry.customerId, (totals.get(entry.customerId) ?? 0) + entry.bytes)
    makeRoom(entry.customerId)
  }
  const restrict = (customerId: string, allowed: Allowed | null): void => {
    forgotten.set(customerId, (forgotten.get(customerId) ?? 0) + 1)
    for (const [id, entry] of entries) {
      const { vehicles = [], forms = [], links = [], pages = [] } = entry.shown
      const isAllowed =
        allowed !== null &&
        vehicles.every(allowed.vehicle) &&
        forms.every(allowed.form) &&
        links.every(allowed.link) &&
        pages.every(allowed.page)
      if (entry.customerId === customerId && !isAllowed && !entry.restrict(allowed)) remove(id, entry)
    }
  }
  return { entries, totals, forgotten, add, remove, restrict }
}

const idOf = (name: string, customerId: string, key: string): string => `${name} ${customerId} ${key}`

const jsonBytes = (value: unknown): number => JSON.stringify(value).length * 2

const sum = (totals: ReadonlyMap<string, number>): number =>
  [...totals.values()].reduce((all, bytes) => all + bytes, 0)

function largest(totals: ReadonlyMap<string, number>): string {
  const [[customerId] = ['']] = [...totals].toSorted(([, a], [, b]) => b - a)
  return customerId
}
