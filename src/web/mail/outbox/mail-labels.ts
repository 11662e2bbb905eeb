import type { Mail } from '#contract/mail/outbox/outbox.ts'

export const STATE_NAMES: Record<Mail['state'], string> = {
  waiting: 'Waiting',
  kept: 'Kept here',
  sent: 'Sent',
  failed: 'Failed',
}

/** Why mails are kept, and what to do about it. */
export const KEPT_REASON =
  'No mail server is set up, so mails are kept here. Make an email handler that sends the default, or set FORECOURT_SMTP_URL and FORECOURT_MAIL_FROM.'

/** What was heard of a mail since it was sent. */
export const OUTCOME_NAMES: Record<NonNullable<Mail['outcome']>, string> = {
  delivered: 'Delivered',
  opened: 'Opened',
  clicked: 'Clicked',
  bounced: 'Bounced',
  complained: 'Called spam',
}
