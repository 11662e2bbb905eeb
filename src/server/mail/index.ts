// Mail owns the outbox: every mail the product writes, its sealed words, its way out by a customer's email handler or
// the installation's mail server, what is heard of it since, and the addresses that are written to no more.
// It does not own why a mail is written nor whom it may be shown to: identity says so.
// Its rules come from docs/decisions; which mails there are, from the specification, sections 5 and 7.
export { countMails, oldestRefusedMail, oldestWaitingMail } from './outbox/count-mails.ts'
export { emailHandlerHandlers } from './handlers/handlers.ts'
export { handlerSource } from './handlers/handler-list.ts'
export { openMail } from './outbox/open-mail.ts'
export { sealedHandlers } from './handlers/handler-row.ts'
export { makeOutbox, sealedMails, type Outbox } from './outbox/outbox.ts'
export { outboxHandlers, type AdmitReader } from './outbox/outbox-handlers.ts'
export { countFailedMails, mailSource } from './outbox/outbox-list.ts'
export { suppressionHandlers, suppressionSource } from './suppressed/suppressions.ts'
export { templateHandlers } from './templates/templates.ts'
export { templateSource } from './templates/template-list.ts'
export { mailEventHandlers } from './outbox/take-event.ts'
