import { useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { isEqual } from '#contract/questions/changes.ts'
import { findKept, forgetKept, keepTyping, type KeptTyping, personOf } from '#web/session/kept-forms.ts'
import { useSession } from '#web/session/use-session.ts'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { mergeChanges, type Versions, type Winner } from './merge-changes.ts'
import { withTypedSpaces } from './typed-spaces.ts'

/** Names of fields that are never kept. `kept-typing.test.tsx` compares them with the password inputs. */
export const SECRET_FIELD = /secret|password|token/i

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
  const { place, page } = usePlace(form)
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
      for (const { id: saved } of all.filter(isSaved)) forgetKept(saved)
      setFound(all.filter((one) => !isSaved(one)))
    })
    return () => {
      isGone = true
    }
  }, [place])
  const names = changed.filter((name) => !SECRET_FIELD.test(name))
  // With what it started from: after a save, that is what this user saved.
  const text = JSON.stringify(names.map((name) => [name, values[name], loaded?.[name]]))
  useEffect(() => {
    if (text === ended.current) return
    const fields: [string, unknown, unknown][] = JSON.parse(text)
    const typed = fields.map(([name, value]) => [name, value] as const)
    if (typed.length > 0) {
      const before = Object.fromEntries(typed.flatMap(([name]) => (loaded ? [[name, loaded[name]]] : [])))
      keepTyping({ id, place, page, values: Object.fromEntries(typed), loaded: before, at: Date.now() })
    } else if (isKept.current) forgetKept(id)
    isKept.current = typed.length > 0
  }, [id, place, page, text, loaded])
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
        if (later === undefined) forgetKept(one.id)
        else keepTyping(later)
      }
      setFound(rest)
    },
    end: (left) => {
      ended.current = text
      if (left === undefined) forgetKept(id)
      else keepTyping({ ...left, id, place, page, at: Date.now() })
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
function isKnown(base: Values | undefined, name: string, typed: unknown, theirs: unknown): boolean {
  const mine = withTypedSpaces(theirs, typed)
  if (isEqual(mine, theirs)) return true
  if (base === undefined || !Object.hasOwn(base, name)) return false
  return isEqual(mergeChanges({ base: withTypedSpaces(theirs, base[name]), mine, theirs }), theirs)
}

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

/**
 * As versions to be merged. Of a field whose value before isn't known, no one else changed anything, and neither did anyone where
 * only spaces around a text differ: saving removed them.
 */
export function versionsOf<V extends Values>(
  { values, loaded }: Pick<KeptTyping, 'values' | 'loaded'>,
  now: V,
): Versions<V> {
  return {
    base: { ...now, ...withTypedSpaces(now, loaded) },
    mine: { ...now, ...values },
    theirs: now,
  }
}

/** Also asks before the form is left with unsaved changes. Who continues anyway discards them. */
export function useKeptGuard<V extends Values>(form: Form<V>): { kept: KeptText; release: KeptText['end'] } {
  const kept = useKeptTyping(form)
  const guard = useUnsavedGuard(form.changed.length > 0, kept.end)
  const release = (rest?: Parameters<KeptText['end']>[0]) => {
    guard.release(rest !== undefined)
    kept.end(rest)
  }
  return { kept, release }
}

/**
 * The person, the form and the record, and the page. Something new belongs to the page and the organization that it is added in, also
 * a record that was deleted and is added again. None follows the session or the address, which may change before the form is gone.
 */
function usePlace({ endpoint, record, values }: Pick<Form<Values>, 'endpoint' | 'record' | 'values'>): {
  place: string
  page: string
} {
  const { claims } = useSession()
  const [person] = useState(personOf(claims))
  const [page] = useState(globalThis.location.pathname)
  const [added] = useState(`new ${claims?.organizationId} ${page.replace(/\/(?:new|\d+)$/, '')}`)
  // A record without an ID is the only one of its customer.
  const [only] = useState(`of ${claims?.customerId}`)
  const saved = record !== null && 'id' in record ? String(record.id) : only
  const one = record === null ? added : saved
  return { place: [person, endpoint.path, one, Object.keys(values).toSorted().join(',')].join(' '), page }
}
