import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { fieldIds, type List } from './lists/list.ts'

/** The most rows one page may hold. */
export const MAX_PAGE_SIZE = 200
/** The default page size. */
export const DEFAULT_PAGE_SIZE = 50
/** The longest filter rule, in characters. */
export const MAX_FILTER = 2_000

export type SortTerm<Field extends string = string> = { field: Field; descending: boolean }

/** A number, or its digits as in a query string. */
const count = (max: number, min = 1) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,9}$/, 'This must be a whole number.')
        .transform((digits) => Number(digits)),
    ])
    .pipe(z.number().int().min(min).max(max))

/** The most sort terms. Further ones would hardly ever matter. */
export const MAX_SORT_TERMS = 3

/** Reads sort terms such as `-price,make`. @returns the terms, or an error sentence. */
export function readSort<Field extends string>(list: List<Field>, text: string): SortTerm<Field>[] | string {
  const sortable = fieldIds(list).filter((id) => list.fields[id].isSortable)
  const parts = text.split(',').filter((part) => part !== '')
  const terms = parts.map((part) => ({ id: part.replace(/^-/, ''), descending: part.startsWith('-') }))
  if (parts.length > MAX_SORT_TERMS || new Set(terms.map(({ id }) => id)).size < parts.length) {
    return `Sort by at most ${MAX_SORT_TERMS} columns, each only once.`
  }
  const read: SortTerm<Field>[] = []
  for (const { id, descending } of terms) {
    const field = sortable.find((one) => one === id)
    if (field === undefined) return `Cannot sort by ${id}. Use ${sortable.join(', ')}.`
    read.push({ field, descending })
  }
  return read
}

function sortOf<Field extends string>(list: List<Field>) {
  return z.string().transform((text, context): SortTerm<Field>[] => {
    const read = readSort(list, text)
    if (typeof read !== 'string') return read
    context.addIssue({ code: 'custom', message: read })
    return z.NEVER
  })
}

/** The lists by the schema of their `sort`, which stays the same if a query is extended. */
const sortedLists = z.registry<{ list: List }>()

/** The list that an endpoint returns; undefined if its input isn't a `listQuery`. */
export function listOf({ input }: Endpoint): List | undefined {
  const sort: unknown = input instanceof z.ZodObject ? input.shape['sort'] : undefined
  return sort instanceof z.ZodType ? sortedLists.get(sort)?.list : undefined
}

/**
 * The query of every list: `page`, `pageSize`, `sort=-price,make`, `search`, `filter` (a rule over the list's fields) and
 * `counted` (the number of matching rows from an earlier page; the response repeats it instead of counting again). All are
 * optional. Anything else is rejected by name, including a column that cannot be sorted. The server validates the rule,
 * because its fields depend on the caller.
 */
export function listQuery<const Field extends string>(list: List<Field>) {
  return z.strictObject({
    page: count(1_000_000).optional().default(1),
    pageSize: count(MAX_PAGE_SIZE).optional().default(DEFAULT_PAGE_SIZE),
    sort: sortOf(list).optional().register(sortedLists, { list }),
    counted: count(999_999_999, 0).optional(),
    ...narrowing,
  })
}

/** The parts of a query that filter a list: search text and a rule. */
export const narrowing = {
  search: z.string().max(200).optional(),
  filter: z.string().max(MAX_FILTER, `A rule can have at most ${MAX_FILTER} characters.`).optional(),
}

/** The response of every list: `filteredRows` rows match the search and filter, out of `totalRows`. */
export function queriedList<Row extends z.ZodType>(row: Row) {
  return z.object({ filteredRows: z.number().int(), totalRows: z.number().int(), results: z.array(row) })
}

/** Specification section 7: what the client passes to a screen when a list could not be loaded. */
export const EMPTY_LIST = { filteredRows: 0, totalRows: 0, results: null } as const
