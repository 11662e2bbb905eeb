import { IconBroadcast } from '@tabler/icons-react'
import { lazy } from 'react'
import { CHANNEL_LIST } from '#contract/channels/channels/channel-list.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { RecordList } from '#web/ui/list/RecordList.tsx'
import { CELLS, showBlock, WIDTHS } from './channel-columns.tsx'
import '#web/ui/record/record-page.css'
import './channels.css'

const ChannelDrawer = lazy(async () => ({ default: (await import('./ChannelDrawer.tsx')).ChannelDrawer }))

/** The list of channels; a selected one opens in a drawer with its own URL. */
export function ChannelsPage() {
  return (
    <RecordList
      list={CHANNEL_LIST}
      calls={channels}
      param="channel"
      isLive
      Drawer={ChannelDrawer}
      cells={CELLS}
      widths={WIDTHS}
      block={showBlock}
      searches="Name, server"
      icon={<IconBroadcast size={18} />}
      purpose="A channel sends your vehicles to Google, Meta or any partner that accepts a file. For each excluded vehicle, you see the reason."
    />
  )
}
