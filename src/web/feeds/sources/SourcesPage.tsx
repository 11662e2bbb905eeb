import { Button } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { lazy } from 'react'
import { FEED_SOURCE_LIST } from '#contract/feeds/sources/feed-source-list.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { RecordList } from '#web/ui/list/RecordList.tsx'
import { CELLS, describeLots, showBlock, WIDTHS } from './source-cells.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const SourceDrawer = lazy(async () => ({ default: (await import('./SourceDrawer.tsx')).SourceDrawer }))

/** The list of feed sources; one can be open in a drawer with its own URL. */
export function SourcesPage() {
  return (
    <RecordList
      list={FEED_SOURCE_LIST}
      calls={feedSources}
      param="source"
      isLive
      Drawer={SourceDrawer}
      cells={CELLS}
      second={describeLots}
      widths={WIDTHS}
      block={showBlock}
      searches="Name, mapping"
      actions={
        <Button variant="default" renderRoot={(props) => <Link to="/inventory/feeds" {...props} />}>
          Feeds
        </Button>
      }
      icon={<IconPlugConnected size={18} />}
      purpose="A feed source receives files regularly from a provider. Vehicles that later files don't list are marked as missing."
    />
  )
}
