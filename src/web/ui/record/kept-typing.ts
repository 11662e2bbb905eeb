import type { DBSchema, IDBPDatabase } from 'idb'
import { useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { deviceDatabase } from '#web/session/device-database.ts'
import { useSession } from '#web/session/use-session.ts'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { mergeChanges, type Versions, type Winner } from './merge-changes.ts'

/** What someone typed into a form and has not saved. It stays on this device until it is saved, discarded or too old. */
export type KeptTyping = Readonly<{
  /** Of one opening of the form: two tabs don't overwrite each other's. */
  id: string
  /** The person, the form and the record. */
  place: string
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

const KEPT_MS = 30 * 24 * 60 * 60_000
/** Names of fields that are never kept. `kept-typing.test.tsx` compares them with the password inputs. */
export const SECRET_FIELD = /secret|password|token/i

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

async function findKept(place: string): Promise<KeptTyping[]> {
  const all = (await attempt((db) => db.getAllFromIndex('forms', 'place', place))) ?? []
  const from = Date.now() - KEPT_MS
  for (const { id } of all.filter(({ at }) => at < from)) forget(id)
  return all.filter(({ at }) => at >= from).toSorted((one, other) => other.at - one.at)
}

const forget = (id: string): void => void attempt((db) => db.delete('forms', id))

type Form<V extends Values> = {
  /** The call that saves it. */
  endpoint: Endpoint
  /** What it belongs to; null for something new. */
  record: object | null
  values: V
  /** The values of the loaded record, so that what is put back keeps what others changed since. */
  loaded?: V
  /** The names of the fields that differ from the loaded record. */
  changed: readonly string[]
  /** Sets these fields of the form. */
  putBack: (values: Values) => void
  /** How what was typed and what others changed since is brought together, if it isn't `mergeChanges`. */
  merge?: Merge<V> | undefined
}

type Values = Readonly<Record<string, unknown>>
type Merge<V> = (versions: Versions<V>, winner: Winner) => V

export type KeptText = Readonly<{
  /** What earlier openings of the form kept, the latest of each field; null if there is none or it was decided on. */
  offer: KeptTyping | null
  /** The fields of the offer that someone saved differently since, and that putting it back replaces, with what was saved: not with what is typed now. */
  replaced: Readonly<Record<string, unknown>>
  decide: (how: 'use' | 'discard') => void
  /** What was typed is saved or discarded: it isn't kept any longer. `rest`: except this, which was typed while it was saved. */
  end: (rest?: Pick<KeptTyping, 'values' | 'loaded'>) => void
}>

/** Keeps what is typed into a form on this device, and finds what an earlier opening of the same form kept. */
export function useKeptTyping<V extends Values>(form: Form<V>): KeptText {
  const { values, loaded, changed, putBack, merge } = form
  const place = usePlace(form)
  const [id] = useState(() => `${Date.now()}-${Math.random()}`)
  const [found, setFound] = useState<readonly KeptTyping[]>([])
  const isKept = useRef(false)
  const shownFirst = useRef<Values>(values)
  /** What was typed when it was saved or discarded. */
  const ended = useRef<string | null>(null)
  useEffect(() => {
    let isGone = false
    void findKept(place).then((all) => {
      if (isGone) return
      // Saved before, although the page was closed before the answer came.
      const isSaved = ({ loaded: base, values: mine }: KeptTyping) =>
        Object.entries(mine).every(([name, value]) => isKnown(base, name, value, shownFirst.current[name]))
      for (const { id: saved } of all.filter(isSaved)) forget(saved)
      setFound(all.filter((one) => !isSaved(one)))
    })
    return () => {
      isGone = true
    }
  }, [place])
  const names = changed.filter((name) => !SECRET_FIELD.test(name))
  const text = JSON.stringify(names.map((name) => [name, values[name]]))
  useEffect(() => {
    if (text === ended.current) return
    const typed: [string, unknown][] = JSON.parse(text)
    if (typed.length > 0) {
      const before = Object.fromEntries(typed.flatMap(([name]) => (loaded ? [[name, loaded[name]]] : [])))
      const entry = { id, place, values: Object.fromEntries(typed), loaded: before, at: Date.now() }
      void attempt((db) => db.put('forms', entry))
    } else if (isKept.current) forget(id)
    isKept.current = typed.length > 0
  }, [id, place, text, loaded])
  // Not what the form shows anyway.
  const { offer, rest } = combineKept(
    found,
    (name, value, base) => !(name in values) || isKnown(base, name, value, values[name]),
  )
  return {
    offer,
    replaced: offer === null ? {} : replacedBy(offer, loaded ?? values, merge),
    decide: (how) => {
      if (offer === null) return
      if (how === 'use') putBack(mergeKept(offer, values, merge))
      for (const one of found) {
        const later = rest.find((other) => other.id === one.id)
        if (later === undefined) forget(one.id)
        else void attempt((db) => db.put('forms', later))
      }
      setFound(rest)
    },
    end: (left) => {
      ended.current = text
      if (left === undefined) forget(id)
      else void attempt((db) => db.put('forms', { ...left, id, place, at: Date.now() }))
    },
  }
}

/**
 * Earlier openings as one: the latest text of each field, newest first. `rest`: older texts of the same fields, which are offered
 * next. `isShown`: the form has that value anyway, or doesn't have the field any longer.
 */
export function combineKept(
  found: readonly KeptTyping[],
  isShown: (name: string, value: unknown, base: KeptTyping['loaded']) => boolean,
): { offer: KeptTyping | null; rest: KeptTyping[] } {
  const taken = new Map<string, unknown>()
  const parts = found.map((one) => {
    const [first, older] = [new Map<string, unknown>(), new Map<string, unknown>()]
    for (const [name, value] of Object.entries(one.values)) {
      if (isShown(name, value, one.loaded) || isEqual(value, taken.get(name))) continue
      if (taken.has(name)) older.set(name, value)
      else {
        taken.set(name, value)
        first.set(name, value)
      }
    }
    return { first: withFields(one, first), older: withFields(one, older) }
  })
  const offered = parts.flatMap(({ first }) => first ?? [])
  const [latest] = offered
  const rest = parts.flatMap(({ older }) => older ?? [])
  if (latest === undefined) return { offer: null, rest }
  const all = (key: 'values' | 'loaded') =>
    Object.fromEntries(offered.flatMap((one) => Object.entries(one[key] ?? {})))
  return { offer: { ...latest, values: all('values'), loaded: all('loaded') }, rest }
}

/** Whether what someone made of a value is already in what the form shows. */
const isKnown = (base: Values | undefined, name: string, mine: unknown, theirs: unknown): boolean =>
  isEqual(mine, theirs) ||
  (base !== undefined &&
    Object.hasOwn(base, name) &&
    isEqual(mergeChanges({ base: base[name], mine, theirs }), theirs))

function withFields(kept: KeptTyping, fields: ReadonlyMap<string, unknown>): KeptTyping | null {
  return fields.size === 0 ? null : { ...kept, values: Object.fromEntries(fields) }
}

/** The fields that change when what was typed is put on what the form shows now. */
export function mergeKept<V extends Values>(
  kept: Pick<KeptTyping, 'values' | 'loaded'>,
  now: V,
  merge: Merge<V> = mergeChanges,
): Values {
  const merged = Object.entries(merge(versionsOf(kept, now), 'mine'))
  return Object.fromEntries(merged.filter(([name, value]) => !isEqual(value, now[name])))
}

/** The fields that both what was typed and someone else changed, with the values that are replaced. */
export function replacedBy<V extends Values>(
  kept: Pick<KeptTyping, 'values' | 'loaded'>,
  now: V,
  merge: Merge<V> = mergeChanges,
): Values {
  const versions = versionsOf(kept, now)
  const [mine, theirs] = [merge(versions, 'mine'), merge(versions, 'theirs')]
  const names = Object.keys(kept.values).filter((name) => !isEqual(mine[name], theirs[name]))
  return Object.fromEntries(names.map((name) => [name, now[name]]))
}

/** As versions to be merged. Of a field whose value before isn't known, no one else changed anything. */
export function versionsOf<V extends Values>(
  { values, loaded }: Pick<KeptTyping, 'values' | 'loaded'>,
  now: V,
): Versions<V> {
  return { base: { ...now, ...loaded }, mine: { ...now, ...values }, theirs: now }
}

/** Also asks before the form is left with unsaved changes. Who continues anyway discards them. */
export function useKeptGuard<V extends Values>(form: Form<V>): { kept: KeptText; release: KeptText['end'] } {
  const kept = useKeptTyping(form)
  const guard = useUnsavedGuard(form.changed.length > 0, kept.end)
  const release = (rest?: Parameters<KeptText['end']>[0]) => {
    guard.release()
    kept.end(rest)
  }
  return { kept, release }
}

/**
 * The person, the form and the record. Something new belongs to the page and the organization that it is added in, also a record
 * that was deleted and is added again. Neither follows the session or the address, which may change before the form is gone.
 */
function usePlace({
  endpoint,
  record,
  values,
}: Pick<Form<Values>, 'endpoint' | 'record' | 'values'>): string {
  const { claims } = useSession()
  const [person] = useState(`${claims?.userId}/${claims?.impersonateUserId}`)
  const [added] = useState(
    `new ${claims?.organizationId} ${globalThis.location.pathname.replace(/\/(?:new|\d+)$/, '')}`,
  )
  const one = record === null ? added : String('id' in record ? record.id : '')
  return [person, endpoint.path, one, Object.keys(values).toSorted().join(',')].join(' ')
}
