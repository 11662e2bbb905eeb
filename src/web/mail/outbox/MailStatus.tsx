import type { Mail } from '#contract/mail/outbox/outbox.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { OUTCOME_NAMES, STATUS_NAMES } from './mail-labels.ts'

const LOOKS = {
  waiting: { tone: 'info', mark: 'wait' },
  kept: { tone: 'warn', mark: 'pause' },
  sent: { tone: 'good', mark: 'check' },
  failed: { tone: 'bad', mark: 'cross' },
} as const

/** The status of an email. */
export function MailStatus({ of, isPill = false }: { of: Mail['state']; isPill?: boolean }) {
  return (
    <Status {...LOOKS[of]} isPill={isPill}>
      {STATUS_NAMES[of]}
    </Status>
  )
}

const OUTCOME_LOOKS = {
  delivered: { tone: 'good', mark: 'check' },
  opened: { tone: 'good', mark: 'check' },
  clicked: { tone: 'good', mark: 'check' },
  bounced: { tone: 'bad', mark: 'cross' },
  complained: { tone: 'bad', mark: 'alert' },
} as const

/** The latest delivery event of an email. */
export function MailOutcome({ of }: { of: NonNullable<Mail['outcome']> }) {
  return <Status {...OUTCOME_LOOKS[of]}>{OUTCOME_NAMES[of]}</Status>
}
