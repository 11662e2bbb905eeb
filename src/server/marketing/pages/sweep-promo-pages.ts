import { type Kysely, sql } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** Longer than a deletion can be undone. */
const DAYS_KEPT = 90

/** Deletes the versions and former addresses of pages that were deleted long ago. */
export async function sweepPromoPages(queue: Kysely<DB>): Promise<void> {
  const isOld = sql`deleted_at < app_now() - ${DAYS_KEPT} * interval '1 day'`
  await sql`delete from promo_page_versions where ${isOld}`.execute(queue)
  await sql`delete from promo_page_addresses where ${isOld}`.execute(queue)
}
