import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { ListState } from './list-state.ts'

/** What a list is asked. */
export type ListQuery = {
  page?: number | string | undefined
  pageSize?: number | string | undefined
  sort?: string | undefined
  search?: string | undefined
  filter?: string | undefined
}

/** A call that answers one page of a list. */
export type ListEndpoint<Row> = Endpoint<
  z.ZodType<unknown, ListQuery>,
  z.ZodType<{ filteredRows: number; totalRows: number; results: Row[] }>
>

/** Rows that are asked for at once while a list is scrolled. */
export const WINDOW = 100

/** Which rows, whatever page of them. */
export function queryOf({ sort, search, filter }: ListState): ListQuery {
  return { sort, ...(search !== '' && { search }), ...(filter !== '' && { filter }) }
}
