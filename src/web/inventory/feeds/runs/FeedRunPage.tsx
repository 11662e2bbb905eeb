import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FeedRun, feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { query } from '#web/api/query.ts'
import { DropZone } from '#web/ui/files/DropZone.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { useHolds } from '#web/session/use-session.ts'
import { requestedBy } from '#web/ui/controls/permission-of.ts'
import { useUploadFeed } from './upload-feed.ts'
import { UploadingFile } from './UploadingFile.tsx'
import { isUnderWay } from './feed-labels.ts'
import { RunHeader } from './RunHeader.tsx'
import { RunNotes } from './RunNotes.tsx'
import { RunProgress } from './RunProgress.tsx'
import { RunRows } from './RunRows.tsx'
import { SecondFile } from './SecondFile.tsx'
import '#web/ui/list/list.css'
import '#web/ui/record/record-page.css'
import './feeds.css'

const route = getRouteApi('/shell/inventory/feeds/$id')
const POLL_MS = 1_000

/** One feed: what it would change, what stands against it, and what was done. Another file may be dropped here, too. */
export function FeedRunPage() {
  const { id } = route.useParams()
  const holds = useHolds()
  const bringing = useUploadFeed()
  const { data, error, isPending, refetch } = useQuery({
    ...query(feedRuns.get, { id }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? POLL_MS : false),
  })
  const secondOf = data?.status === 'waiting' ? id : undefined
  const mayBring = requestedBy(feedRuns.add.allow).every((wanted) => holds(wanted) === true)
  return (
    <DropZone
      isOpen={mayBring && bringing.file === null}
      words={
        secondOf === undefined
          ? 'Drop another feed: it becomes a run of its own'
          : 'Drop the second file: both are read together'
      }
      onDrop={(files) => bringing.bring({ files, secondOf })}
    >
      <UploadingFile bringing={bringing} />
      <RunHeader run={data ?? null} />
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={feedRuns.get}
          what="this feed"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Spinner label="Loading the feed" />}
      {data && <Body key={id} run={data} bringing={bringing} />}
    </DropZone>
  )
}

function Body({ run, bringing }: { run: FeedRun; bringing: ReturnType<typeof useUploadFeed> }) {
  const { status } = run
  // Of a run that was cancelled before it was applied nothing is kept.
  const hasRows = !['waiting', 'reading', 'failed', 'cancelled'].includes(status)
  return (
    <div className="fc-feed-body">
      {isUnderWay(run) && <RunProgress run={run} />}
      {status === 'waiting' && <SecondFile run={run} bringing={bringing} />}
      {status !== 'reading' && <RunNotes run={run} />}
      {hasRows && <RunRows run={run} />}
    </div>
  )
}
