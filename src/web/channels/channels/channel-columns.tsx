import type { ReactNode } from 'react'
import type { CHANNEL_LIST } from '#contract/channels/channels/channel-list.ts'
import type { ChannelRow } from '#contract/channels/channels/channels.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatAgo, formatDuration, formatMoment } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { destinationName, kindName, STATE_LOOKS, stateName } from './channel-labels.ts'
import { NextRun } from '#web/ui/remote-servers/NextRun.tsx'
import { formatSchedule } from '#web/ui/remote-servers/schedule.ts'

/** Custom cells of the list. */
export const CELLS: Cells<ChannelRow, keyof typeof CHANNEL_LIST.fields> = {
  kind: (channel) => (
    <>
      {kindName(channel.kind)}
      <span className="fc-second">{channel.format.toUpperCase()}</span>
    </>
  ),
  destination: (channel) => (
    <>
      {destinationName(channel.destination)}
      {channel.host !== null && (
        <span className="fc-second">
          <bdi>{channel.host}</bdi>
        </span>
      )}
    </>
  ),
  isActive: ({ isActive }) => <OnOff isActive={isActive} />,
  lastState: (channel) => <LastRun channel={channel} />,
  nextRunAt: (channel) => (
    <>
      <NextRun at={channel.nextRunAt} isOutgoing={channel.destination !== 'pull'} />
      <span className="fc-second">{formatSchedule(channel)}</span>
    </>
  ),
  slowestSeconds: ({ slowestSeconds }) => slowestSeconds !== null && formatDuration(slowestSeconds * 1000),
}

export const WIDTHS = {
  name: 200,
  kind: 164,
  destination: 172,
  isActive: 72,
  lastState: 164,
  listed: 84,
  excluded: 92,
  nextRunAt: 196,
  slowestSeconds: 132,
}

/** A row on a narrow screen. */
export function showBlock(channel: ChannelRow, link: ReactNode) {
  return (
    <>
      <div className="fc-block-head">
        {link}
        <LastRun channel={channel} />
      </div>
      <div className="fc-small fc-faint">
        {kindName(channel.kind)}, {destinationName(channel.destination)}
      </div>
      <div className="fc-small">
        {channel.listed === null
          ? formatSchedule(channel)
          : `${channel.listed.toLocaleString()} vehicles, ${(channel.excluded ?? 0).toLocaleString()} excluded`}
      </div>
    </>
  )
}

function OnOff({ isActive }: { isActive: boolean }) {
  return (
    <Status tone={isActive ? 'good' : 'mute'} mark={isActive ? 'check' : 'pause'}>
      {isActive ? 'On' : 'Off'}
    </Status>
  )
}

function LastRun({ channel: { lastState, lastAt, waitsSince } }: { channel: ChannelRow }) {
  if (lastState === null) {
    return (
      <Status tone="mute" mark="wait">
        Not run yet
      </Status>
    )
  }
  return (
    <>
      <Status {...STATE_LOOKS[lastState]}>{stateName(lastState)}</Status>
      {lastAt !== null && <span className="fc-second">{formatAgo(lastAt)}</span>}
      {waitsSince !== null && <span className="fc-second">Out of date since {formatMoment(waitsSince)}</span>}
    </>
  )
}
