import type { UseQueryResult } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { CarbonFigures } from './CarbonFigures.tsx'
import { FiguresLoading } from './FiguresLoading.tsx'

type Props = { query: UseQueryResult<Output<typeof dashboard.carbon>> }

/** The emissions of the current inventory. Hidden without one, and from users who can't see them. */
export function Carbon({ query: { data, error, isLoading, refetch } }: Props) {
  if (data) return <CarbonFigures figures={data} />
  if (error) {
    return (
      <FailureState
        failure={error}
        endpoint={dashboard.carbon}
        what="the emissions"
        onRetry={() => void refetch()}
      />
    )
  }
  if (!isLoading) return null
  return (
    <FiguresLoading
      label="Loading emissions"
      titles={['Emissions', 'Scope 1', 'Scope 2, market-based', 'Scope 3', 'Data points due so far']}
    />
  )
}
