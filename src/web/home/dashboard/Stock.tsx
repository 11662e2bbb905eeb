import type { UseQueryResult } from '@tanstack/react-query'
import type { Got } from '#contract/endpoint.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { StockFigures } from './StockFigures.tsx'

type Props = { query: UseQueryResult<Got<typeof dashboard.stock>> }

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
    <output className="fc-strip" aria-label="Loading inventory figures">
      {['In stock', 'Published', 'For sale, not published', 'Not for sale', 'Median days in stock'].map(
        (title) => (
          <span key={title} className="fc-figure">
            <span>{title}</span>
            <span className="fc-skeleton" style={{ inlineSize: 56, blockSize: 28 }} />
            <span className="fc-skeleton" style={{ inlineSize: 120 }} />
          </span>
        ),
      )}
    </output>
  )
}
