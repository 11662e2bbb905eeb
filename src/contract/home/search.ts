import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

/** The kinds of results, in display order. */
export const SEARCH_KINDS = ['vehicle', 'lead', 'buyer', 'lot', 'person', 'organization', 'customer'] as const
/** Per kind. */
export const MAX_RESULTS = 5
/** The shortest text to search for. */
export const MIN_LETTERS = 2

export const SearchResult = z.object({
  kind: z.enum(SEARCH_KINDS),
  id: z.string(),
  title: z.string(),
  about: z.string(),
  /** The path of the page that shows it. */
  path: z.string(),
})
export type SearchResult = z.infer<typeof SearchResult>

export const search = {
  find: endpoint({
    method: 'GET',
    path: '/api/home/search',
    allow: 'member',
    summary:
      "Finds records by the beginnings of their words, of every kind the caller can list, within the caller's reach.",
    input: z.strictObject({ text: z.string().trim().max(80) }),
    output: z.array(SearchResult),
  }),
}
