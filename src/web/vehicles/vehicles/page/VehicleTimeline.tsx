import { IconHistory } from '@tabler/icons-react'
import type { Output } from '#contract/endpoint.ts'
import {
  MAX_EVENTS,
  type VehicleEvent,
  type VehicleRecord,
  vehicles,
} from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Timeline, type TimelineEntry } from '#web/ui/record/Timeline.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Entries with more changed fields than this list only the fields, not the values. */
const MAX_SHOWN = 8
const WHAT = { added: 'Added', changed: 'Changed', deleted: 'Deleted', restored: 'Restored' } as const

/** The change history of a vehicle, newest first. */
export function VehicleTimeline({ vehicle }: { vehicle: VehicleRecord }) {
  return (
    <Timeline
      query={query(vehicles.timeline, { id: vehicle.id })}
      what="the timeline"
      title="Timeline"
      className="fc-vehicle-scroll"
      entries={({ events }) => events.map(toEntry)}
      empty={
        <EmptyState
          icon={<IconHistory size={18} />}
          title="No changes yet"
          text="Changes to this vehicle appear here, with the user and the previous value."
        />
      }
      note={noteOlder}
    />
  )
}

function noteOlder({ isCut }: Output<typeof vehicles.timeline>) {
  if (!isCut) return null
  return (
    <p className="fc-small fc-soft fc-timeline-cut">
      Only the latest {MAX_EVENTS} changes are shown. See the audit log for older ones.
    </p>
  )
}

function toEntry({ at, by, as, what, jobId, run, isUndo, changes }: VehicleEvent): TimelineEntry {
  const isNamed = what === 'changed' && changes.length > 0
  return {
    at,
    by: (
      <>
        <bdi>{by ?? 'Forecourt'}</bdi>
        {as !== null && (
          <>
            {' as '}
            <bdi>{as}</bdi>
          </>
        )}
      </>
    ),
    what: (
      <>
        {isUndo ? 'Restored' : WHAT[what]}
        {isNamed && <bdi> {changes.map(({ field }) => field).join(', ')}</bdi>}
        {run !== null && <ByFeed run={run} isUndo={isUndo} />}
        {run === null && jobId !== null && (
          <>
            {' by '}
            <Link to="/jobs" search={{ job: jobId }} className="fc-link">
              job {jobId}
            </Link>
          </>
        )}
      </>
    ),
    changes: isNamed && changes.length <= MAX_SHOWN ? changes : [],
  }
}

/** The feed that made or undid the change, with a link to its run if the user has access. */
type ByFeedProps = { run: NonNullable<VehicleEvent['run']>; isUndo: boolean }

function ByFeed({ run: { id, feed, canOpen }, isUndo }: ByFeedProps) {
  if (feed === null) return isUndo ? ' by undoing a feed' : ' by a feed'
  const name = <bdi>{feed}</bdi>
  return (
    <>
      {isUndo ? ' by undoing feed ' : ' by feed '}
      {canOpen ? (
        <Link to="/inventory/feeds/$id" params={{ id }} className="fc-link">
          {name}
        </Link>
      ) : (
        name
      )}
    </>
  )
}
