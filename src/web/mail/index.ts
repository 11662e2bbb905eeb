// The mails of the product as people see them: the outbox, and the words of a mail for whoever shows one.
// Not here: who is mailed and why. The screens that cause a mail say so themselves.
// Rules: contract/mail/outbox/outbox.ts. What is secret is covered until somebody asks for it, and that is noted.
export { CopyLink } from './CopyLink.tsx'
export { MailText } from './MailText.tsx'
