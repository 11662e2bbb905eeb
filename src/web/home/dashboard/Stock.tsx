import type { UseQueryResult } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FiguresLoading } from './FiguresLoading.tsx'
import { StockFigures } from './StockFigures.tsx'

type Props = { query: UseQueryResult<Output<typeof dashboard.stock>> }

/** Inventory figures. They load separately, so the rest of the page doesn't wait for a large inventory. */
export function Stock({ query: { data, error, refetch } }: Props) {
  if (data) return <StockFigures stock={data} />
  if (error)
    return (
      <FailureState
        failure={error}
        endpoint={dashboard.stock}
        what="the inventory figures"
        onRetry={() => void refetch()}
      />
    )
  return (
    <FiguresLoading
      label="Loading inventory figures"
      titles={['In stock', 'Published', 'For sale, not published', 'Not for sale', 'Median days in stock']}
    />
  )
}
