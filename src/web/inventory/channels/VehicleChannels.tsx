import { IconBroadcast } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ChannelOpinion, channels } from '#contract/inventory/channels/channels.ts'
import { HOLD_REASONS } from '#contract/inventory/channels/listings/hold-back.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { kindName } from './channel-labels.ts'
import './channels.css'

/** Which channels take a vehicle, why the others do not, and what search engines read of it. */
export function VehicleChannels({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(channels.ofVehicle, { id }))
  if (error && !data) {
    return (
      <FailureState
        failure={error}
        endpoint={channels.ofVehicle}
        what="the channels of this vehicle"
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <Spinner label="Loading the channels" />
  return (
    <div className="fc-vehicle-scroll fc-vehicle-channels">
      {data.channels.length === 0 ? (
        <EmptyState
          icon={<IconBroadcast size={18} />}
          title="No channels yet"
          text="Once there are channels, each says here whether it takes this vehicle, and why not."
        >
          <Link to="/inventory/channels" className="fc-link">
            Go to the channels
          </Link>
        </EmptyState>
      ) : (
        <ul className="fc-lines fc-channel-lines" aria-label="Channels">
          {data.channels.map((one) => (
            <li key={one.channelId}>
              <Opinion opinion={one} />
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>What search engines read (JSON-LD)</summary>
        <pre dir="ltr">{JSON.stringify(data.jsonLd, null, 2)}</pre>
      </details>
    </div>
  )
}

function Opinion({ opinion: { channelId, name, kind, isActive, reasons } }: { opinion: ChannelOpinion }) {
  const isTaken = reasons.length === 0
  return (
    <>
      <div className="fc-channel-run">
        <Link to="/inventory/channels" search={{ channel: channelId }} className="fc-link">
          <bdi>{name}</bdi>
        </Link>
        <Status tone={isTaken ? 'good' : 'warn'} mark={isTaken ? 'check' : 'pause'}>
          {isTaken ? 'Takes it' : 'Holds it back'}
        </Status>
      </div>
      <span className="fc-second">
        {kindName(kind)}
        {!isActive && ', off'}
        {!isTaken && `: ${reasons.map((reason) => HOLD_REASONS[reason]).join(', ')}`}
      </span>
    </>
  )
}
