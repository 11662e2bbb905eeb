import type { UseQueryResult } from '@tanstack/react-query'
import type { Got } from '#contract/endpoint.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { StockFigures } from './StockFigures.tsx'

type Props = { asked: UseQueryResult<Got<typeof dashboard.stock>> }

/** The vehicles in figures. They have a call of their own: the rest of the page does not wait for a large stock. */
export function Stock({ asked: { data, error, refetch } }: Props) {
  if (data) return <StockFigures stock={data} />
  if (error)
    return (
      <FailureState
        failure={error}
        endpoint={dashboard.stock}
        what="the stock"
        onRetry={() => void refetch()}
      />
    )
  return (
    <output className="fc-strip" aria-label="Loading the stock">
      {['In stock', 'Live', 'Not live', 'Live without a price', 'Median days in stock'].map((title) => (
        <span key={title} className="fc-figure">
          <span>{title}</span>
          <span className="fc-skeleton" style={{ inlineSize: 56, blockSize: 28 }} />
          <span className="fc-skeleton" style={{ inlineSize: 120 }} />
        </span>
      ))}
    </output>
  )
}
