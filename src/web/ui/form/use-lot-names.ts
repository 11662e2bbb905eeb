import { lots } from '#contract/customers/lots/lots.ts'
import { UNAVAILABLE, unlisted, useOtherNames } from '#web/ui/filter/rules/references.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'

/**
 * Lots as choices for a Select. Searches on the server if the lots don't fit on one page. `chosen` are among them with their
 * names in any case, also if they are not found any more.
 */
export function useLotNames(chosen: readonly string[] = []) {
  const { rows, hasMore, error, isPending, retry, search } = useSearchable(lots.list, { sort: 'name' })
  const listed = rows.map(({ id, name, code }) => ({ value: id, label: `${name}, ${code}` }))
  const others = isPending ? [] : unlisted({ choices: listed }, chosen)
  const nameOf = useOtherNames(new Map([['lots', hasMore ? others : []]]))
  const labelOf = (id: string) => (hasMore ? (nameOf('lots', id) ?? `Lot ${id}`) : UNAVAILABLE.lots)
  const choices = [...listed, ...others.map((value) => ({ value, label: labelOf(value) }))]
  /** Sales lots, without service-only lots. */
  const selling = rows.filter(({ type }) => type !== 'service')
  return { choices, selling, hasMore, error, isPending, retry, search }
}
