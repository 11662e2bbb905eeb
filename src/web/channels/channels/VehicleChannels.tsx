import { IconBroadcast } from '@tabler/icons-react'
import { type ChannelInclusion, channels } from '#contract/channels/channels/channels.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { describeInclusion, kindName } from './channel-labels.ts'
import './channels.css'

/** Which channels include a vehicle, why the others don't, and its structured data for search engines. */
export function VehicleChannels({ id }: { id: string }) {
  return (
    <Loaded
      query={live(query(channels.ofVehicle, { id }), { while: isBehind, ms: 10_000 })}
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
              <Link to="/inventory/channels" className="fc-link">
                Go to channels
              </Link>
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

/** Whether the file of an active channel doesn't show yet what its next one will. */
const isBehind = (data: { channels: readonly ChannelInclusion[] } | undefined): boolean =>
  data?.channels.some(
    ({ isActive, reasons, listedSince }) => isActive && (reasons.length === 0) !== (listedSince !== null),
  ) ?? false

function Inclusion({ inclusion }: { inclusion: ChannelInclusion }) {
  const { channelId, name, kind } = inclusion
  const { tone, mark, label, about } = describeInclusion(inclusion)
  return (
    <>
      <div className="fc-channel-run">
        <Link to="/inventory/channels" search={{ channel: channelId }} className="fc-link">
          <bdi>{name}</bdi>
        </Link>
        <Status tone={tone} mark={mark}>
          {label}
        </Status>
      </div>
      <span className="fc-second">
        {kindName(kind)}
        {about}
      </span>
    </>
  )
}
