import { z } from 'zod'
import { fieldIds, type List } from './lists/list.ts'

/** The most rows one page may hold. */
export const MAX_PAGE_SIZE = 200
/** The page size where the caller names none. */
export const DEFAULT_PAGE_SIZE = 50
/** The longest rule a list is filtered by, in characters. */
export const MAX_FILTER = 2_000

export type SortTerm<Field extends string = string> = { field: Field; descending: boolean }

/** Digits, as a query writes a number. */
const count = (max: number, min = 1) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform((digits) => Number(digits)),
    ])
    .pipe(z.number().int().min(min).max(max))

/** The most terms a list is sorted by: the rest would never decide. */
export const MAX_SORT_TERMS = 3

/** `-price,make` of one list. @returns the terms, or the sentence that says why they are none. */
export function readSort<Field extends string>(list: List<Field>, text: string): SortTerm<Field>[] | string {
  const sortable = fieldIds(list).filter((id) => list.fields[id].isSortable)
  const parts = text.split(',').filter((part) => part !== '')
  const terms = parts.map((part) => ({ id: part.replace(/^-/, ''), descending: part.startsWith('-') }))
  if (parts.length > MAX_SORT_TERMS || new Set(terms.map(({ id }) => id)).size < parts.length) {
    return `Sort by at most ${MAX_SORT_TERMS} columns, each once.`
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

/**
 * The query that every list shares: `page`, `pageSize`, `sort=-price,make`, `search`, `filter` (a rule over the list's
 * fields), `counted` (how many rows matched when they were last counted, for another page of the same: the answer repeats
 * it instead of counting again). All are optional, and anything else, a column that cannot be sorted included, is refused
 * by name. Whether the rule makes sense depends on who asks: the server reads it.
 */
export function listQuery<const Field extends string>(list: List<Field>) {
  return z.strictObject({
    page: count(1_000_000).optional().default(1),
    pageSize: count(MAX_PAGE_SIZE).optional().default(DEFAULT_PAGE_SIZE),
    sort: sortOf(list).optional(),
    counted: count(999_999_999, 0).optional(),
    ...narrowing,
  })
}

/** What narrows a list down: words, and a rule. */
export const narrowing = {
  search: z.string().max(200).optional(),
  filter: z.string().max(MAX_FILTER, `A rule may have at most ${MAX_FILTER} characters.`).optional(),
}

/** What every list answers: `filteredRows` match the search, `totalRows` are there at all. */
export function queriedList<Row extends z.ZodType>(row: Row) {
  return z.object({ filteredRows: z.number().int(), totalRows: z.number().int(), results: z.array(row) })
}

/** Specification section 7: what the client gives a screen when a list could not be had. */
export const EMPTY_LIST = { filteredRows: 0, totalRows: 0, results: null } as const
