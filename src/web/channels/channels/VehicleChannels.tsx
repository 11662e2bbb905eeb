import { IconBroadcast } from '@tabler/icons-react'
import { type ChannelInclusion, channels } from '#contract/channels/channels/channels.ts'
import { EXCLUSION_REASONS } from '#contract/channels/listings/exclusion-reasons.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { PageLink } from '#web/ui/controls/PageLink.tsx'
import { kindName } from './channel-labels.ts'
import './channels.css'

/** Which channels include a vehicle, why the others don't, and its structured data for search engines. */
export function VehicleChannels({ id }: { id: string }) {
  return (
    <Loaded
      query={query(channels.ofVehicle, { id })}
      what="the channels of this vehicle"
      shape="spinner"
      label="Loading the channels"
    >
      {(data) => (
        <div className="fc-vehicle-scroll fc-vehicle-channels">
          {data.channels.length === 0 ? (
            <EmptyState
              icon={<IconBroadcast size={18} />}
              title="No channels yet"
              text="After you add channels, this page shows which of them include this vehicle, and why others don't."
            >
              <PageLink to="/inventory/channels" className="fc-link">
                Go to channels
              </PageLink>
            </EmptyState>
          ) : (
            <ul className="fc-lines fc-channel-lines" aria-label="Channels">
              {data.channels.map((one) => (
                <li key={one.channelId}>
                  <Inclusion inclusion={one} />
                </li>
              ))}
            </ul>
          )}
          <details>
            <summary>Structured data for search engines (JSON-LD)</summary>
            <pre dir="ltr">{JSON.stringify(data.jsonLd, null, 2)}</pre>
          </details>
        </div>
      )}
    </Loaded>
  )
}

function Inclusion({
  inclusion: { channelId, name, kind, isActive, reasons },
}: {
  inclusion: ChannelInclusion
}) {
  const isIncluded = reasons.length === 0
  return (
    <>
      <div className="fc-channel-run">
        <PageLink to="/inventory/channels" search={{ channel: channelId }} className="fc-link">
          <bdi>{name}</bdi>
        </PageLink>
        <Status tone={isIncluded ? 'good' : 'warn'} mark={isIncluded ? 'check' : 'pause'}>
          {isIncluded ? 'Included' : 'Excluded'}
        </Status>
      </div>
      <span className="fc-second">
        {kindName(kind)}
        {!isActive && ', off'}
        {!isIncluded && `: ${reasons.map((reason) => EXCLUSION_REASONS[reason]).join(', ')}`}
      </span>
    </>
  )
}
