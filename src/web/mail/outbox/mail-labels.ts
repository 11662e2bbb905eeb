import type { Mail } from '#contract/mail/outbox/outbox.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'

const time = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })

export const STATUS_NAMES: Record<Mail['state'], string> = {
  waiting: 'Queued',
  kept: 'Not sent',
  sent: 'Sent',
  failed: 'Failed',
}

/** Explains the status "Not sent". */
export const NOT_SENT_HELP = "Emails aren't going out. Add an email handler to send them."

/** Labels of delivery events. */
export const OUTCOME_NAMES: Record<NonNullable<Mail['outcome']>, string> = {
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Marked as spam',
}

/** When an unsent email is tried next: "Next at 2:05 PM", "Next on Nov 17". */
export function describeNext({ nextAttemptAt, state }: Mail, now = new Date()): string {
  if (nextAttemptAt === null) return state === 'waiting' ? 'Soon' : 'Not sent'
  const next = new Date(nextAttemptAt)
  const isToday = next.toDateString() === now.toDateString()
  return isToday ? `Next at ${time.format(next)}` : `Next on ${formatDay(nextAttemptAt, now)}`
}
