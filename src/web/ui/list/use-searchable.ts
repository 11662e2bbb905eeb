import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import type { ListEndpoint, ListQuery } from './list-endpoint.ts'

const DEBOUNCE_MS = 250

/**
 * The rows of a list to choose from: its first page, and what `search` finds on the server if there are more. Pass `search`
 * to `onSearchChange` of the Select.
 */
export function useSearchable<Row extends { id: string }>(
  endpoint: ListEndpoint<Row>,
  { isEnabled = true, ...narrowed }: Pick<ListQuery, 'sort' | 'filter'> & { isEnabled?: boolean } = {},
) {
  const holds = useHolds()
  // Users who may not list them see only what is chosen.
  const mayList = permissionsFor(endpoint.allow).every((permission) => holds(permission) !== false)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const input = { ...narrowed, pageSize: MAX_PAGE_SIZE }
  const { data, error, isPending, refetch } = useQuery({
    ...query(endpoint, input),
    enabled: isEnabled && mayList,
    placeholderData: keepPreviousData,
  })
  const hasMore = data !== undefined && data.filteredRows > data.results.length
  const found = useQuery({
    ...query(endpoint, { ...input, search }),
    enabled: isEnabled && mayList && hasMore && search !== '',
    placeholderData: keepPreviousData,
  })
  const rows = new Map([...(data?.results ?? []), ...(found.data?.results ?? [])].map((row) => [row.id, row]))
  return {
    rows: [...rows.values()],
    hasMore,
    error,
    isPending,
    retry: () => void refetch(),
    search: setTyped,
  }
}
