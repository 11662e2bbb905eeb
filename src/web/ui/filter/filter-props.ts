import type { List } from '#contract/lists/list.ts'
import type { ListEndpoint } from '../list/list-endpoint.ts'

/** What the filter of a list needs to know of it. */
export type FilterProps = {
  list: List
  /** What the rows come from: how many a rule would show is counted by it. */
  endpoint: ListEndpoint<unknown>
  /** The rule as the URL has it; empty for none. */
  value: string
  /** What is looked for besides, so that counts are those of the rows that will show. */
  search?: string
  /** Why the server refused the rule, as a sentence. The list says it; here the chips are marked. */
  problem?: string | undefined
  onChange: (filter: string) => void
}
