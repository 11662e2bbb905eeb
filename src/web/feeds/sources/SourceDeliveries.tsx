import { IconDownload, IconPlugConnected } from '@tabler/icons-react'
import { isFetched } from '#contract/feeds/sources/feed-source-list.ts'
import {
  type FeedDelivery,
  type FeedSource,
  feedSources,
  CUSTOMER_MANAGED,
} from '#contract/feeds/sources/feed-sources.ts'
import { live } from '#web/api/live.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const fetchSource = send(feedSources.fetch)
const testSource = send(feedSources.test)
/** A fetch may have started this long before the answer to its request arrived, in milliseconds. */
const EARLIER_MS = 2_000
/** How long a requested fetch may take to appear. */
const EXPECTED_MS = 30_000
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Whether what was requested then isn't the latest delivery yet, but may still become it. */
const isExpected = (requestedAt: number, latest: FeedDelivery | undefined) =>
  Date.now() - requestedAt < EXPECTED_MS &&
  (latest === undefined || Date.parse(latest.startedAt) < requestedAt - EARLIER_MS)

/** The automatic deliveries of a source, newest first. Fetched sources also have Test connection and Fetch now. */
export function SourceDeliveries({ source }: { source: FeedSource }) {
  const { id, name, kind, isActive, isReadOnly } = source
  const lock = isReadOnly ? CUSTOMER_MANAGED : null
  const fetching = useMutation({
    mutationFn: fetchSource,
    onSuccess: () => toast('Fetch started', name),
    onError: (failure) => showError(failure),
  })
  const testing = useMutation({ mutationFn: testSource, onError: (failure) => showError(failure) })
  const { isSuccess, submittedAt } = fetching
  return (
    <div className="fc-form">
      <div className="fc-source-deliveries">
        {testing.data && (
          <output className="fc-source-test">
            <Status {...(testing.data.isSuccessful ? LOOKS.received : LOOKS.failed)}>
              {testing.data.isSuccessful ? 'Connection works' : 'Connection failed'}
            </Status>
            <bdi className="fc-small">{testing.data.message}</bdi>
          </output>
        )}
        <Loaded
          query={live(query(feedSources.deliveries, { id }), {
            while: (answer) => {
              const latest = answer?.deliveries[0]
              return (isSuccess && isExpected(submittedAt, latest)) || latest?.state === 'running'
            },
          })}
          what="the deliveries of this feed source"
          shape="spinner"
          label="Loading deliveries"
        >
          {(data) => <DeliveryList deliveries={data.deliveries} isFromServer={isFetched(kind)} />}
        </Loaded>
      </div>
      {isFetched(kind) && (
        <div className="fc-form-footer">
          <Action
            for={feedSources.test}
            lock={lock}
            variant="default"
            loading={testing.isPending}
            leftSection={<IconPlugConnected size={16} aria-hidden="true" />}
            onClick={() => testing.mutate({ id })}
          >
            Test connection
          </Action>
          <span className="fc-grow" />
          <Action
            for={feedSources.fetch}
            loading={fetching.isPending}
            lock={lock ?? (isActive ? null : 'This feed source is turned off.')}
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            onClick={() => fetching.mutate({ id })}
          >
            Fetch now
          </Action>
        </div>
      )}
    </div>
  )
}

function DeliveryList({
  deliveries,
  isFromServer,
}: {
  deliveries: readonly FeedDelivery[]
  isFromServer: boolean
}) {
  if (deliveries.length === 0) {
    return (
      <p className="fc-small fc-soft">
        {isFromServer
          ? 'Nothing fetched yet.'
          : 'Nothing received yet. Generate the upload URL under Settings.'}
      </p>
    )
  }
  return (
    <ol className="fc-lines fc-source-lines" aria-label="Deliveries">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <Delivery delivery={delivery} />
        </li>
      ))}
    </ol>
  )
}

const NAMES = {
  running: 'In progress',
  received: 'Received',
  unchanged: 'Unchanged',
  failed: 'Failed',
} as const
const LOOKS = {
  running: { tone: 'info', mark: 'half' },
  received: { tone: 'good', mark: 'check' },
  unchanged: { tone: 'mute', mark: 'dash' },
  failed: { tone: 'bad', mark: 'cross' },
} as const satisfies Record<FeedDelivery['state'], { tone: string; mark: string }>

function Delivery({
  delivery: { state, startedAt, requestedBy, fileName, runId, message },
}: {
  delivery: FeedDelivery
}) {
  return (
    <>
      <div className="fc-source-delivery">
        <Status {...LOOKS[state]}>{NAMES[state]}</Status>
        <time dateTime={startedAt} title={exactly.format(new Date(startedAt))} className="fc-small fc-faint">
          {formatAgo(startedAt)}
          {requestedBy !== null && <bdi>, requested by {requestedBy}</bdi>}
        </time>
      </div>
      {fileName !== null && runId === null && <bdi className="fc-small">{fileName}</bdi>}
      {runId !== null && (
        <Link to="/inventory/feeds/$id" params={{ id: runId }} className="fc-link fc-small">
          <bdi>{fileName ?? 'File'}</bdi>
        </Link>
      )}
      {message !== null && (
        <span className="fc-second">
          <bdi>{message}</bdi>
        </span>
      )}
    </>
  )
}
