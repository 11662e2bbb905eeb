import { Link } from '@tanstack/react-router'
import { type Channel, channels } from '#contract/channels/channels/channels.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { ChannelForm } from './ChannelForm.tsx'
import { ChannelRuns } from './ChannelRuns.tsx'
import { kindName } from './channel-labels.ts'

type Props = {
  /** A channel's ID, or `new`. */
  id: string
  part: 'runs' | undefined
  /** `isSaved`: close without asking about unsaved changes. */
  onClose: (isSaved?: boolean) => void
  onCreated: (id: string) => void
}

/** One channel with its settings and runs, or a blank form for a new one. */
export function ChannelDrawer({ id, part, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const load = useLoad({
    ...query(channels.get, { id }),
    enabled: !isNew,
    // Always opens with fresh data, not with the cached channel.
    gcTime: 0,
  })
  const { data } = load
  if (isNew) {
    return (
      <FormDrawer
        title="New channel"
        about="Send your vehicles to a marketplace or partner"
        size={640}
        onClose={() => onClose()}
      >
        <ChannelForm channel={null} onClose={onClose} onCreated={onCreated} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title={data?.name ?? 'Channel'}
      about={data && describeChannel(data)}
      size={640}
      onClose={() => onClose()}
    >
      <Loaded query={load} what="this channel" shape="fields">
        {(loaded) => (
          <>
            <Parts id={id} part={part} />
            {part === 'runs' && <ChannelRuns channel={loaded} />}
            {part === undefined && (
              <LoadedRecord key={loaded.id} record={loaded}>
                {(channel, keep) => (
                  <ChannelForm channel={channel} onKept={keep} onClose={onClose} onCreated={onCreated} />
                )}
              </LoadedRecord>
            )}
          </>
        )}
      </Loaded>
    </FormDrawer>
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

function describeChannel({ kind, updatedAt, updatedBy }: Channel): string {
  return `${kindName(kind)}. Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
