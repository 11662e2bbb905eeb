import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** When the oldest queued email with a failed attempt was created, across customers; null if there is none. */
export async function oldestRefusedMail(iam: Kysely<DB>): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`
    select min(created_at) as since from outbox_mails where state = 'waiting' and error is not null`.execute(
    iam,
  )
  return rows[0]?.since ?? null
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
