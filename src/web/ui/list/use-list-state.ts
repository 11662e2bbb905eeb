import { useEffect, useMemo, useRef } from 'react'
import type { List } from '#contract/lists/list.ts'
import { holds } from '#contract/permissions.ts'
import type { ListSearch } from '#web/list-search.ts'
import { useSession } from '#web/session/use-session.ts'
import { type Look, useStoredView } from './views/stored-view.ts'
import { changeSearch, columnsOf, type ListColumn, type ListState, PLAIN, readState } from './list-state.ts'

/** Applies a change to the URL. `replaces`: doesn't add a history entry. */
export type Show = (change: ListSearch, how: { replaces: boolean }) => void

/** The state of a list and how to change it. */
export type ListControl = Readonly<{
  list: List
  /** Every column the user may see. */
  columns: readonly ListColumn[]
  state: ListState
  look: Look
  /** Goes to the first page, unless the change names one. A search being typed adds no history entry. */
  show: (change: ListSearch) => void
  setLook: (change: Partial<Look>) => void
  /** Opens a saved view with its look; null shows the list without a view. */
  open: (search: ListSearch | null, look: Look | null, how?: { replaces: boolean }) => void
  /** The URL has no parameters: the list opens with the user's default view. */
  isBare: boolean
  /** The URL names a view without its contents: it still has to be loaded. */
  isUnopened: boolean
  /** The default view, as far as this browser knows. */
  opens: ListSearch | null
  setOpens: (opens: ListSearch | null) => void
  hasLook: boolean
}>

/** Reads the URL and the browser's stored settings; change both only through the returned functions. */
export function useListState(list: List, search: ListSearch, onShow: Show): ListControl {
  const { permissions, claims } = useSession()
  const stored = useStoredView(list.key, claims?.impersonateUserId ?? '')
  const columns = useMemo(
    () => columnsOf(list, (wanted) => permissions !== null && holds(permissions, wanted)),
    [list, permissions],
  )
  const isBare = Object.values(search).every((value) => value === undefined)
  const opens = isBare ? stored.opens : null
  // The URL updates a moment later: until then, notify only once.
  const isTold = useRef(false)
  useEffect(() => {
    if (opens && !isTold.current) onShow(opens, { replaces: true })
    isTold.current = opens !== null
  }, [opens, onShow])
  const seen = opens ?? search
  const state = readState(list, columns, seen)
  const key = state.view ?? PLAIN
  const look = stored.lookOf(key)

  function go(change: ListSearch, replaces: boolean) {
    const next = changeSearch({ list, columns }, seen, change)
    const isPlain = Object.values(next).every((value) => value === undefined)
    // Without parameters the default view would open, which isn't what the user asked for.
    onShow(isPlain && stored.opens ? { ...next, view: PLAIN } : next, { replaces })
  }
  return {
    list,
    columns,
    state,
    look,
    show: (change) => go(change, 'search' in change),
    setLook: (change) => stored.saveLook(key, { ...look, ...change }),
    open: (wanted, saved, { replaces } = { replaces: false }) => {
      if (wanted?.view !== undefined && saved) stored.saveLook(wanted.view, saved)
      go({ ...NOTHING_ASKED, ...wanted }, replaces)
    },
    isBare,
    isUnopened: state.view !== null && seen.sort === undefined,
    opens: stored.opens,
    setOpens: stored.saveOpens,
    hasLook: stored.hasLook(key),
  }
}

const NOTHING_ASKED = {
  page: undefined,
  size: undefined,
  sort: undefined,
  search: undefined,
  filter: undefined,
  columns: undefined,
  view: undefined,
} satisfies Record<keyof ListSearch, undefined>
