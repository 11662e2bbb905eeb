import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** What became of the emails of a customer. */
type MailStanding = {
  isPlatform: boolean
  /** The default email handler; null: the installation's mail server sends. */
  handler: { name: string; kind: 'postmark' | 'smtp' | 'outbox' } | null
  /** When the oldest queued email with a failed attempt was created; null if there is none. */
  refusedSince: string | null
  lastSentAt: string | null
  /** How many other customers have queued emails with a failed attempt. */
  othersRefused: number
}

/** @param customerId whose emails: what happens to those of others is only a number, for platform staff. */
export async function readMailStanding(iam: Kysely<DB>, customerId: string): Promise<MailStanding> {
  const { rows } = await sql<MailStanding>`
    select c.is_platform,
      (select json_build_object('name', h.name, 'kind', h.kind) from email_handlers h
        where h.customer_id = c.id and h.is_default) as handler,
      (select min(m.created_at) from outbox_mails m
        where m.customer_id = c.id and m.state = 'waiting' and m.error is not null) as refused_since,
      (select max(m.sent_at) from outbox_mails m where m.customer_id = c.id and m.state = 'sent') as last_sent_at,
      case when c.is_platform then (select count(distinct m.customer_id)::int from outbox_mails m
        where m.customer_id <> c.id and m.state = 'waiting' and m.error is not null) else 0 end as others_refused
    from customers c where c.id = ${customerId}`.execute(iam)
  if (rows[0] === undefined) throw new Error(`There is no customer ${customerId}.`)
  return rows[0]
}

/** When the oldest queued email was created, across customers; null if there is none. */
export async function oldestWaitingMail(iam: Kysely<DB>): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`
    select min(created_at) as since from outbox_mails where state = 'waiting'`.execute(iam)
  return rows[0]?.since ?? null
}

/** The number of queued and failed emails, across customers. */
export async function countMails(iam: Kysely<DB>): Promise<Record<'waiting' | 'failed', number>> {
  const { rows } = await sql<Record<'waiting' | 'failed', number>>`
    select (select count(*) from outbox_mails where state = 'waiting')::int as waiting,
      (select count(*) from outbox_mails where state = 'failed')::int as failed`.execute(iam)
  return rows[0] ?? { waiting: 0, failed: 0 }
}
