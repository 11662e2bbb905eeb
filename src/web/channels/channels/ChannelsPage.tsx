import { IconBroadcast, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { CHANNEL_LIST } from '#contract/channels/channels/channel-list.ts'
import { type ChannelRow, channels } from '#contract/channels/channels/channels.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, ChannelBlock, WIDTHS } from './channel-columns.tsx'
import '#web/ui/record/record-page.css'
import './channels.css'

const route = getRouteApi('/shell/inventory/channels')

const ChannelDrawer = lazy(async () => ({ default: (await import('./ChannelDrawer.tsx')).ChannelDrawer }))

/** The list of channels; a selected one opens in a drawer with its own URL. */
export function ChannelsPage() {
  const search = route.useSearch()
  const { channel, part } = search
  const { onShow, open, close, onCreated } = useListRoute('channel')
  const add = (
    <Action
      for={channels.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add channel
    </Action>
  )
  return (
    <>
      <ListPage
        list={CHANNEL_LIST}
        endpoint={channels.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        selectedId={channel}
        searches="Name, server"
        actions={add}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconBroadcast size={18} />}
            title="No channels yet"
            text="A channel sends your vehicles to Google, Meta or any partner that accepts a file. For each excluded vehicle, you see the reason."
          >
            {add}
          </EmptyState>
        }
      />
      {channel !== undefined && (
        <Suspense>
          <ChannelDrawer key={channel} id={channel} part={part} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(channel: ChannelRow) {
  return <ChannelBlock channel={channel} />
}
