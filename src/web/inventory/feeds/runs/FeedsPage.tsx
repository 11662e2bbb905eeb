import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FEED_RUN_LIST } from '#contract/inventory/feeds/runs/feed-run-list.ts'
import { type FeedRunRow, feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { useHolds } from '#web/session/use-session.ts'
import { DropZone } from '#web/ui/files/DropZone.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { requestedBy } from '#web/ui/controls/permission-of.ts'
import { useUploadFeed } from './upload-feed.ts'
import { UploadButton } from './UploadButton.tsx'
import { UploadingFile } from './UploadingFile.tsx'
import { CELLS, RunBlock, WIDTHS } from './run-cells.tsx'
import { useLiveRuns } from './use-live-runs.ts'
import './feeds.css'

const route = getRouteApi('/shell/inventory/feeds')

/** The feeds that were brought and what became of each. A file is dropped anywhere on the page. */
export function FeedsPage() {
  const search = route.useSearch()
  const { onShow } = useListRoute()
  const holds = useHolds()
  const bringing = useUploadFeed()
  useLiveRuns()
  const mayBring = requestedBy(feedRuns.add.allow).every((wanted) => holds(wanted) === true)
  const bring = (files: readonly File[]) => bringing.bring({ files })
  return (
    <DropZone
      isOpen={mayBring && bringing.file === null}
      words="Drop a feed, or the two files of one: it is read, and nothing is changed before you say so"
      onDrop={bring}
    >
      <UploadingFile bringing={bringing} />
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
        searches="File, source, person"
        actions={
          <>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/inventory/feeds/sources" {...props} />}
            >
              Sources
            </Button>
            <UploadButton onFiles={bring} />
          </>
        }
        empty={
          <EmptyState
            tone="brand"
            icon={<IconFileImport size={18} />}
            title="No feeds yet"
            text="Drop the file of a provider here: CSV, XML or JSON. You see what it would change before anything is changed."
          >
            <UploadButton onFiles={bring} />
          </EmptyState>
        }
      />
    </DropZone>
  )
}

function showBlock(run: FeedRunRow) {
  return <RunBlock run={run} />
}
