import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { beginOfflineWork, followConnection } from '#web/session/offline-work.ts'
import { count } from '#web/ui/layout/date-format.ts'
import type { TargetState } from './use-target.ts'

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** Where answers are that the server doesn't have, and what to do about it. Nothing while all of them are saved. */
export function SendingState({
  target,
  onProblem,
}: {
  target: TargetState
  onProblem: (code: string) => void
}) {
  const isOnline = useSyncExternalStore(followConnection, () => navigator.onLine)
  useEffect(beginOfflineWork, [])
  const { answering, state } = target
  const { problem, queue, isKept, lastSentAt } = state.sync
  const waiting = answering.sync.countWaiting()
  const conflict = queue.changes.find((one) => one.state === 'conflict')
  const saved = lastSentAt === null ? '' : ` Last sent ${time.format(lastSentAt)}.`
  if (!isOnline || (problem?.kind === 'away' && waiting > 0)) {
    return (
      <output className="fc-target-band">
        <IconCloudOff size={16} aria-hidden="true" />
        <span>
          <strong>You're offline.</strong>{' '}
          {waiting > 0 && `${count(waiting, 'answer', 'answers')} not sent yet.${saved} `}
          {isKept
            ? 'Keep going, your answers are saved on this device.'
            : 'Keep this page open until they are sent.'}
        </span>
        <Button size="compact-xs" variant="default" onClick={() => void answering.sync.retry()}>
          Try again
        </Button>
      </output>
    )
  }
  if (problem !== null && problem.kind !== 'away' && waiting > 0) {
    return (
      <p className="fc-target-band" role="alert">
        <span>
          <strong>{count(waiting, 'answer was', 'answers were')} not saved.</strong> {problem.message}
        </span>
        <Button size="compact-xs" variant="default" onClick={() => void answering.sync.retry()}>
          Try again
        </Button>
      </p>
    )
  }
  if (conflict === undefined) return null
  return (
    <output className="fc-target-band">
      <span>
        <strong>Someone else changed an answer that you changed too.</strong> Choose which one to keep.
      </span>
      <Button size="compact-xs" variant="default" onClick={() => onProblem(conflict.question)}>
        Show it
      </Button>
    </output>
  )
}
