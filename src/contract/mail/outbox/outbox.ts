import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { MAIL_OUTCOMES } from './mail-events.ts'
import { MAIL_LIST } from './mail-list.ts'

/**
 * `waiting`: queued for the next run. `kept`: not sent, because no mail server is set up. `sent`: accepted by the mail
 * server. `failed`: rejected, or given up after too many attempts.
 */
export const MAIL_STATES = ['waiting', 'kept', 'sent', 'failed'] as const

/** An email the product wrote, without its text, which may contain a link that gives access to an account. */
export const Mail = z.object({
  id: z.string(),
  toName: z.string(),
  toEmail: z.string(),
  subject: z.string(),
  state: z.enum(MAIL_STATES),
  attempts: z.number().int(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  createdAt: Instant,
  sentAt: Instant.nullable(),
  /** When the next attempt is due; null if none is. */
  nextAttemptAt: Instant.nullable(),
  /** The most advanced delivery event so far; null if there are none. */
  outcome: z.enum(MAIL_OUTCOMES).nullable(),
})
export type Mail = z.infer<typeof Mail>

/** With the text, in which secrets are masked. */
export const OpenMail = Mail.extend({
  text: z.string(),
  /** Part of the text is masked; `reveal` shows it to those allowed to see it. */
  hasSecret: z.boolean(),
  /** The email handler that sent it; null if the installation's mail server did, or the handler was deleted. */
  handlerName: z.string().nullable(),
  /** Delivery events reported by its provider, newest first. */
  events: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(MAIL_OUTCOMES),
      at: Instant,
      /** The recipient server's message, for a bounce. */
      detail: z.string().nullable(),
    }),
  ),
})
export type OpenMail = z.infer<typeof OpenMail>

export const outbox = {
  list: endpoint({
    method: 'GET',
    path: '/api/administration/get-outbox',
    allow: can(Func.emailHandlers, Opr.list),
    summary: 'Lists the emails of the customer, newest first. Searches recipient and subject.',
    input: listQuery(MAIL_LIST),
    output: queriedList(Mail),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/outbox-mail/{id}',
    allow: can(Func.emailHandlers, Opr.read),
    summary: 'Returns one email with its text. Links and codes that give access to an account are masked.',
    input: z.strictObject({ id: Id }),
    output: OpenMail,
  }),
  reveal: endpoint({
    method: 'POST',
    path: '/api/administration/reveal-mail',
    allow: can(Func.users, Opr.administer),
    summary:
      'Returns the text of an email including its link, for those who can administer its recipient. Recorded in the audit log.',
    input: z.strictObject({ id: Id }),
    output: OpenMail,
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/api/administration/send-mail-again',
    allow: can(Func.emailHandlers, Opr.execute),
    summary: 'Queues an email that failed or was not sent.',
    input: z.strictObject({ id: Id }),
    output: Mail,
    changes: ['/api/administration/get-outbox', '/api/administration/outbox-mail/{id}'],
  }),
}
