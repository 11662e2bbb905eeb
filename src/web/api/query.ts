import { keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { EMPTY_LIST } from '#contract/queried-list.ts'
import { call } from './client.ts'
import type { CallFailure } from './failure.ts'
import { isRecord } from './read-json.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallFailure
  }
}

/** Everything the server said, shared by all screens. Nothing is retried in silence: a failure is shown at once. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
})

/** The key of every query of one endpoint: what a write invalidates. */
export function keyOf(endpoint: Endpoint) {
  return [endpoint.method, endpoint.path] as const
}

/** One read as `useQuery` takes it: `useQuery(query(lots.get, { id }))`. */
export function query<I extends z.ZodType, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) {
  return queryOptions({
    queryKey: [...keyOf(endpoint), input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
}

/** One write as `useMutation` takes it: `const addLot = send(lots.add)`, `useMutation({ mutationFn: addLot })`. */
export function send<I extends z.ZodType, O extends z.ZodType>(endpoint: Endpoint<I, O>) {
  return (input: z.input<I>) => call(endpoint, input)
}

/** For so long a count of matching rows serves the other pages and orders of the same list, in milliseconds. */
const COUNT_MS = 30_000

/** Where the count of a narrowed list is kept: what invalidates the list invalidates it. Null where it is not narrowed. */
function countKey(endpoint: Endpoint, input: unknown) {
  if (!isRecord(input)) return null
  const { search, filter } = input
  return search || filter ? [...keyOf(endpoint), 'counted', { search, filter }] : null
}

/** The count that may be repeated instead of counting again. */
function readCount(key: readonly unknown[]): number | undefined {
  const state = queryClient.getQueryState<number>(key)
  const isGood = state?.isInvalidated === false && Date.now() - state.dataUpdatedAt < COUNT_MS
  return isGood ? state.data : undefined
}

/**
 * A page of a list. The rows that match are counted again only when the list is narrowed otherwise, or the same page is
 * read anew: counting takes longer than reading a page.
 */
export function listPage<I extends z.ZodType, Row>(
  endpoint: Endpoint<I, z.ZodType<List<Row>>>,
  input: z.input<I>,
) {
  const { queryKey } = query(endpoint, input)
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const key = countKey(endpoint, input)
      const isFirst = queryClient.getQueryData(queryKey) === undefined
      const counted = key !== null && isFirst ? readCount(key) : undefined
      const list = await call(
        endpoint,
        counted === undefined ? input : Object.assign({}, input, { counted }),
        { signal },
      )
      if (key !== null && counted === undefined) queryClient.setQueryData(key, list.filteredRows)
      return list
    },
  })
}

type List<Row> = { filteredRows: number; totalRows: number; results: Row[] }

/**
 * A queried list. Whatever goes wrong, `list` is the empty list of specification section 7 (or the rows of the
 * page before, while the next one loads), and `failure` tells the screen what happened.
 */
export function useList<I extends z.ZodType, Row>(
  endpoint: Endpoint<I, z.ZodType<List<Row>>>,
  input: z.input<I>,
) {
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery({
    ...listPage(endpoint, input),
    placeholderData: keepPreviousData,
  })
  const list: List<Row> | typeof EMPTY_LIST = error ? EMPTY_LIST : (data ?? EMPTY_LIST)
  return { list, failure: error, isPending, isFetching, isPlaceholderData, retry: () => void refetch() }
}
