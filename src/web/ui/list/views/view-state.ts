import type { List } from '#contract/lists/list.ts'
import type { View, ViewState } from '#contract/lists/views.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/queried-list.ts'
import type { ListSearch } from '#web/list-search.ts'
import { type Look, PLAIN_LOOK } from './stored-view.ts'
import { type ListColumn, type ListState, ownColumns, readState } from '../list-state.ts'

/** A list with the columns the user may see, for reading and writing views. */
export type ListContext = Readonly<{ list: List; columns: readonly ListColumn[] }>

/**
 * The URL parameters of a saved view. They include everything in the view, so that the link shows the same to every
 * user.
 */
export function searchOf({ list }: ListContext, { id, state }: Pick<View, 'id' | 'state'>): ListSearch {
  const { size, sort = list.sort, search, filter, columns } = state
  return {
    page: undefined,
    size: size === DEFAULT_PAGE_SIZE ? undefined : size,
    sort,
    search: search || undefined,
    filter: filter || undefined,
    columns: columns?.join(','),
    view: id,
  }
}

/** The widths and density saved in a view. */
export function lookOf({ widths = {}, density = PLAIN_LOOK.density }: ViewState): Look {
  return { widths, density }
}

/** The current state of the list as a view, without the list's defaults. */
export function viewStateOf({ list, columns }: ListContext, state: ListState, look: Look): ViewState {
  const isDefault = state.columns.join() === ownColumns(columns).join()
  return {
    ...(state.search !== '' && { search: state.search }),
    ...(state.filter !== '' && { filter: state.filter }),
    ...(state.sort !== list.sort && { sort: state.sort }),
    ...(!isDefault && { columns: [...state.columns] }),
    ...(state.size !== DEFAULT_PAGE_SIZE && { size: state.size }),
    ...(Object.keys(look.widths).length > 0 && { widths: { ...look.widths } }),
    ...(look.density !== PLAIN_LOOK.density && { density: look.density }),
  }
}

/** Whether the list differs from the saved view. Parts the user may not see are ignored. */
export function isModified(
  shown: ListContext,
  view: Pick<View, 'id' | 'state'>,
  now: { state: ListState; look: Look },
) {
  const saved = readState(shown.list, shown.columns, searchOf(shown, view))
  return (
    write(viewStateOf(shown, saved, lookOf(view.state))) !== write(viewStateOf(shown, now.state, now.look))
  )
}

/** Canonical text of a state: columns keep their order, widths are sorted. */
function write({ widths = {}, ...state }: ViewState): string {
  const sorted = Object.entries(widths).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([state, sorted])
}
