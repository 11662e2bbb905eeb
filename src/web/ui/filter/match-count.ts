import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/api/query.ts'
import type { FilterProps } from './filter-props.ts'

const DEBOUNCE_MS = 350

type CountRequest = {
  endpoint: FilterProps['endpoint']
  search: string
  /** Null: there is nothing to count, as long as the rule is not whole. */
  filter: string | null
}

/** How many rows a rule shows, while it is written: asked when the writer pauses. `counted` is null until it is known. */
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

/** What a list is asked for its count alone. */
export function countInput(filter: string, search: string) {
  return { pageSize: 1, ...(search !== '' && { search }), ...(filter !== '' && { filter }) }
}
