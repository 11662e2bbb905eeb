import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** When the oldest mail that waits because an attempt failed was written, of any customer; null where none does. */
export async function oldestRefusedMail(iam: Kysely<DB>): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`
    select min(created_at) as since from outbox_mails where state = 'waiting' and error is not null`.execute(
    iam,
  )
  return rows[0]?.since ?? null
}

/** When the oldest mail that waits to be sent was written, of any customer; null where none does. */
export async function oldestWaitingMail(iam: Kysely<DB>): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`
    select min(created_at) as since from outbox_mails where state = 'waiting'`.execute(iam)
  return rows[0]?.since ?? null
}

/** How many mails of all customers wait, and how many failed. */
export async function countMails(iam: Kysely<DB>): Promise<Record<'waiting' | 'failed', number>> {
  const { rows } = await sql<Record<'waiting' | 'failed', number>>`
    select (select count(*) from outbox_mails where state = 'waiting')::int as waiting,
      (select count(*) from outbox_mails where state = 'failed')::int as failed`.execute(iam)
  return rows[0] ?? { waiting: 0, failed: 0 }
}
