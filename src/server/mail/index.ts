// Mail owns the outbox: every email with its encrypted text, delivery through a customer's email handler or the
// installation's mail server, delivery events, and suppressed addresses.
// It does not own why an email is sent or who can read it: identity decides that.
// Its rules come from docs/decisions; which emails exist, from the specification, sections 5 and 7.
export { countMails, oldestWaitingMail, readMailStanding } from './outbox/count-mails.ts'
export { emailHandlerHandlers } from './handlers/handlers.ts'
export { handlerSource } from './handlers/handler-list.ts'
export { openMail } from './outbox/open-mail.ts'
export { sealedHandlers } from './handlers/handler-row.ts'
export { makeOutbox, sealedMails, type Outbox } from './outbox/outbox.ts'
export { outboxHandlers, type AuthorizeReader } from './outbox/outbox-handlers.ts'
export { countFailedMails, mailSource } from './outbox/outbox-list.ts'
export { suppressionHandlers, suppressionSource } from './suppressed/suppressions.ts'
export { templateHandlers } from './templates/templates.ts'
export { templateSource } from './templates/template-list.ts'
export { mailEventHandlers } from './outbox/take-event.ts'
