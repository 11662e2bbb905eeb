import { IconHistory } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import {
  MAX_EVENTS,
  type VehicleEvent,
  type VehicleRecord,
  vehicles,
} from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { TimelineSkeleton } from '#web/ui/layout/TimelineSkeleton.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** Entries with more changed fields than this list only the fields, not the values. */
const MAX_SHOWN = 8
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })
const WHAT = { added: 'Added', changed: 'Changed', deleted: 'Deleted', restored: 'Restored' } as const

/** The change history of a vehicle, newest first. */
export function VehicleTimeline({ vehicle }: { vehicle: VehicleRecord }) {
  return (
    <Loaded
      query={query(vehicles.timeline, { id: vehicle.id })}
      what="the timeline"
      shape={
        <div className="fc-vehicle-scroll">
          <TimelineSkeleton title="Loading the timeline" />
        </div>
      }
    >
      {(data) => {
        if (data.events.length === 0) {
          return (
            <EmptyState
              icon={<IconHistory size={18} />}
              title="No changes yet"
              text="Changes to this vehicle appear here, with the user and the previous value."
            />
          )
        }
        return (
          <div className="fc-vehicle-scroll">
            <ol className="fc-timeline" aria-label="Timeline">
              {data.events.map((event, index) => (
                <li key={`${event.at} ${index}`}>
                  <Entry event={event} />
                </li>
              ))}
            </ol>
            {data.isCut && (
              <p className="fc-small fc-soft fc-timeline-cut">
                Only the latest {MAX_EVENTS} changes are shown. See the audit log for older ones.
              </p>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

function Entry({ event }: { event: VehicleEvent }) {
  const { at, by, as, what, jobId, run, isUndo, changes } = event
  const isNamed = what === 'changed' && changes.length > 0
  return (
    <>
      <span>
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
      </span>
      <span className="fc-second">
        <bdi>{by ?? 'Forecourt'}</bdi>
        {as !== null && (
          <>
            {' as '}
            <bdi>{as}</bdi>
          </>
        )}
        {', '}
        <time dateTime={at} title={exactly.format(new Date(at))}>
          {formatAgo(at)}
        </time>
      </span>
      {isNamed && changes.length <= MAX_SHOWN && (
        <ul className="fc-changes">
          {changes.map(({ field, before, after }) => (
            <li key={field}>
              <span className="fc-soft">{field}</span> <bdi className="fc-was">{before ?? 'none'}</bdi>
              <span aria-hidden="true"> → </span>
              <span className="fc-hidden">to</span>
              <bdi>{after ?? 'none'}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  )
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
