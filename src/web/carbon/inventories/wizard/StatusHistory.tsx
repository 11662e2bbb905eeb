import { inventoryReopenings } from '#contract/carbon/approvals/reopenings.ts'
import { inventoryApproval, type StatusEvent } from '#contract/carbon/inventories/approval.ts'
import { STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { query } from '#web/api/query.ts'
import { tonnes } from '#web/carbon/activity/insight-labels.ts'
import { verbOf } from '../../approvals/InventoryReopening.tsx'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { RefusedRequests } from '#web/ui/reopening/RefusedRequests.tsx'
import { Timeline } from '#web/ui/record/Timeline.tsx'

/** The status changes of an inventory, newest first: who, when and why, and what was approved. */
export function StatusHistory({ inventoryId }: { inventoryId: string }) {
  return (
    <>
      <Timeline
        query={{ ...query(inventoryApproval.history, { inventory: inventoryId }), gcTime: 0 }}
        what="the history"
        title="History"
        entries={(events) =>
          events.map((event) => ({
            what: <b>{STATUS_NAMES[event.status]}</b>,
            by: event.userName ?? 'System',
            at: event.createdAt,
            time: formatMoment(event.createdAt),
            more: <Approved event={event} />,
          }))
        }
        empty={<p className="fc-soft">The status has not changed yet.</p>}
      />
      <RefusedRequests
        query={query(inventoryReopenings.list, { inventory: inventoryId })}
        title={(request) => `Request to ${verbOf(request).toLowerCase()}`}
      />
    </>
  )
}

function Approved({ event: { reason, location, market, gaps, reopening } }: { event: StatusEvent }) {
  return (
    <>
      {location !== null && market !== null && (
        <bdi className="fc-second">
          {tonnes(location)} t CO2e location-based, {tonnes(market)} t CO2e market-based
        </bdi>
      )}
      {reopening !== null && (
        <bdi className="fc-second">
          Requested by {reopening.requestedBy ?? 'System'}: {reopening.reason}
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
    </>
  )
}
