import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** When the latest feed run and the latest channel run of any customer started, in seconds since 1970. */
export async function lastRuns(queue: Kysely<DB>): Promise<Record<string, number>> {
  const { rows } = await sql<{ what: string; at: number }>`
    select what, extract(epoch from at)::float8 as at from last_runs() where at is not null`.execute(queue)
  return Object.fromEntries(rows.map(({ what, at }) => [what, at]))
}
