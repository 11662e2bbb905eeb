import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { FEED_RUN_LIST } from '#contract/feeds/runs/feed-run-list.ts'
import { type FeedRunRow, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { useLiveList } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { DropZone } from '#web/ui/files/DropZone.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { isInProgress } from './feed-labels.ts'
import { useFeedUpload } from './upload-feed.ts'
import { UploadButton } from './UploadButton.tsx'
import { UploadingFile } from './UploadingFile.tsx'
import { CELLS, RunBlock, WIDTHS } from './run-cells.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './feeds.css'

const route = getRouteApi('/shell/inventory/feeds')
/** Runs in progress are always among the latest. */
const LATEST = { page: 1, pageSize: 25, sort: '-createdAt' }

/** All feeds with their results. Files can be dropped anywhere on the page. */
export function FeedsPage() {
  const search = route.useSearch()
  const { onShow } = useListRoute()
  const holds = useHolds()
  const upload = useFeedUpload()
  const latest = useQuery(query(feedRuns.list, LATEST))
  useLiveList(feedRuns.list, latest.data?.results.some(isInProgress) === true)
  const mayUpload = permissionsFor(feedRuns.add.allow).every((permission) => holds(permission) === true)
  const uploadFiles = (files: readonly File[]) => upload.start({ files })
  return (
    <DropZone
      isOpen={mayUpload && upload.file === null}
      words="Drop a feed, or two files to join. Nothing changes until you apply it."
      onDrop={uploadFiles}
    >
      <UploadingFile upload={upload} />
      <ListPage
        list={FEED_RUN_LIST}
        endpoint={feedRuns.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(run) => run.id}
        rowName={(run) => run.fileName}
        searches="File, source, mapping"
        actions={
          <>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/inventory/feeds/sources" {...props} />}
            >
              Sources
            </Button>
            <UploadButton onFiles={uploadFiles} />
          </>
        }
        empty={
          <EmptyState
            tone="brand"
            icon={<IconFileImport size={18} />}
            title="No feeds yet"
            text="Drop a CSV, Excel (XLSX), XML or JSON file from your feed provider here. You can review every change before you apply it."
          >
            <UploadButton onFiles={uploadFiles} />
          </EmptyState>
        }
      />
    </DropZone>
  )
}

function showBlock(run: FeedRunRow) {
  return <RunBlock run={run} />
}
