import { IconPlayerPlay } from '@tabler/icons-react'
import {
  type Channel,
  channels,
  type ChannelRun,
  MAX_EXCLUDED,
} from '#contract/channels/channels/channels.ts'
import { EXCLUSION_REASONS } from '#contract/channels/listings/exclusion-reasons.ts'
import { live } from '#web/api/live.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatAgo, formatDuration, formatMoment } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { describeFollowing, describeRun, STATE_LOOKS, stateName } from './channel-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const runChannel = send(channels.run)
/** How long a requested run may take to appear in the list. */
const EXPECTED_MS = 30_000
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Whether what was requested then may still have to appear. */
const isRecent = (requestedAt: number) => Date.now() - requestedAt < EXPECTED_MS

/** The runs of a channel, newest first, and the vehicles that the latest one excluded, with the reasons. */
export function ChannelRuns({ channel }: { channel: Channel }) {
  const { id, name } = channel
  const running = useMutation({
    mutationFn: runChannel,
    onSuccess: () => toast('Run started', name),
    onError: (failure) => showError(failure),
  })
  const { isSuccess, submittedAt } = running
  return (
    <div className="fc-form">
      <div className="fc-channel-runs">
        <Loaded
          query={live(query(channels.runs, { id }), {
            while: (answer) => (isSuccess && isRecent(submittedAt)) || answer?.runs[0]?.state === 'running',
          })}
          what="the runs of this channel"
          shape="spinner"
          label="Loading the runs"
        >
          {(data) => (
            <>
              {data.runs.length === 0 && (
                <p className="fc-small fc-soft">No runs yet. A run creates the file and delivers it.</p>
              )}
              <Following channel={channel} />
              {data.runs.length > 0 && (
                <ol className="fc-lines fc-channel-lines" aria-label="Runs">
                  {data.runs.map((run) => (
                    <li key={run.id}>
                      <Run run={run} />
                    </li>
                  ))}
                </ol>
              )}
              {data.excluded.length > 0 && (
                <section aria-labelledby={`excluded-${id}`}>
                  <h2 id={`excluded-${id}`}>Excluded from the latest run</h2>
                  <ul className="fc-lines fc-channel-lines">
                    {data.excluded.map(({ vehicleId, title, reasons }) => (
                      <li key={vehicleId}>
                        <Link
                          to="/inventory/vehicle-data/$id"
                          params={{ id: vehicleId }}
                          search={{ tab: 'channels' }}
                          className="fc-link"
                        >
                          <bdi>{title}</bdi>
                        </Link>
                        <span className="fc-second">
                          {reasons.map((reason) => EXCLUSION_REASONS[reason]).join(', ')}
                        </span>
                      </li>
                    ))}
                  </ul>
                  {data.excluded.length === MAX_EXCLUDED && (
                    <p className="fc-small fc-faint">Only the first {MAX_EXCLUDED} are listed.</p>
                  )}
                </section>
              )}
            </>
          )}
        </Loaded>
      </div>
      <div className="fc-form-footer">
        <span className="fc-grow" />
        <Action
          for={channels.run}
          loading={running.isPending}
          leftSection={<IconPlayerPlay size={16} aria-hidden="true" />}
          onClick={() => running.mutate({ id })}
        >
          Run now
        </Action>
      </div>
    </div>
  )
}

/** Whether the file has what buyers see now, and how long it took to follow at most. */
function Following({ channel: { waitsSince, slowestSeconds, nextRunAt } }: { channel: Channel }) {
  return (
    <>
      {waitsSince !== null && (
        <Status tone="warn" mark="alert">
          Out of date since {formatMoment(waitsSince)}, by a sale, hold or new price
          {nextRunAt !== null && `. Next file: ${formatAgo(nextRunAt)}`}
        </Status>
      )}
      {slowestSeconds !== null && (
        <p className="fc-small fc-soft">
          From a sale, hold or new price to the new file: at most {formatDuration(slowestSeconds * 1000)} in
          the runs below.
        </p>
      )}
    </>
  )
}

function Run({ run }: { run: ChannelRun }) {
  const { state, startedAt, requestedBy, message } = run
  const following = describeFollowing(run)
  return (
    <>
      <div className="fc-channel-run">
        <Status {...STATE_LOOKS[state]}>{stateName(state)}</Status>
        <time dateTime={startedAt} title={exactly.format(new Date(startedAt))} className="fc-small fc-faint">
          {formatAgo(startedAt)}
          {requestedBy !== null && <bdi>, started by {requestedBy}</bdi>}
        </time>
      </div>
      <span className="fc-small">{describeRun(run)}</span>
      {following !== null && <span className="fc-second">{following}</span>}
      {message !== null && (
        <span className="fc-second">
          <bdi>{message}</bdi>
        </span>
      )}
    </>
  )
}
