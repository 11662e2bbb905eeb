import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ListState } from './list-state.ts'

/** The query of a list. */
export type ListQuery = {
  page?: number | string | undefined
  pageSize?: number | string | undefined
  sort?: string | undefined
  search?: string | undefined
  filter?: string | undefined
}

/** An endpoint that returns one page of a list. */
export type ListEndpoint<Row> = Endpoint<
  z.ZodType<unknown, ListQuery>,
  z.ZodType<{ filteredRows: number; totalRows: number; results: Row[] }>
>

/** Number of rows fetched at once while scrolling. */
export const WINDOW = 100

/** The query for the page of a list that is shown. */
export const pageOf = (state: ListState): ListQuery => ({
  ...queryOf(state),
  page: state.page,
  pageSize: state.size || WINDOW,
})

/** The query for all pages of a list. */
export function queryOf({ sort, search, filter }: ListState): ListQuery {
  return { sort, ...(search !== '' && { search }), ...(filter !== '' && { filter }) }
}
