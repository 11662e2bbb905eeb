import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/api/query.ts'
import type { FilterProps } from './filter-props.ts'

const DEBOUNCE_MS = 350

type CountRequest = {
  endpoint: FilterProps['endpoint']
  search: string
  /** Null if the rule is incomplete, so nothing is counted. */
  filter: string | null
}

/**
 * Counts the rows that a rule matches while it is edited, after a pause in typing. `counted` is null until known.
 */
export function useMatchCount({ endpoint, search, filter }: CountRequest) {
  const [settled] = useDebouncedValue(filter, DEBOUNCE_MS)
  const { data, error, isPlaceholderData } = useQuery({
    ...query(endpoint, countInput(settled ?? '', search)),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
  })
  const isStale = filter !== settled || isPlaceholderData
  const counted = data && filter !== null ? { matching: data.filteredRows, all: data.totalRows } : null
  return { counted, isStale, failure: filter !== null && !isStale ? error : null }
}

/** The query that requests only the count of a list. */
export function countInput(filter: string, search: string) {
  return { pageSize: 1, ...(search !== '' && { search }), ...(filter !== '' && { filter }) }
}
