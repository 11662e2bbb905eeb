import type { Mail } from '#contract/mail/outbox.ts'

export const STATE_NAMES: Record<Mail['state'], string> = {
  waiting: 'Waiting',
  kept: 'Kept here',
  sent: 'Sent',
  failed: 'Failed',
}

/** Why mails are kept, and what to do about it. */
export const KEPT_REASON =
  'No mail server is set up, so mails are kept here. Set FORECOURT_SMTP_URL and FORECOURT_MAIL_FROM, and start again.'
