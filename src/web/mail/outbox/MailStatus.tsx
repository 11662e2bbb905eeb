import type { Mail } from '#contract/mail/outbox/outbox.ts'
import { WAITS_IN_COPY } from '#contract/restored-copy.ts'
import { useRestoredCopy } from '#web/session/use-restored-copy.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { describeNext, OUTCOME_NAMES, STATUS_NAMES } from './mail-labels.ts'

const LOOKS = {
  waiting: { tone: 'info', mark: 'wait' },
  kept: { tone: 'warn', mark: 'pause' },
  sent: { tone: 'good', mark: 'check' },
  failed: { tone: 'bad', mark: 'cross' },
} as const

/** The status of an email. */
export function MailStatus({ of, isPill = false }: { of: Mail['state']; isPill?: boolean }) {
  const isHeld = useRestoredCopy() && of === 'waiting'
  return (
    <Status {...LOOKS[isHeld ? 'kept' : of]} isPill={isPill}>
      {isHeld ? WAITS_IN_COPY : STATUS_NAMES[of]}
    </Status>
  )
}

/** When an unsent email is tried next, or that it waits. */
export function NextAttempt({ mail }: { mail: Mail }) {
  const isHeld = useRestoredCopy() && mail.state === 'waiting'
  return isHeld ? 'Not sent yet' : describeNext(mail)
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
