import type { User } from '#contract/identity/users/users.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { STATUS_LABELS } from './user-labels.ts'

const MARKS = {
  active: { tone: 'good', mark: 'check' },
  invited: { tone: 'info', mark: 'wait' },
  off: { tone: 'mute', mark: 'pause' },
} as const

/** A user's status as a labeled mark. */
export function UserStatus({ state, isPill = false }: { state: User['state']; isPill?: boolean }) {
  return (
    <Status {...MARKS[state]} isPill={isPill}>
      {STATUS_LABELS[state]}
    </Status>
  )
}
