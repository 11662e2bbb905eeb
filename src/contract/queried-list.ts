import { z } from 'zod'

/** The most rows one page may hold. */
export const MAX_PAGE_SIZE = 200
/** The page size where the caller names none. */
export const DEFAULT_PAGE_SIZE = 50

export type SortTerm<Field extends string = string> = { field: Field; descending: boolean }

/** Digits, as a query writes a number. */
const count = (max: number) =>
  z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform((digits) => Number(digits)),
    ])
    .pipe(z.number().int().min(1).max(max))

/** The most terms a list is sorted by: the rest would never decide. */
const MAX_SORT_TERMS = 3

/**
 * The query that every list shares: `page`, `pageSize`, `sort=-price,make`, `search`. All are optional, and
 * anything else, a column that cannot be sorted included, is refused by name. A list adds its own filters with
 * `.extend({ … })`.
 */
export function listQuery<const Field extends string>(sortable: readonly Field[]) {
  const known = new Set<string>(sortable)
  const isSortable = (field: string): field is Field => known.has(field)
  const sort = z.string().transform((text, context): SortTerm<Field>[] => {
    const parts = text.split(',').filter((part) => part !== '')
    const fields = new Set(parts.map((part) => part.replace(/^-/, '')))
    if (parts.length > MAX_SORT_TERMS || fields.size < parts.length) {
      context.addIssue({ code: 'custom', message: `Sort by at most ${MAX_SORT_TERMS} columns, each once.` })
      return []
    }
    return parts.flatMap((part) => {
      const field = part.replace(/^-/, '')
      if (isSortable(field)) return [{ field, descending: part.startsWith('-') }]
      context.addIssue({ code: 'custom', message: `Cannot sort by ${field}. Use ${sortable.join(', ')}.` })
      return []
    })
  })
  return z.strictObject({
    page: count(1_000_000).optional().default(1),
    pageSize: count(MAX_PAGE_SIZE).optional().default(DEFAULT_PAGE_SIZE),
    sort: sort.optional(),
    search: z.string().max(200).optional(),
  })
}

/** What every list answers: `filteredRows` match the search, `totalRows` are there at all. */
export function queriedList<Row extends z.ZodType>(row: Row) {
  return z.object({ filteredRows: z.number().int(), totalRows: z.number().int(), results: z.array(row) })
}

/** Specification section 7: what the client gives a screen when a list could not be had. */
export const EMPTY_LIST = { filteredRows: 0, totalRows: 0, results: null } as const
