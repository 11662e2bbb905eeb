import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** Two years and a month, so that a month can be compared with that of the year before. */
const CLICK_DAYS_KEPT = 761
const UNKNOWN_DAYS_KEPT = 90

/** Deletes old clicks, also those of short URLs that were deleted, and keys that nobody opens anymore. */
export async function sweepShortUrls(queue: Kysely<DB>): Promise<void> {
  await sql`delete from short_url_clicks where day < (app_now() - ${CLICK_DAYS_KEPT} * interval '1 day')::date`.execute(
    queue,
  )
  await sql`delete from unknown_short_keys where last_at < app_now() - ${UNKNOWN_DAYS_KEPT} * interval '1 day'`.execute(
    queue,
  )
}
