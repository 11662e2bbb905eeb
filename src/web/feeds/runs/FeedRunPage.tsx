import { getRouteApi } from '@tanstack/react-router'
import { type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { live, WATCHED_MS } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { DropZone } from '#web/ui/files/DropZone.tsx'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { useFeedUpload, type FeedUpload } from './upload-feed.ts'
import { UploadingFile } from './UploadingFile.tsx'
import { isInProgress } from './feed-labels.ts'
import { RunHeader } from './RunHeader.tsx'
import { RunNotes } from './RunNotes.tsx'
import { RunProgress } from './RunProgress.tsx'
import { RunRows } from './RunRows.tsx'
import '#web/ui/list/list.css'
import '#web/ui/record/record-page.css'
import './feeds.css'
import { UploadButton } from './UploadButton.tsx'

const route = getRouteApi('/shell/inventory/feeds/$id')

/** One feed: its changes, problems and result. Another file can be dropped here too. */
export function FeedRunPage() {
  const { id } = route.useParams()
  const holds = useHolds()
  const upload = useFeedUpload()
  const load = useLoad(
    live(query(feedRuns.get, { id }), {
      while: (run) => run !== undefined && isInProgress(run),
      ms: WATCHED_MS,
    }),
  )
  const { data } = load
  const secondOf = data?.status === 'waiting' ? id : undefined
  const mayUpload = permissionsFor(feedRuns.add.allow).every((permission) => holds(permission) === true)
  return (
    <DropZone
      isOpen={mayUpload && upload.file === null}
      words={
        secondOf === undefined
          ? 'Drop another feed to upload it separately'
          : 'Drop the second file to read both together'
      }
      onDrop={(files) => upload.start({ files, secondOf })}
    >
      <UploadingFile upload={upload} />
      <RunHeader run={data ?? null} />
      <Loaded query={load} what="this feed" shape="spinner" label="Loading feed">
        {(feed) => <Body key={id} run={feed} upload={upload} />}
      </Loaded>
    </DropZone>
  )
}

function Body({ run, upload }: { run: FeedRun; upload: ReturnType<typeof useFeedUpload> }) {
  const { status } = run
  // A run that was canceled before it was applied has no rows.
  const hasRows = !['waiting', 'reading', 'failed', 'canceled'].includes(status)
  return (
    <div className="fc-feed-body">
      {isInProgress(run) && <RunProgress run={run} />}
      {status === 'waiting' && <SecondFile run={run} upload={upload} />}
      {status !== 'reading' && <RunNotes run={run} />}
      {hasRows && <RunRows run={run} />}
    </div>
  )
}

/** Asks for the second file of a run whose mapping joins two. */
function SecondFile({ run, upload }: { run: FeedRun; upload: FeedUpload }) {
  const { id, fileName, mappingName } = run
  return (
    <section className="fc-feed-return" aria-label="Second file">
      <p className="fc-grow">
        <bdi>
          {`${mappingName ?? 'The mapping'} joins two files. ${fileName} is uploaded. Upload the other file, or drop it on this page.`}
        </bdi>
      </p>
      <UploadButton
        label="Upload second file"
        isSecond
        onFiles={(files) => upload.start({ files, secondOf: id })}
      />
    </section>
  )
}
