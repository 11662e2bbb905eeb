import type { Mail } from '#contract/mail/outbox.ts'
import { Status } from '#web/ui/Status.tsx'
import { STATE_NAMES } from './mail-words.ts'

const LOOKS = {
  waiting: { tone: 'info', mark: 'wait' },
  kept: { tone: 'warn', mark: 'pause' },
  sent: { tone: 'good', mark: 'check' },
  failed: { tone: 'bad', mark: 'cross' },
} as const

/** How far a mail came. */
export function MailState({ of, isPill = false }: { of: Mail['state']; isPill?: boolean }) {
  return (
    <Status {...LOOKS[of]} isPill={isPill}>
      {STATE_NAMES[of]}
    </Status>
  )
}
