import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import type { InboundAddress } from '#contract/leads/inbound/inbound-addresses.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = { addresses: readonly InboundAddress[]; selectedId: string | undefined }

/** The inbound addresses with what arrived in the last 30 days. */
export function AddressList({ addresses, selectedId }: Props) {
  return (
    <section aria-labelledby="inbound-addresses" className="fc-inbound-part">
      <h2 id="inbound-addresses">Inbound addresses</h2>
      <div className="fc-inbound-head fc-inbound-address" aria-hidden="true">
        <span>Address</span>
        <span>Status</span>
        <span>Last message</span>
        <span className="fc-end">Leads, 30 days</span>
      </div>
      <ul aria-label="Inbound addresses">
        {addresses.map((one) => (
          <li
            key={one.id}
            className="fc-inbound-row fc-inbound-address"
            data-selected={one.id === selectedId || undefined}
          >
            <div>
              <MayOpen for={inboundAddresses.get}>
                <Link to="/customers/lead-routing/inbound" search={{ address: one.id }} className="fc-name">
                  <bdi>{one.label}</bdi>
                </Link>
              </MayOpen>
              <span className="fc-second">
                <bdi>{`${one.sourceName}, ${one.isGroup ? 'all stores' : (one.lotName ?? one.organizationName)}`}</bdi>
                {one.automatic > 0 && (
                  <bdi>{`, ${count(one.automatic, 'automatic email', 'automatic emails')} in 30 days`}</bdi>
                )}
              </span>
            </div>
            <div>
              <AddressStatus address={one} />
            </div>
            <span className="fc-soft">
              {one.lastReceivedAt === null ? (
                'None yet'
              ) : (
                <time dateTime={one.lastReceivedAt}>{formatAgo(one.lastReceivedAt)}</time>
              )}
            </span>
            <span className="fc-inbound-count">
              <span className="fc-number">{one.leads.toLocaleString()}</span>
              <span className="fc-inbound-unit">{` ${one.leads === 1 ? 'lead' : 'leads'} in 30 days`}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function AddressStatus({ address: { tokenAt, quarantined } }: { address: InboundAddress }) {
  if (quarantined > 0)
    return (
      <Status tone="warn" mark="alert">
        {count(quarantined, 'message to review', 'messages to review')}
      </Status>
    )
  if (tokenAt === null)
    return (
      <Status tone="mute" mark="pause">
        No URLs
      </Status>
    )
  return (
    <Status tone="good" mark="check">
      Active
    </Status>
  )
}
