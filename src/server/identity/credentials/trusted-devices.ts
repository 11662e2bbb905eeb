import { randomBytes } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { TRUST_DAYS, type TrustedDevice } from '#contract/identity/second-factor/second-factor.ts'
import type { DB } from '#server/database/schema.ts'
import type { Visit } from '#server/http/actor.ts'
import type { UserRow } from './factor-state.ts'
import { fingerprintOf } from './tokens.ts'

const DAY_SECONDS = 86_400

/**
 * A later password change ends the trust, because someone who knew the old password may be using the device.
 */
const isGood = sql`d.expires_at > app_now() and exists (select from iam.credentials c
  where c.customer_id = d.customer_id and c.user_id = d.user_id and c.changed_at <= d.created_at)`

/** Whether the user trusts the calling browser. Updates when it was last used. */
export async function isTrusted(iam: Kysely<DB>, visit: Visit, of: UserRow): Promise<boolean> {
  if (visit.device === null) return false
  const { rows } = await sql<{ id: string }>`
    update iam.trusted_devices d set last_used_at = app_now()
    where d.token_hash = ${fingerprintOf(visit.device)} and d.customer_id = ${of.customerId} and d.user_id = ${of.userId}
      and ${isGood}
    returning d.id`.execute(iam)
  return rows.length > 0
}

/**
 * Trusts the calling browser for 30 days. It gets a new secret each time, shared by all users who trust it,
 * so that a secret planted by someone else becomes worthless.
 */
export async function trustDevice(iam: Kysely<DB>, visit: Visit, of: UserRow): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  const before = visit.device === null ? null : fingerprintOf(visit.device)
  await sql`
    with own as (
      delete from iam.trusted_devices
      where token_hash = ${before}::bytea and customer_id = ${of.customerId} and user_id = ${of.userId}
    ), others as (
      update iam.trusted_devices set token_hash = ${fingerprintOf(secret)}
      where token_hash = ${before}::bytea and not (customer_id = ${of.customerId} and user_id = ${of.userId})
    )
    insert into iam.trusted_devices (customer_id, user_id, token_hash, user_agent, ip, expires_at)
    values (${of.customerId}, ${of.userId}, ${fingerprintOf(secret)}, ${visit.userAgent.slice(0, 300)}, ${visit.ip},
      app_now() + ${TRUST_DAYS} * interval '1 day')`.execute(iam)
  visit.setDeviceCookie(secret, TRUST_DAYS * DAY_SECONDS)
}

/** A user's trusted devices, most recently used first. */
export async function listDevices(iam: Kysely<DB>, visit: Visit, of: UserRow): Promise<TrustedDevice[]> {
  const own = visit.device === null ? null : fingerprintOf(visit.device)
  const { rows } = await sql<TrustedDevice>`
    select d.id, coalesce(d.user_agent, '') as user_agent, coalesce(d.ip, '') as ip, d.created_at as trusted_at,
      d.last_used_at, d.expires_at as until, coalesce(d.token_hash = ${own}::bytea, false) as is_this
    from iam.trusted_devices d
    where d.customer_id = ${of.customerId} and d.user_id = ${of.userId} and ${isGood}
    order by d.last_used_at desc, d.id`.execute(iam)
  return rows
}

/** @returns whether it was a device of the user. */
export async function forgetDevice(iam: Kysely<DB>, of: UserRow, id: string): Promise<boolean> {
  const gone = await iam
    .deleteFrom('iam.trustedDevices')
    .where('id', '=', id)
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}
