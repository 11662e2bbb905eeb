import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import { KNOWN_DAYS } from '../credentials/known-browsers.ts'

/**
 * Deletes sessions and links that ended a month ago, and expired failures, counts, codes, devices and
 * browsers. Safe to run at any time, also concurrently.
 */
export async function sweepSessions(iam: Kysely<DB>): Promise<{ sessions: number; failures: number }> {
  const sessions = await iam
    .deleteFrom('iam.sessions')
    .where(sql<boolean>`least(ends_at, coalesce(revoked_at, ends_at)) < app_now() - interval '30 days'`)
    .executeTakeFirst()
  const failures = await iam
    .deleteFrom('iam.signInFailures')
    .where(sql<boolean>`last_at < app_now() - interval '12 hours'`)
    .executeTakeFirst()
  await iam
    .deleteFrom('iam.requestCounts')
    .where(sql<boolean>`window_started_at < app_now() - interval '12 hours'`)
    .execute()
  await iam
    .deleteFrom('iam.usedNonces')
    .where(sql<boolean>`expires_at < app_now()`)
    .execute()
  // For a month, an old link still explains why it no longer works.
  await iam
    .deleteFrom('iam.passwordLinks')
    .where(sql<boolean>`expires_at < app_now() - interval '30 days'`)
    .execute()
  await iam
    .deleteFrom('iam.mailCodes')
    .where(sql<boolean>`expires_at < app_now() - interval '1 day'`)
    .execute()
  await iam
    .deleteFrom('iam.trustedDevices')
    .where(sql<boolean>`expires_at < app_now()`)
    .execute()
  await iam
    .deleteFrom('iam.knownBrowsers')
    .where(sql<boolean>`last_used_at < app_now() - ${KNOWN_DAYS} * interval '1 day'`)
    .execute()
  // Authenticators that were never confirmed.
  await iam
    .deleteFrom('iam.authenticators')
    .where(sql<boolean>`confirmed_at is null and created_at < app_now() - interval '1 day'`)
    .execute()
  await sql`select forget_sign_ins()`.execute(iam)
  return { sessions: Number(sessions.numDeletedRows), failures: Number(failures.numDeletedRows) }
}
