import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** When the oldest waiting job of any customer was queued; null if none waits. */
export async function oldestWaitingJob(queue: Kysely<DB>): Promise<string | null> {
  const { rows } = await sql<{ since: string | null }>`
    select min(created_at) as since from jobs where state = 'waiting'`.execute(queue)
  return rows[0]?.since ?? null
}

/** The number of waiting, running and failed jobs of all customers. */
export async function countJobs(
  queue: Kysely<DB>,
): Promise<Record<'waiting' | 'running' | 'failed', number>> {
  const { rows } = await sql<Record<'waiting' | 'running' | 'failed', number>>`
    select (count(*) filter (where state = 'waiting'))::int as waiting,
      (count(*) filter (where state = 'running'))::int as running,
      (count(*) filter (where state = 'failed'))::int as failed from jobs`.execute(queue)
  return rows[0] ?? { waiting: 0, running: 0, failed: 0 }
}
