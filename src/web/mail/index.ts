// Owns the email screens: outbox, handlers, templates and suppressed addresses, and the display of an email's text.
// Does not own why an email is sent: the screens that cause it do.
// Rules: contract/mail/outbox/outbox.ts. Secrets are masked until a user reveals them, which is recorded.
export { CopyLink } from './CopyLink.tsx'
export { MailText } from './MailText.tsx'
