import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lots } from '#contract/customers/lots/lots.ts'
import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'
import { query } from '#web/api/query.ts'

const DEBOUNCE_MS = 250

/** Lots as choices for a Select. Searches on the server if the lots don't fit on one page. */
export function useLotNames() {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS)
  const { data, error, isPending, refetch } = useQuery({
    ...query(lots.list, { pageSize: MAX_PAGE_SIZE, sort: 'name' }),
    placeholderData: keepPreviousData,
  })
  const found = useQuery({
    ...query(lots.list, { pageSize: MAX_PAGE_SIZE, sort: 'name', search }),
    // Few customers have more lots than fit on one page.
    enabled: search !== '' && data !== undefined && data.totalRows > data.results.length,
    placeholderData: keepPreviousData,
  })
  const rows = new Map([...(data?.results ?? []), ...(found.data?.results ?? [])].map((lot) => [lot.id, lot]))
  const choices = [...rows.values()].map(({ id, name, code }) => ({ value: id, label: `${name}, ${code}` }))
  /** Sales lots, without service-only lots. */
  const selling = [...rows.values()].filter(({ type }) => type !== 'service')
  return { choices, selling, error, isPending, retry: () => void refetch(), search: setTyped }
}
