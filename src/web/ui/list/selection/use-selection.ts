import { useRef, useState } from 'react'
import type { SeenOfRows } from '#contract/deletion.ts'
import { MAX_CHOSEN } from '#contract/lists/selection.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { isRecord } from '#web/api/read-json.ts'
import { showNotice } from '#web/ui/overlay/dialogs.tsx'
import { type ListEndpoint, pageOf, queryOf, WINDOW } from '../list-endpoint.ts'
import type { ListState } from '../list-state.ts'
import { countSelected, EVERYTHING, isSelected, NOTHING, select, type Selected } from './selection.ts'

type SelectionOptions<Row> = { endpoint: ListEndpoint<Row>; state: ListState; rowId: (row: Row) => string }

/** The selection of a list. It survives paging and sorting; another search or filter clears it. */
export function useSelection<Row>({ endpoint, state, rowId }: SelectionOptions<Row>) {
  const of = JSON.stringify([state.search, state.filter])
  const [kept, setKept] = useState({ of, selected: NOTHING })
  const selected = kept.of === of ? kept.selected : NOTHING
  // The last selected row: Shift selects everything between it and the next one.
  const last = useRef({ order: '', place: 0 })

  const choose = (change: (before: Selected) => Selected) =>
    setKept((before) => ({ of, selected: change(before.of === of ? before.selected : NOTHING) }))

  async function toggle(at: { id: string; place: number }, isOn: boolean, { isRange }: { isRange: boolean }) {
    const order = JSON.stringify([of, state.sort, state.size])
    const from = last.current.order === order ? last.current.place : at.place
    last.current = { order, place: at.place }
    const ids = isRange ? await idsBetween(from, at.place) : [at.id]
    choose((before) => select(before, ids, isOn))
  }

  /** Some of the rows between may never have been loaded. */
  async function idsBetween(one: number, other: number): Promise<string[]> {
    const [from, to] = [Math.min(one, other), Math.max(one, other)]
    if (to - from >= MAX_CHOSEN) {
      showNotice('Too many rows', `You can select up to ${MAX_CHOSEN.toLocaleString()} rows one by one.`)
      return []
    }
    const pageSize = state.size || WINDOW
    const first = Math.floor(from / pageSize)
    const pages = Array.from({ length: Math.floor(to / pageSize) - first + 1 }, (_, index) => first + index)
    const answers = await Promise.all(
      pages.map((page) =>
        queryClient.fetchQuery({
          ...query(endpoint, { ...queryOf(state), page: page + 1, pageSize }),
          staleTime: 60_000,
        }),
      ),
    )
    const rows = answers.flatMap(({ results }) => results)
    return rows.slice(from - first * pageSize, to - first * pageSize + 1).map(rowId)
  }

  /** What the user has seen of the selected rows by now: versions of those that were loaded, and the age of the list. */
  function noteSeen(): () => SeenOfRows {
    const pages = queryClient
      .getQueryCache()
      .findAll({ queryKey: keyOf(endpoint) })
      .toSorted((one, other) => one.state.dataUpdatedAt - other.state.dataUpdatedAt)
    const rows = pages.flatMap(({ state: { data } }) => rowsOf(data))
    const seen = rows
      .filter(({ id }) => isSelected(selected, id))
      .map(({ id, version }) => [id, version] as const)
    const versions = Object.fromEntries([...new Map(seen)].slice(-MAX_CHOSEN))
    const readAt = queryClient.getQueryState(query(endpoint, pageOf(state)).queryKey)?.dataUpdatedAt
    return () => ({ versions, ...(readAt !== undefined && { readMsAgo: Math.max(0, Date.now() - readAt) }) })
  }

  return {
    selected,
    noteSeen,
    count: (matching: number) => countSelected(selected, matching),
    isOn: (id: string) => isSelected(selected, id),
    toggle: (...how: Parameters<typeof toggle>) => void toggle(...how),
    setMany: (ids: readonly string[], isOn: boolean) => choose((before) => select(before, ids, isOn)),
    selectAll: () => choose(() => EVERYTHING),
    clear: () => choose(() => NOTHING),
  }
}
/** The rows of a cached page that have a version. */
function rowsOf(data: unknown): { id: string; version: number }[] {
  if (!isRecord(data) || !Array.isArray(data['results'])) return []
  return data['results'].flatMap((row: unknown) =>
    isRecord(row) && typeof row['id'] === 'string' && typeof row['version'] === 'number'
      ? [{ id: row['id'], version: row['version'] }]
      : [],
  )
}

export type ListSelection = ReturnType<typeof useSelection>
