import { TARGET_STATES, type TargetState } from '#contract/assessments/targets/target-states.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const MARKS = {
  not_started: { tone: 'mute', mark: 'wait' },
  in_progress: { tone: 'info', mark: 'half' },
  submitted: { tone: 'info', mark: 'quarter' },
  in_review: { tone: 'info', mark: 'quarter' },
  changes_requested: { tone: 'warn', mark: 'alert' },
  approved: { tone: 'good', mark: 'check' },
  closed: { tone: 'mute', mark: 'dash' },
} as const

/** The state of a target. An overdue one says so instead, because that is what has to be done first. */
export function TargetStatus({
  state,
  isOverdue,
  isPill = false,
}: {
  state: TargetState
  isOverdue: boolean
  isPill?: boolean
}) {
  const label = TARGET_STATES.find(({ value }) => value === state)?.label ?? state
  if (isOverdue) {
    return (
      <Status tone="bad" mark="alert" isPill={isPill}>
        {state === 'changes_requested' ? 'Changes overdue' : 'Overdue'}
      </Status>
    )
  }
  return (
    <Status {...MARKS[state]} isPill={isPill}>
      {label}
    </Status>
  )
}
