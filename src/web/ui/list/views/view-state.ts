import type { List } from '#contract/lists/list.ts'
import type { View, ViewState } from '#contract/lists/views.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/queried-list.ts'
import type { ListSearch } from '#web/list-search.ts'
import { type Look, PLAIN_LOOK } from './stored-view.ts'
import { type ListColumn, type ListState, ownColumns, readState } from '../list-state.ts'

/** A list as a person sees it: what a view is written and read against. */
export type Shown = Readonly<{ list: List; columns: readonly ListColumn[] }>

/** The URL that opens a saved view. It says everything the view holds, so that it shows the same to whoever gets it. */
export function searchOf({ list }: Shown, { id, state }: Pick<View, 'id' | 'state'>): ListSearch {
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

/** The widths and the density a view was saved with. */
export function lookOf({ widths = {}, density = PLAIN_LOOK.density }: ViewState): Look {
  return { widths, density }
}

/** What is to be saved of how the list stands there. What is the list's own is left out. */
export function viewStateOf({ list, columns }: Shown, state: ListState, look: Look): ViewState {
  const isOwn = state.columns.join() === ownColumns(columns).join()
  return {
    ...(state.search !== '' && { search: state.search }),
    ...(state.filter !== '' && { filter: state.filter }),
    ...(state.sort !== list.sort && { sort: state.sort }),
    ...(!isOwn && { columns: [...state.columns] }),
    ...(state.size !== DEFAULT_PAGE_SIZE && { size: state.size }),
    ...(Object.keys(look.widths).length > 0 && { widths: { ...look.widths } }),
    ...(look.density !== PLAIN_LOOK.density && { density: look.density }),
  }
}

/** Whether the list stands there otherwise than the view was saved. What the person may not see of it does not count. */
export function isModified(
  shown: Shown,
  view: Pick<View, 'id' | 'state'>,
  now: { state: ListState; look: Look },
) {
  const saved = readState(shown.list, shown.columns, searchOf(shown, view))
  return (
    write(viewStateOf(shown, saved, lookOf(view.state))) !== write(viewStateOf(shown, now.state, now.look))
  )
}

/** As text that is the same for the same state: columns keep their order, widths have none. */
function write({ widths = {}, ...state }: ViewState): string {
  const sorted = Object.entries(widths).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([state, sorted])
}
