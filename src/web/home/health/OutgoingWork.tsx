import { Box, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  outgoing,
  OUTGOING_KINDS,
  type OutgoingKind,
  type OutgoingWork as Work,
  type WaitingWork,
} from '#contract/home/outgoing.ts'
import { live } from '#web/api/live.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import styles from './HealthPage.module.css'

const REFRESH_MS = 30_000
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const formatMoment = (instant: string): string => moment.format(new Date(instant))

/** What waits in a restored copy, and its end, for platform staff. */
export function OutgoingWork() {
  const { data, error, refetch } = useQuery(live(query(outgoing.get, {}), { ms: REFRESH_MS }))
  return (
    <Loaded
      query={{ endpoint: outgoing.get, data, error, retry: () => void refetch() }}
      what="what waits"
      shape="spinner"
      label="Loading what waits"
    >
      {(work) => work.restoredAt !== null && <Waiting {...work} restoredAt={work.restoredAt} />}
    </Loaded>
  )
}

function Waiting({ restoredAt, waiting }: Work & { restoredAt: string }) {
  const [discards, setDiscards] = useState<readonly OutgoingKind[]>([])
  const beginning = useMutation({
    mutationFn: send(outgoing.begin),
    onSuccess: () => toast('This is the real installation', 'What waited is being sent and fetched.'),
    onError: (failure) => showError(failure),
  })
  const chosen = waiting.filter(({ kind, discardable }) => discards.includes(kind) && discardable > 0)
  async function begin() {
    const isSure = await ask({
      title: 'Declare this the real installation?',
      text: describeEffect(waiting, chosen),
      confirm: 'Send and fetch from here',
      isDestructive: true,
    })
    if (isSure) beginning.mutate({ discards: chosen.map(({ kind }) => kind) })
  }
  return (
    <section aria-labelledby="health-outgoing">
      <h2 id="health-outgoing">Waiting to leave</h2>
      <Box component="p" mb="sm">
        Restored {formatMoment(restoredAt)}. If the original still runs, leave this copy as it is: both would
        send. What was queued in the backup may have been sent by the original since.
      </Box>
      <ul className={styles.checks} aria-label="Waiting to leave">
        {waiting.map((one) => (
          <WaitingKind
            key={one.kind}
            waiting={one}
            isDiscarded={discards.includes(one.kind)}
            onChange={(isDiscarded) =>
              setDiscards((before) => [
                ...before.filter((kind) => kind !== one.kind),
                ...(isDiscarded ? [one.kind] : []),
              ])
            }
          />
        ))}
      </ul>
      <Action for={outgoing.begin} mt="md" loading={beginning.isPending} onClick={() => void begin()}>
        Declare this the real installation
      </Action>
    </section>
  )
}

type KindProps = { waiting: WaitingWork; isDiscarded: boolean; onChange: (isDiscarded: boolean) => void }

function WaitingKind({
  waiting: { kind, due, discardable, oldestAt, nextAt },
  isDiscarded,
  onChange,
}: KindProps) {
  const { label, about } = OUTGOING_KINDS.find(({ value }) => value === kind) ?? { label: kind, about: '' }
  const times = [
    oldestAt === null ? '' : `Oldest due ${formatMoment(oldestAt)}.`,
    nextAt === null ? '' : `Next due ${formatMoment(nextAt)}.`,
  ]
  return (
    <li>
      <span className={styles.name}>{label}</span>
      <Status tone={due > 0 ? 'warn' : 'mute'} mark={due > 0 ? 'pause' : 'dash'}>
        {due > 0 ? `${due.toLocaleString()} due` : 'None due'}
      </Status>
      <span className={styles.words}>
        {about}.<span className="fc-second">{times.filter(Boolean).join(' ')}</span>
        {discardable > 0 && (
          <span>
            <SegmentedControl
              size="xs"
              aria-label={label}
              value={isDiscarded ? 'discard' : 'send'}
              onChange={(value) => onChange(value === 'discard')}
              data={[
                { value: 'send', label: kind === 'feeds' ? 'Fetch all' : 'Send all' },
                { value: 'discard', label: discardLabel(kind, discardable) },
              ]}
            />
          </span>
        )}
      </span>
    </li>
  )
}

/** Files and feeds that are skipped have a next time. */
const discardLabel = (kind: OutgoingKind, discardable: number): string =>
  kind === 'channels' || kind === 'feeds'
    ? `Skip ${discardable.toLocaleString()} until the next scheduled time`
    : `Discard ${discardable.toLocaleString()} from the backup`

function describeEffect(waiting: readonly WaitingWork[], chosen: readonly WaitingWork[]): string {
  const list = (all: readonly WaitingWork[], count: (one: WaitingWork) => number): string =>
    OUTGOING_KINDS.flatMap(({ value, label }) => {
      const one = all.find(({ kind }) => kind === value)
      return one === undefined || count(one) <= 0 ? [] : [`${label}: ${count(one).toLocaleString()}`]
    }).join(', ')
  const leaving = list(waiting, (one) =>
    chosen.includes(one) ? Math.max(0, one.due - one.discardable) : one.due,
  )
  const discarded = list(chosen, ({ discardable }) => discardable)
  return [
    leaving === '' ? 'Nothing is due now.' : `Due now: ${leaving}.`,
    ...(discarded === '' ? [] : [`Discarded or skipped: ${discarded}.`]),
    'From then on, everything is sent and fetched as scheduled. This can only be undone on the server.',
  ].join(' ')
}
