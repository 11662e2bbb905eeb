import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import type { LEAD_DELIVERY_LIST, LeadDelivery } from '#contract/leads/deliveries/lead-deliveries.ts'
import { DESTINATION_KINDS } from '#contract/leads/routing/rule-choices.ts'
import { labelOf } from '#contract/record.ts'
import { WAITS_IN_COPY } from '#contract/restored-copy.ts'
import { useRestoredCopy } from '#web/session/use-restored-copy.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { buyerLabel, describeAttempts, STATE_LOOKS, stateLabel } from './delivery-looks.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of the list. */
export const CELLS: Cells<LeadDelivery, keyof typeof LEAD_DELIVERY_LIST.fields> = {
  leadName: (delivery) => <DeliveryLink delivery={delivery} />,
  destinationName: ({ destinationName, destinationId }) => (
    <>
      <bdi>{destinationName}</bdi>
      {destinationId === null && <span className="fc-second">Deleted</span>}
    </>
  ),
  kind: ({ kind }) => labelOf(DESTINATION_KINDS, kind),
  state: (delivery) => (
    <>
      <DeliveryStatus delivery={delivery} />
      {delivery.doubts > 0 && delivery.state !== 'in-doubt' && (
        <span className="fc-second">One attempt was unconfirmed</span>
      )}
    </>
  ),
  attempts: (delivery) => describeAttempts(delivery) || 'None yet',
  response: ({ response }) => response !== null && <bdi title={response}>{response}</bdi>,
  createdAt: ({ createdAt }) => <time dateTime={createdAt}>{formatAgo(createdAt)}</time>,
}

export const WIDTHS = {
  leadName: 200,
  destinationName: 200,
  kind: 112,
  state: 208,
  attempts: 184,
  response: 280,
  createdAt: 116,
}

/** A row on a narrow screen. */
export function DeliveryBlock({ delivery }: { delivery: LeadDelivery }) {
  const { destinationName, createdAt, response } = delivery
  return (
    <>
      <div className="fc-block-head">
        <DeliveryLink delivery={delivery} />
        <time className="fc-small fc-faint" dateTime={createdAt}>
          {formatAgo(createdAt)}
        </time>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{[destinationName, describeAttempts(delivery)].filter(Boolean).join(', ')}</bdi>
      </div>
      <div className="fc-small fc-cut">
        <DeliveryStatus delivery={delivery} /> <bdi className="fc-faint">{response}</bdi>
      </div>
    </>
  )
}

const HELD_LOOK = { tone: 'warn', mark: 'pause' } as const

/** How far a delivery is. */
export function DeliveryStatus({
  delivery,
  isPill = false,
}: {
  delivery: Pick<LeadDelivery, 'state' | 'attempts'>
  isPill?: boolean
}) {
  const isHeld = useRestoredCopy() && delivery.state === 'queued'
  return (
    <Status {...(isHeld ? HELD_LOOK : STATE_LOOKS[delivery.state])} isPill={isPill}>
      {isHeld ? WAITS_IN_COPY : stateLabel(delivery)}
    </Status>
  )
}

/** Opens the delivery of the row. */
function DeliveryLink({ delivery }: { delivery: LeadDelivery }) {
  return (
    <MayOpen for={leadDeliveries.get}>
      <Link
        from="/customers/lead-routing/deliveries"
        to="/customers/lead-routing/deliveries"
        search={(before) => ({ ...before, delivery: delivery.id })}
        className="fc-name"
      >
        <bdi>{delivery.isTest ? 'Test' : buyerLabel(delivery)}</bdi>
      </Link>
    </MayOpen>
  )
}
