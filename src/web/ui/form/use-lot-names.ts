import { lots } from '#contract/customers/lots/lots.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'

/** Lots as choices for a Select. Searches on the server if the lots don't fit on one page. */
export function useLotNames() {
  const { rows, hasMore, error, isPending, retry, search } = useSearchable(lots.list, { sort: 'name' })
  const choices = rows.map(({ id, name, code }) => ({ value: id, label: `${name}, ${code}` }))
  /** Sales lots, without service-only lots. */
  const selling = rows.filter(({ type }) => type !== 'service')
  return { choices, selling, hasMore, error, isPending, retry, search }
}
