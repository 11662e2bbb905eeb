import type { User } from '#contract/identity/users/users.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { STATE_NAMES } from './user-labels.ts'

const MARKS = {
  active: { tone: 'good', mark: 'check' },
  invited: { tone: 'info', mark: 'wait' },
  off: { tone: 'mute', mark: 'pause' },
} as const

/** Whether a person can sign in, as mark and word. */
export function UserStatus({ state, isPill = false }: { state: User['state']; isPill?: boolean }) {
  return (
    <Status {...MARKS[state]} isPill={isPill}>
      {STATE_NAMES[state]}
    </Status>
  )
}
