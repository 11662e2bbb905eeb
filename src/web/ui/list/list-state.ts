import { fieldsOf, type List, type ListField } from '#contract/lists/list.ts'
import type { Permission } from '#contract/permissions.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/queried-list.ts'
import type { ListSearch } from '#web/list-search.ts'

/** The complete state of a list: the URL with defaults from the list's declaration. */
export type ListState = Readonly<{
  page: number
  /** 0: all rows, scrolled. */
  size: number
  /** As in the URL: `-updatedAt`, `-price,make`. */
  sort: string
  search: string
  /** A rule; empty for none. */
  filter: string
  /** The visible fields, in order; the fixed one first. */
  columns: readonly string[]
  /** ID of a saved view; null if none is open. */
  view: string | null
}>

/** The value of `view` that shows the list without any view. */
export const PLAIN = 'all'

export type ListColumn = Readonly<{ id: string; field: ListField }>

/** The columns of a list that the user may see, in declared order. */
export function columnsOf(list: List, may: (permission: Permission) => boolean): ListColumn[] {
  return fieldsOf(list, may)
    .filter(([, field]) => field.isColumn !== false)
    .map(([id, field]) => ({ id, field }))
}

/** The columns shown by default. */
export function ownColumns(columns: readonly ListColumn[]): string[] {
  return withFixed(
    columns,
    columns.filter(({ field }) => field.isHidden !== true).map(({ id }) => id),
  )
}

/** Reads the URL. Parameters the list doesn't have, or the user may not see, are ignored. */
export function readState(list: List, columns: readonly ListColumn[], search: ListSearch): ListState {
  const { page = 1, size = DEFAULT_PAGE_SIZE, view = PLAIN } = search
  return {
    page: size === 0 ? 1 : page,
    size,
    sort: readSort(columns, search.sort) ?? list.sort,
    search: search.search ?? '',
    filter: search.filter ?? '',
    columns: readColumns(columns, search.columns) ?? ownColumns(columns),
    view: view === PLAIN ? null : view,
  }
}

function readSort(columns: readonly ListColumn[], text: string | undefined): string | undefined {
  const terms = text?.split(',').filter((term) => term !== '') ?? []
  const isKnown = (term: string) =>
    columns.some(({ id, field }) => id === term.replace(/^-/, '') && field.isSortable)
  return terms.length > 0 && terms.every(isKnown) ? terms.join(',') : undefined
}

function readColumns(columns: readonly ListColumn[], text: string | undefined): string[] | undefined {
  const wanted = [...new Set(text?.split(','))].filter((name) => columns.some(({ id }) => id === name))
  return wanted.length > 0 ? withFixed(columns, wanted) : undefined
}

/** The column that opens a row always comes first. */
function withFixed(columns: readonly ListColumn[], ids: readonly string[]): string[] {
  const fixed = columns.filter(({ field }) => field.isFixed).map(({ id }) => id)
  return [...fixed, ...ids.filter((id) => !fixed.includes(id))]
}

/** The URL parameters after a change, without defaults; with a view, always including its sort. */
export function changeSearch(
  { list, columns }: { list: List; columns: readonly ListColumn[] },
  before: ListSearch,
  change: ListSearch,
): ListSearch {
  const after = { ...before, page: undefined, ...change }
  const hasView = after.view !== undefined && after.view !== PLAIN
  const sort = after.sort ?? list.sort
  const isDefault = after.columns === ownColumns(columns).join(',')
  return {
    page: after.page === 1 ? undefined : after.page,
    size: after.size === DEFAULT_PAGE_SIZE ? undefined : after.size,
    sort: sort === list.sort && !hasView ? undefined : sort,
    search: after.search || undefined,
    filter: after.filter || undefined,
    columns: isDefault ? undefined : after.columns,
    view: after.view,
  }
}
