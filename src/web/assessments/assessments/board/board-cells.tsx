import { boardStateOf } from '#contract/assessments/targets/board-states.ts'
import type { PresentPerson } from '#contract/assessments/targets/presence.ts'
import type { Target } from '#contract/assessments/targets/targets.ts'
import { PresentPeople } from '../../answering/PresentPeople.tsx'
import { sayPresent } from '../../answering/say-present.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { showDay } from '../assessment-labels.ts'
import { stateName, STATE_LOOKS } from './target-status.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** The name opens the target. */
export function TargetName({ target, present }: { target: Target; present: readonly PresentPerson[] }) {
  const { id: targetId, assessmentId: id, name, ownerName, organizationName, facilityId } = target
  const second = ownerName ?? (facilityId === null ? '' : organizationName)
  return (
    <>
      <Link to="/assessments/$id/targets/$targetId" params={{ id, targetId }} className="fc-name">
        <bdi>{name}</bdi>
      </Link>{' '}
      <PresentPeople people={present} say={sayPresent('has it open now', 'have it open now')} isShort />
      {second !== '' && (
        <span className="fc-second">
          <bdi>{second}</bdi>
        </span>
      )}
    </>
  )
}

export function BoardStatus({ target, line }: { target: Target; line: string }) {
  return (
    <>
      <Status {...STATE_LOOKS[boardStateOf(target)]}>{stateName(target)}</Status>
      <span className="fc-second fc-board-line" title={line}>
        <bdi>{line}</bdi>
      </span>
    </>
  )
}

const score = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 })

/** In percent, once all required questions are answered. */
export function Score({ target }: { target: Target }) {
  if (target.score === null) return <span className="fc-faint">–</span>
  return <b className="fc-number">{score.format(target.score)}%</b>
}

export function DueDay({ target: { dueOn, isOverdue } }: { target: Target }) {
  return <bdi className={isOverdue ? 'fc-number fc-board-late' : 'fc-number'}>{showDay(dueOn)}</bdi>
}
