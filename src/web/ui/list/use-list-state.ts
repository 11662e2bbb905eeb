import { useEffect, useMemo, useRef } from 'react'
import type { List } from '#contract/lists/list.ts'
import { holds } from '#contract/permissions.ts'
import type { ListSearch } from '#web/list-search.ts'
import { useSession } from '#web/session/use-session.ts'
import { type Look, useKept } from './views/stored-view.ts'
import { changeSearch, columnsOf, type ListColumn, type ListState, PLAIN, readState } from './list-state.ts'

/** Puts a change into the URL. `replaces`: the step before is not worth going back to. */
export type Show = (change: ListSearch, how: { replaces: boolean }) => void

/** How a list stands there, and how that is changed. */
export type ListControl = Readonly<{
  list: List
  /** Every column there is for the person. */
  columns: readonly ListColumn[]
  state: ListState
  look: Look
  /** Back to the first page, unless the change names one. Words that are still being typed leave no trace to go back to. */
  show: (change: ListSearch) => void
  setLook: (change: Partial<Look>) => void
  /** Opens a saved view, or with null the list as it is, with the look it was saved with. */
  open: (search: ListSearch | null, look: Look | null, how?: { replaces: boolean }) => void
  /** The URL says nothing: the list opens with the person's default view. */
  isBare: boolean
  /** The URL names a view and says nothing of what it holds: it is still to be opened. */
  isUnopened: boolean
  /** What it opens with, as far as this browser knows. */
  opens: ListSearch | null
  setOpens: (opens: ListSearch | null) => void
  hasLook: boolean
}>

/** Reads the URL and what the browser remembers; both are only ever changed through what this returns. */
export function useListState(list: List, search: ListSearch, onShow: Show): ListControl {
  const { permissions, claims } = useSession()
  const kept = useKept(list.key, claims?.impersonateUserId ?? '')
  const columns = useMemo(
    () => columnsOf(list, (wanted) => permissions !== null && holds(permissions, wanted)),
    [list, permissions],
  )
  const isBare = Object.values(search).every((value) => value === undefined)
  const opens = isBare ? kept.opens : null
  // The URL follows a moment later: until then it is told once.
  const isTold = useRef(false)
  useEffect(() => {
    if (opens && !isTold.current) onShow(opens, { replaces: true })
    isTold.current = opens !== null
  }, [opens, onShow])
  const seen = opens ?? search
  const state = readState(list, columns, seen)
  const key = state.view ?? PLAIN
  const look = kept.lookOf(key)

  function go(change: ListSearch, replaces: boolean) {
    const next = changeSearch({ list, columns }, seen, change)
    const isPlain = Object.values(next).every((value) => value === undefined)
    // Without a word in the URL the default view would open, which is not what was asked for.
    onShow(isPlain && kept.opens ? { ...next, view: PLAIN } : next, { replaces })
  }
  return {
    list,
    columns,
    state,
    look,
    show: (change) => go(change, 'search' in change),
    setLook: (change) => kept.keepLook(key, { ...look, ...change }),
    open: (wanted, saved, { replaces } = { replaces: false }) => {
      if (wanted?.view !== undefined && saved) kept.keepLook(wanted.view, saved)
      go({ ...NOTHING_ASKED, ...wanted }, replaces)
    },
    isBare,
    isUnopened: state.view !== null && seen.sort === undefined,
    opens: kept.opens,
    setOpens: kept.keepOpens,
    hasLook: kept.hasLook(key),
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
