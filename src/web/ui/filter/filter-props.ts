import type { List } from '#contract/lists/list.ts'
import type { ListEndpoint } from '../list/list-endpoint.ts'

/** What the filter needs to know about a list. */
export type FilterProps = {
  list: List
  /** The source of the rows, for counting matches. */
  endpoint: ListEndpoint<unknown>
  /** The rule from the URL; empty for none. */
  value: string
  /** The search, so that counts match the rows shown. */
  search?: string
  /** Why the server rejected the rule. The list shows the message; the chips are marked. */
  problem?: string | undefined
  onChange: (filter: string) => void
}
