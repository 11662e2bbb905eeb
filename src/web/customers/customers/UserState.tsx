import type { FoundUser } from '#contract/customers/customers/customers.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const LOOKS = {
  active: { tone: 'good', mark: 'check', word: 'Active' },
  invited: { tone: 'info', mark: 'wait', word: 'Invited' },
  off: { tone: 'mute', mark: 'dash', word: 'Switched off' },
} as const

/** Whether a person may sign in, and whether they ever could. */
export function UserState({ of }: { of: FoundUser['state'] }) {
  const { word, ...look } = LOOKS[of]
  return <Status {...look}>{word}</Status>
}
