import type { FoundUser } from '#contract/customers/customers/customers.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const LOOKS = {
  active: { tone: 'good', mark: 'check', label: 'Active' },
  invited: { tone: 'info', mark: 'wait', label: 'Invited' },
  off: { tone: 'mute', mark: 'dash', label: 'Deactivated' },
} as const

/** The user's status. */
export function UserStatus({ of }: { of: FoundUser['state'] }) {
  const { label, ...look } = LOOKS[of]
  return <Status {...look}>{label}</Status>
}
