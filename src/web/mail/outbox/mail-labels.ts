import type { Mail } from '#contract/mail/outbox/outbox.ts'

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
