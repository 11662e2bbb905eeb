import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Visit } from '#server/http/actor.ts'
import type { UserRow } from './factor-state.ts'
import { FORGOTTEN_AFTER, waitAfter } from './sign-in-failures.ts'
import { fingerprintOf } from './tokens.ts'

/** How long a browser stays known after its last sign-in. Browsers keep cookies for at most 400 days. */
export const KNOWN_DAYS = 365
/** Per user; the least recently used ones are deleted first. */
const MAX_BROWSERS = 50
const DAY_SECONDS = 86_400

/**
 * Whether the user signed in on the calling browser before, and how many seconds it must wait after its own failures; null
 * if it needn't. Null if the browser isn't known.
 */
export async function findKnownBrowser(
  iam: Kysely<DB>,
  visit: Visit,
  of: UserRow,
): Promise<{ wait: number | null } | null> {
  if (visit.browser === null) return null
  const { rows } = await sql<{ wait: number | null }>`
    select case when blocked_until > app_now()
      then greatest(1, ceil(extract(epoch from blocked_until - app_now())))::int end as wait from iam.known_browsers
    where token_hash = ${fingerprintOf(visit.browser)} and customer_id = ${of.customerId} and user_id = ${of.userId}
      and last_used_at > app_now() - ${KNOWN_DAYS} * interval '1 day'`.execute(iam)
  return rows[0] ?? null
}

/** Whether any user signed in on the calling browser before. */
export async function isKnownBrowser(iam: Kysely<DB>, { browser }: Visit): Promise<boolean> {
  if (browser === null) return false
  const { rows } = await sql`select from iam.known_browsers where token_hash = ${fingerprintOf(browser)}
    and last_used_at > app_now() - ${KNOWN_DAYS} * interval '1 day' limit 1`.execute(iam)
  return rows.length > 0
}

/** Counts a failure on a known browser. It waits as a network does: see `countAccountFailure`. */
export async function countBrowserFailure(iam: Kysely<DB>, visit: Visit, of: UserRow): Promise<void> {
  if (visit.browser === null) return
  const isForgotten = sql`coalesce(last_failure_at < app_now() - ${FORGOTTEN_AFTER}::interval, false)`
  await sql`
    update iam.known_browsers set
      failures = case when ${isForgotten} then 1 else failures + 1 end,
      blocked_until = case when not ${isForgotten} then ${waitAfter(sql`failures + 1`)} end,
      last_failure_at = app_now()
    where token_hash = ${fingerprintOf(visit.browser)} and customer_id = ${of.customerId}
      and user_id = ${of.userId}`.execute(iam)
}

/**
 * Records a sign-in on the calling browser, and clears the user's failures on it. The browser gets a new
 * secret each time, shared by all users who sign in there, so that a secret planted by someone else becomes
 * worthless.
 */
export async function rememberBrowser(iam: Kysely<DB>, visit: Visit, of: UserRow): Promise<void> {
  if (!visit.isWebClient) return
  const secret = randomBytes(32).toString('base64url')
  const before = visit.browser === null ? null : fingerprintOf(visit.browser)
  await sql`
    with own as (
      delete from iam.known_browsers
      where token_hash = ${before}::bytea and customer_id = ${of.customerId} and user_id = ${of.userId}
    ), others as (
      update iam.known_browsers set token_hash = ${fingerprintOf(secret)}
      where token_hash = ${before}::bytea and not (customer_id = ${of.customerId} and user_id = ${of.userId})
    ), oldest as (
      delete from iam.known_browsers where customer_id = ${of.customerId} and user_id = ${of.userId}
        and token_hash in (select token_hash from iam.known_browsers
          where customer_id = ${of.customerId} and user_id = ${of.userId} and token_hash is distinct from ${before}::bytea
          order by last_used_at desc offset ${MAX_BROWSERS - 1})
    )
    insert into iam.known_browsers (token_hash, customer_id, user_id)
    values (${fingerprintOf(secret)}, ${of.customerId}, ${of.userId})`.execute(iam)
  visit.setBrowserCookie(secret, KNOWN_DAYS * DAY_SECONDS)
}

/** Clears the failures on a user's known browsers, after their password was changed. */
export async function clearBrowserFailures(iam: Kysely<DB>, of: UserRow): Promise<void> {
  await iam
    .updateTable('iam.knownBrowsers')
    .set({ failures: 0, blockedUntil: null })
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .where('failures', '>', 0)
    .execute()
}
