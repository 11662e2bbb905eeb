import { useQuery } from '@tanstack/react-query'
import type { ReactElement, ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallFailure } from '#web/api/failure.ts'
import type { Query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'

/** A query of which a component shows a part itself, such as the title, and the rest with `<Loaded>`. */
export type Load<Data> = {
  endpoint: Endpoint
  data: Data | undefined
  error: CallFailure | null
  retry: () => void
}

/** Reads `source` for a component that also uses the data outside of `<Loaded>`. */
export function useLoad<Data>(source: Query<Data>): Load<Data> {
  const { data, error, refetch } = useQuery(source)
  return { endpoint: source.endpoint, data, error, retry: () => void refetch() }
}

/** Two queries that are shown together. The first that failed decides what is said. */
export function both<One, Other>(one: Load<One>, other: Load<Other>): Load<readonly [One, Other]> {
  const failed = [one, other].find(({ data, error }) => data === undefined && error !== null)
  return {
    endpoint: failed?.endpoint ?? one.endpoint,
    data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
    error: failed?.error ?? null,
    retry: () => {
      one.retry()
      other.retry()
    },
  }
}

type Props<Data> = {
  /** `query(jobs.get, { id })`, or the result of `useLoad` for it. */
  query: Query<Data> | Load<Data>
  /** "this job", "the versions": completes "Couldn't load ...". */
  what: string
  /** The skeleton while nothing is loaded: a common one, the screen's own, or null for none. */
  shape: 'facts' | 'fields' | 'spinner' | ReactElement | null
  /** What screen readers announce instead of "Loading the job". */
  label?: string
  /** The content. Shown with the data that is there when reading it again fails. */
  children: (data: Data) => ReactNode
}

/** Shows what a query returns; until then its skeleton, or why it can't be loaded. */
export function Loaded<Data>({ query, ...rest }: Props<Data>) {
  if ('data' in query) return <LoadState load={query} {...rest} />
  return <LoadedQuery query={query} {...rest} />
}

type QueryProps<Data> = Omit<Props<Data>, 'query'> & { query: Query<Data> }

function LoadedQuery<Data>({ query, ...rest }: QueryProps<Data>) {
  return <LoadState load={useLoad(query)} {...rest} />
}

type StateProps<Data> = Omit<Props<Data>, 'query'> & { load: Load<Data> }

function LoadState<Data>({ load, what, shape, label = labelOf(what), children }: StateProps<Data>) {
  const { endpoint, data, error, retry } = load
  if (data !== undefined) return children(data)
  if (error) return <FailureState failure={error} endpoint={endpoint} what={what} onRetry={retry} />
  if (shape === 'spinner') return <Spinner label={label} />
  if (shape === 'facts' || shape === 'fields') return <RecordSkeleton label={label} shape={shape} />
  return shape
}

/** "Loading the job" for "this job". */
const labelOf = (what: string) => `Loading ${what.replace(/^(this|these) /, 'the ')}`
