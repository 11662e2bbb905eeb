import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { listQuery, queriedList } from '#contract/queried-list.ts'
import { MAIL_OUTCOMES } from './mail-events.ts'
import { MAIL_LIST } from './mail-list.ts'

/**
 * `waiting` goes out with the next run; `kept` stays here because no mail server is set up; `sent` was taken by the
 * mail server; `failed` was refused or given up.
 */
export const MAIL_STATES = ['waiting', 'kept', 'sent', 'failed'] as const

/** One mail the product wrote. Its words are not in the list: they may hold a link that opens an account. */
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
  /** When the next attempt is due; null when none is. */
  nextAttemptAt: Instant.nullable(),
  /** The furthest that was heard of it since it was taken; null where nothing was. */
  outcome: z.enum(MAIL_OUTCOMES).nullable(),
})
export type Mail = z.infer<typeof Mail>

/** With the words, in which what is secret is covered. */
export const OpenMail = Mail.extend({
  text: z.string(),
  /** Words are covered; `reveal` shows them to whoever may. */
  hasSecret: z.boolean(),
  /** Which email handler took it; null where the installation's mail server did, or it is gone. */
  handlerName: z.string().nullable(),
  /** What its provider told of it, newest first. */
  events: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(MAIL_OUTCOMES),
      at: Instant,
      /** What the other side said, of a bounce. */
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
    summary: 'The mails of the customer, searched by recipient and subject, newest first.',
    input: listQuery(MAIL_LIST),
    output: queriedList(Mail),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/administration/outbox-mail/{id}',
    allow: can(Func.emailHandlers, Opr.read),
    summary: 'One mail with its words; a link that opens an account is covered.',
    input: z.strictObject({ id: Id }),
    output: OpenMail,
  }),
  reveal: endpoint({
    method: 'POST',
    path: '/api/administration/reveal-mail',
    allow: can(Func.users, Opr.administer),
    summary:
      'The words of a mail with its link, for whoever may administer its recipient. Noted in the audit log.',
    input: z.strictObject({ id: Id }),
    output: OpenMail,
  }),
  sendAgain: endpoint({
    method: 'POST',
    path: '/api/administration/send-mail-again',
    allow: can(Func.emailHandlers, Opr.execute),
    summary: 'Puts a mail that failed or was kept back in line.',
    input: z.strictObject({ id: Id }),
    output: Mail,
  }),
}
