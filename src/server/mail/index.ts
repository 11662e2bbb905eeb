// Mail owns the outbox: every mail the product writes, its sealed words, and its way to the mail server.
// It does not own why a mail is written nor whom it may be shown to: identity says so.
// Its rules come from docs/decisions; which mails there are, from the specification, sections 5 and 7.
export { countMails, oldestRefusedMail } from './count-mails.ts'
export { openMail } from './open-mail.ts'
export { makeOutbox, sealedMails, type Outbox } from './outbox.ts'
export { outboxHandlers, type AdmitReader } from './outbox-handlers.ts'
export { countFailedMails, mailSource } from './outbox-list.ts'
