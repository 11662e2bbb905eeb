// Mail owns the outbox: every mail the product writes, its sealed words, its way out by a customer's email handler or
// the installation's mail server, what is heard of it since, and the addresses that are written to no more.
// It does not own why a mail is written nor whom it may be shown to: identity says so.
// Its rules come from docs/decisions; which mails there are, from the specification, sections 5 and 7.
export { countMails, oldestRefusedMail, oldestWaitingMail } from './count-mails.ts'
export { emailHandlerHandlers } from './handlers.ts'
export { handlerSource } from './handlers-list.ts'
export { openMail } from './open-mail.ts'
export { sealedHandlers } from './handler-row.ts'
export { makeOutbox, sealedMails, type Outbox } from './outbox.ts'
export { outboxHandlers, type AdmitReader } from './outbox-handlers.ts'
export { countFailedMails, mailSource } from './outbox-list.ts'
export { suppressionHandlers, suppressionSource } from './suppressions.ts'
export { templateHandlers } from './templates.ts'
export { templateSource } from './templates-list.ts'
export { mailEventHandlers } from './take-event.ts'
