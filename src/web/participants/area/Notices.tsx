import { IconAlertTriangle, IconCloudOff, IconLock } from '@tabler/icons-react'
import type { ParticipantTask } from '#contract/participants/area/participant-area.ts'
import type { SyncState } from '#web/assessments/index.ts'
import { showCalendarDay, useArea, useOnline } from './area.ts'

type Props = {
  record: Pick<ParticipantTask, 'state' | 'role' | 'requestedChanges' | 'phase' | 'opensOn'>
  sync: SyncState
  /** This device keeps what was not sent. */
  isKept: boolean
}

/** What the person must know before they type: no connection, nowhere to keep answers, closed answers, requested changes. */
export function Notices({ record, sync, isKept }: Props) {
  const { text, isEnded, language } = useArea()
  const isOnline = useOnline()
  const { problem, queue } = sync
  const isAway = !isOnline || problem?.kind === 'away'
  const hasWaiting = queue.changes.length > 0
  return (
    <>
      {isAway && !isEnded && (
        <output className="fc-area-banner">
          <IconCloudOff size={16} aria-hidden="true" />
          <span>
            <strong>{text('offline')}</strong> {isKept && text('offlineText')}
          </span>
        </output>
      )}
      {!isKept && (
        <p className="fc-area-banner" role="alert">
          <IconAlertTriangle size={16} aria-hidden="true" />
          <span>{text('notKept')}</span>
        </p>
      )}
      {problem?.kind === 'blocked' && hasWaiting && (
        <p className="fc-area-banner" role="alert">
          <IconAlertTriangle size={16} aria-hidden="true" />
          <span>{text('notSaved', { text: problem.message })}</span>
        </p>
      )}
      {record.phase !== 'open' && (
        <p className="fc-area-banner">
          <IconLock size={16} aria-hidden="true" />
          <span>
            {record.phase === 'early'
              ? text('early', { date: showCalendarDay(record.opensOn, language) })
              : text('closedText')}
          </span>
        </p>
      )}
      {record.phase === 'open' && record.state === 'changes_requested' && (
        <p className="fc-area-banner">
          <IconAlertTriangle size={16} aria-hidden="true" />
          <span>
            <strong>{text('changes', { n: record.requestedChanges })}.</strong> {text('othersClosed')}
          </span>
        </p>
      )}
      {record.role === 'reader' && <p className="fc-area-banner fc-area-quiet">{text('readOnly')}</p>}
    </>
  )
}
