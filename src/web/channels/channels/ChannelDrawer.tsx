import { getRouteApi } from '@tanstack/react-router'
import { capitalize } from '#contract/capitalize.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { send } from '#web/api/query.ts'
import { describeChange, RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { channelForm, showField } from './channel-form.ts'
import { kindName } from './channel-labels.ts'
import { ChannelAddress } from './ChannelAddress.tsx'
import { ChannelFields } from './ChannelFields.tsx'
import { ChannelRuns } from './ChannelRuns.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/inventory/channels')
const addChannel = send(channels.add)
const updateChannel = send(channels.update)

/** One channel with its settings and runs, or a blank form for a new one. */
export function ChannelDrawer(props: RecordDrawerProps) {
  const { part } = route.useSearch()
  return (
    <RecordDrawer
      {...props}
      noun="channel"
      about="Send your vehicles to a marketplace or partner"
      describe={(channel) => `${kindName(channel.kind)}. ${capitalize(describeChange(channel))}`}
      size={640}
      form={channelForm}
      endpoints={channels}
      save={(input, change) => (change ? updateChannel({ ...input, ...change }) : addChannel(input))}
      remove={{
        endpoint: channels.remove,
        text: ({ destination }) =>
          destination === 'pull'
            ? "The download link stops working, and the channel's run history is deleted. You can't undo this."
            : "The channel's password and run history are deleted. The last file stays on the server. You can't undo this.",
        label: 'Delete channel',
      }}
      nameOf={({ name }) => ({ name })}
      show={showField}
      renderAround={(channel, form) => (
        <>
          {channel && <Parts id={channel.id} part={part} />}
          {channel && part === 'runs' ? <ChannelRuns channel={channel} /> : form}
        </>
      )}
    >
      {(record, channel) => (
        <ChannelFields record={record} channel={channel}>
          {channel && (
            <ChannelAddress channel={channel} isChanged={record.changed.length > 0} onKept={record.keep} />
          )}
        </ChannelFields>
      )}
    </RecordDrawer>
  )
}

const PARTS = [
  { part: undefined, title: 'Settings' },
  { part: 'runs', title: 'Runs' },
] as const

function Parts({ id, part }: { id: string; part: 'runs' | undefined }) {
  return (
    <nav className="fc-tabs fc-channel-tabs" aria-label="Sections of this channel">
      {PARTS.map((one) => (
        <Link
          key={one.title}
          from="/inventory/channels"
          to="/inventory/channels"
          search={(before) => ({ ...before, channel: id, part: one.part })}
          activeOptions={{ exact: true, includeSearch: true }}
          {...(one.part === part && { 'aria-current': 'page' as const })}
        >
          {one.title}
        </Link>
      ))}
    </nav>
  )
}
