import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** What can be found, in the order in which the results stand. */
export const SEARCH_KINDS = ['vehicle', 'lot', 'person', 'organization', 'customer'] as const
/** The most results of one kind. */
export const MOST_RESULTS = 5
/** A search begins with so many letters. */
export const FEWEST_LETTERS = 2

export const SearchResult = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  title: z.string(),
  about: z.string(),
  /** The page that shows it: a path of the product. */
  path: z.string(),
})
export type SearchResult = z.infer<typeof SearchResult>

export const search = {
  find: endpoint({
    method: 'GET',
    path: '/api/home/search',
    allow: 'member',
    summary:
      'Records whose words begin with what was typed, of every kind the caller may list, in their reach.',
    input: z.strictObject({ text: z.string().trim().max(80) }),
    output: z.array(SearchResult),
  }),
}
