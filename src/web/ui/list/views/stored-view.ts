import { useEffect, useState } from 'react'
import { DENSITIES } from '#contract/lists/views.ts'
import { isRecord, parseRecord } from '#web/api/read-json.ts'
import { type ListSearch, readListSearch } from '#web/list-search.ts'
import { LEAST_WIDTH, MOST_WIDTH, type Widths } from '../table/column-widths.ts'

export type Density = (typeof DENSITIES)[number]

/** How rows look whatever they are: what a saved view keeps besides the URL. */
export type Look = Readonly<{ widths: Widths; density: Density }>

/** What this browser remembers of a list for one person. */
type StoredView = Readonly<{
  /** By the number of the view, or `all`. */
  looks: Readonly<Record<string, Look>>
  /** What the list opens with, as a URL: the person's default view, as it was last seen. */
  opens: ListSearch | null
}>

export const PLAIN_LOOK: Look = { widths: {}, density: 'comfortable' }

/** Remembers widths, density and the default view of a list, in this browser. */
export function useKept(list: string, person: string) {
  const key = `list.${list}.${person}`
  const [kept, setKept] = useState(() => loadStored(localStorage.getItem(key)))
  useEffect(() => writeKept(key, kept), [key, kept])
  return {
    opens: kept.opens,
    lookOf: (view: string) => kept.looks[view] ?? PLAIN_LOOK,
    hasLook: (view: string) => Object.hasOwn(kept.looks, view),
    keepLook: (view: string, look: Look) =>
      setKept(({ looks, opens }) => ({ looks: { ...looks, [view]: look }, opens })),
    keepOpens: (opens: ListSearch | null) => setKept(({ looks }) => ({ looks, opens })),
  }
}

function writeKept(key: string, kept: StoredView): void {
  const text = JSON.stringify(kept)
  if (text === EMPTY || text === localStorage.getItem(key)) return
  try {
    localStorage.setItem(key, text)
  } catch {
    // A browser that keeps nothing more shows the list all the same.
  }
}

const EMPTY = JSON.stringify({ looks: {}, opens: null } satisfies StoredView)

/** What a stored text says; what makes no sense is left out. */
export function loadStored(stored: string | null): StoredView {
  const found = parseRecord(stored ?? '') ?? {}
  const looks = isRecord(found['looks']) ? found['looks'] : {}
  return {
    looks: Object.fromEntries(Object.entries(looks).map(([view, look]) => [view, readLook(look)])),
    opens: isRecord(found['opens']) ? readListSearch(found['opens']) : null,
  }
}

function readLook(stored: unknown): Look {
  if (!isRecord(stored)) return PLAIN_LOOK
  const widths = isRecord(stored['widths']) ? Object.entries(stored['widths']) : []
  return {
    widths: Object.fromEntries(widths.filter(isWidth)),
    density: DENSITIES.find((density) => density === stored['density']) ?? PLAIN_LOOK.density,
  }
}

function isWidth(entry: [string, unknown]): entry is [string, number] {
  const [, width] = entry
  return typeof width === 'number' && width >= LEAST_WIDTH && width <= MOST_WIDTH
}
