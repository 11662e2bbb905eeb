import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useQuery,
  type UseQueryOptions,
} from '@tanstack/react-query'
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

/** Caches all server data. No silent retries: a failure is shown immediately. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always', refetchOnReconnect: true },
    mutations: { networkMode: 'always' },
  },
})

/** The query key prefix of an endpoint, for invalidation after a write. */
export function keyOf(endpoint: Endpoint) {
  return [endpoint.method, endpoint.path] as const
}

/** What `query` returns, possibly with more options: how something is read, and from which endpoint. */
export type Query<Data> = UseQueryOptions<Data> & { endpoint: Endpoint }

/** Options for `useQuery`, with the endpoint for `<Loaded>`: `useQuery(query(lots.get, { id }))`. */
export function query<I extends z.ZodType, O extends z.ZodType>(endpoint: Endpoint<I, O>, input: z.input<I>) {
  const options = queryOptions<z.output<O>>({
    queryKey: [...keyOf(endpoint), input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  })
  return { ...options, endpoint }
}

/**
 * A mutation function: `const addLot = send(lots.add)`, `useMutation({ mutationFn: addLot })`. After a success, what the
 * endpoint declares to change is read again where it is shown.
 */
export function send<I extends z.ZodType, O extends z.ZodType>(endpoint: Endpoint<I, O>) {
  return async (input: z.input<I>): Promise<z.output<O>> => {
    const data = await call(endpoint, input)
    markStale(endpoint)
    return data
  }
}

/** Reads again, where it is shown, what an endpoint declares to change. `send` and `upload` do this after a success. */
export function markStale({ changes }: Endpoint): void {
  for (const path of changes) void queryClient.invalidateQueries({ queryKey: ['GET', path] })
}

/** How long a count of matching rows is reused for other pages and orders of the list, in milliseconds. */
const COUNT_MS = 30_000

/**
 * The cache key for the count of a narrowed list; invalidating the list invalidates it. Null if the list isn't
 * narrowed.
 */
function countKey(endpoint: Endpoint, input: unknown) {
  if (!isRecord(input)) return null
  const { search, filter } = input
  return search || filter ? [...keyOf(endpoint), 'counted', { search, filter }] : null
}

/** The count to reuse instead of counting again. */
function readCount(key: readonly unknown[]): number | undefined {
  const state = queryClient.getQueryState<number>(key)
  const isGood = state?.isInvalidated === false && Date.now() - state.dataUpdatedAt < COUNT_MS
  return isGood ? state.data : undefined
}

/**
 * One page of a list. Matching rows are counted again only if the search or filter changes, or the same page is
 * reloaded: counting takes longer than reading a page.
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
 * A queried list. On any error, `list` is the empty list of specification section 7 (or the rows of the previous
 * page, while the next one loads), and `failure` holds the reason.
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
