import { inventoryApproval, type StatusEvent } from '#contract/carbon/inventories/approval.ts'
import { STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { query } from '#web/api/query.ts'
import { tonnes } from '#web/carbon/activity/insight-labels.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** The status changes of an inventory, newest first: who, when and why, and what was approved. */
export function StatusHistory({ inventoryId }: { inventoryId: string }) {
  return (
    <Loaded
      query={{
        ...query(inventoryApproval.history, { inventory: inventoryId }),
        gcTime: 0,
      }}
      what="the history"
      shape="spinner"
    >
      {(data) => {
        if (data.length === 0) return <p className="fc-soft">The status has not changed yet.</p>
        return (
          <ol className="fc-carbon-history">
            {data.map((event) => (
              <HistoryEntry key={event.id} event={event} />
            ))}
          </ol>
        )
      }}
    </Loaded>
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
