import { useQuery } from '@tanstack/react-query'
import { inventoryApproval, type StatusEvent } from '#contract/carbon/inventories/approval.ts'
import { STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { tonnes } from '#web/carbon/activity/insight-labels.ts'

/** The status changes of an inventory, newest first: who, when and why, and what was approved. */
export function StatusHistory({ inventoryId }: { inventoryId: string }) {
  const { data, error, refetch } = useQuery({
    ...query(inventoryApproval.history, { inventory: inventoryId }),
    gcTime: 0,
  })
  if (error)
    return (
      <FailureState
        failure={error}
        endpoint={inventoryApproval.history}
        what="the history"
        onRetry={() => void refetch()}
      />
    )
  if (!data) return <Spinner label="Loading the history" />
  if (data.length === 0) return <p className="fc-soft">The status has not changed yet.</p>
  return (
    <ol className="fc-carbon-history">
      {data.map((event) => (
        <HistoryEntry key={event.id} event={event} />
      ))}
    </ol>
  )
}

function HistoryEntry({ event }: { event: StatusEvent }) {
  const { status, userName, createdAt, reason, location, market, gaps } = event
  return (
    <li>
      <b>{STATUS_NAMES[status]}</b>
      <bdi className="fc-second">
        {new Date(createdAt).toLocaleString()}, {userName ?? 'System'}
      </bdi>
      {location !== null && market !== null && (
        <bdi className="fc-second">
          {tonnes(location)} t CO2e location-based, {tonnes(market)} t CO2e market-based
        </bdi>
      )}
      {reason !== null && <bdi>{reason}</bdi>}
      {gaps.length > 0 && (
        <ul className="fc-carbon-gaps" aria-label="What was missing">
          {gaps.map(({ sentence }) => (
            <li key={sentence}>
              <bdi>{sentence}</bdi>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
