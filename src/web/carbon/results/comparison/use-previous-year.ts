import { useQuery } from '@tanstack/react-query'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { previousYearQuery } from '#contract/carbon/inventories/previous-year-query.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'

/** The ID of the inventory of the prior year; undefined while loading, without one, or without permission to list them. */
export function usePreviousYear(after: string | undefined): string | undefined {
  const canList = useHolds()(carbonInventories.list.allow) === true
  const later = useQuery({
    ...query(carbonInventories.get, { id: after ?? '' }),
    enabled: canList && after !== undefined,
  })
  const { data } = useQuery({
    ...query(carbonInventories.list, later.data ? previousYearQuery(later.data) : {}),
    enabled: canList && later.data !== undefined,
  })
  return later.data && data?.results[0]?.id
}
