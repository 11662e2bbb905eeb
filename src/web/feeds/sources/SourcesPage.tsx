import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { FEED_SOURCE_LIST } from '#contract/feeds/sources/feed-source-list.ts'
import { type FeedSource, feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, SourceBlock, WIDTHS } from './source-cells.tsx'

const route = getRouteApi('/shell/inventory/feeds/sources')

const SourceDrawer = lazy(async () => ({ default: (await import('./SourceDrawer.tsx')).SourceDrawer }))

/** The list of feed sources; one can be open in a drawer with its own URL. */
export function SourcesPage() {
  const search = route.useSearch()
  const { source, part } = search
  const { onShow, open, close, onCreated } = useListRoute('source')
  const add = (
    <Action
      for={feedSources.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add feed source
    </Action>
  )
  return (
    <>
      <ListPage
        list={FEED_SOURCE_LIST}
        endpoint={feedSources.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        selectedId={source}
        searches="Name, mapping"
        actions={
          <>
            <Button variant="default" renderRoot={(props) => <Link to="/inventory/feeds" {...props} />}>
              Feeds
            </Button>
            {add}
          </>
        }
        empty={
          <EmptyState
            tone="brand"
            icon={<IconPlugConnected size={18} />}
            title="No feed sources yet"
            text="A feed source receives files regularly from a provider. Vehicles that later files don't list are marked as missing."
          >
            {add}
          </EmptyState>
        }
      />
      {source !== undefined && (
        <Suspense>
          <SourceDrawer key={source} id={source} part={part} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(source: FeedSource) {
  return <SourceBlock source={source} />
}
