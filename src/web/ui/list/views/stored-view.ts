import { useEffect, useState } from 'react'
import { DENSITIES } from '#contract/lists/views.ts'
import { isRecord, parseRecord } from '#web/api/read-json.ts'
import { type ListSearch, readListSearch } from '#web/list-search.ts'
import { MIN_WIDTH, MAX_WIDTH, type Widths } from '../table/column-widths.ts'

export type Density = (typeof DENSITIES)[number]

/** The appearance of rows that a saved view stores in addition to the URL. */
export type Look = Readonly<{ widths: Widths; density: Density }>

/** What this browser remembers about a list for one user. */
type StoredView = Readonly<{
  /** By view ID, or `all`. */
  looks: Readonly<Record<string, Look>>
  /** The user's default view as URL parameters, as last seen. */
  opens: ListSearch | null
}>

export const PLAIN_LOOK: Look = { widths: {}, density: 'comfortable' }

/** Remembers widths, density and the default view of a list in this browser. */
export function useStoredView(list: string, userId: string) {
  const key = `list.${list}.${userId}`
  const [settings, setSettings] = useState(() => loadStored(localStorage.getItem(key)))
  useEffect(() => writeStored(key, settings), [key, settings])
  return {
    opens: settings.opens,
    lookOf: (view: string) => settings.looks[view] ?? PLAIN_LOOK,
    hasLook: (view: string) => Object.hasOwn(settings.looks, view),
    saveLook: (view: string, look: Look) =>
      setSettings(({ looks, opens }) => ({ looks: { ...looks, [view]: look }, opens })),
    saveOpens: (opens: ListSearch | null) => setSettings(({ looks }) => ({ looks, opens })),
  }
}

function writeStored(key: string, settings: StoredView): void {
  const text = JSON.stringify(settings)
  if (text === EMPTY || text === localStorage.getItem(key)) return
  try {
    localStorage.setItem(key, text)
  } catch {
    // A browser with full or blocked storage still shows the list.
  }
}

const EMPTY = JSON.stringify({ looks: {}, opens: null } satisfies StoredView)

/** Parses stored settings; invalid parts are ignored. */
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
  return typeof width === 'number' && width >= MIN_WIDTH && width <= MAX_WIDTH
}
