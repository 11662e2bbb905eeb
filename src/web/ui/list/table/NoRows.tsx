import { Button } from '@mantine/core'
import { IconFilterExclamation, IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import type { ListControl } from '../use-list-state.ts'

type Props = {
  control: ListControl
  endpoint: Endpoint
  failure: CallFailure | null
  filtered: number
  total: number
  empty: ReactNode
  onRetry: () => void
}

/** Why there are no rows: loading failed, nothing matches, the page is past the last one, or there are none yet. */
export function NoRows({ control, endpoint, failure, filtered, total, empty, onRetry }: Props) {
  const { list, state, show } = control
  const [one, many] = list.nouns
  const problem = failure?.fields['filter']
  if (problem !== undefined) {
    return (
      <EmptyState
        isAlert
        tone="warn"
        icon={<IconFilterExclamation size={18} />}
        title="This filter isn't valid"
        text={problem}
      >
        <Button variant="default" onClick={() => show({ filter: undefined })}>
          Clear filter
        </Button>
      </EmptyState>
    )
  }
  if (failure) {
    return <FailureState {...{ failure, endpoint, onRetry }} what={`the list of ${many}`} />
  }
  const wanted = [state.search && `“${state.search}”`, state.filter && 'the filter'].filter(Boolean)
  if (filtered > 0 || (wanted.length === 0 && total > 0 && state.page > 1)) {
    return (
      <EmptyState
        icon={<IconFilterOff size={18} />}
        title="This page is empty"
        text={`There aren't that many pages of ${many}.`}
      >
        <Button variant="default" onClick={() => show({ page: undefined })}>
          First page
        </Button>
      </EmptyState>
    )
  }
  if (wanted.length === 0) return empty
  return (
    <EmptyState
      icon={<IconFilterOff size={18} />}
      title={`No ${many} match ${wanted.join(' and ')}`}
      text={total > 0 ? `${count(total, one, many)} in total.` : ''}
    >
      <Button variant="default" onClick={() => show({ search: undefined, filter: undefined })}>
        {state.filter === '' ? 'Clear search' : 'Clear filters'}
      </Button>
    </EmptyState>
  )
}
