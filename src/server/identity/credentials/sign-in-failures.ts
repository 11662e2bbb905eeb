import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '#server/database/schema.ts'

const FREE_FAILURES = 5
export const FIRST_WAIT_SECONDS = 30
const LONGEST_WAIT_SECONDS = 900
export const FORGOTTEN_AFTER = '12 hours'

/**
 * When the next guess is allowed after this many failures: 30 s after five, then doubling up to 15 min; null
 * before.
 */
export const waitAfter = (failures: RawBuilder<number>) => sql`case when ${failures} >= ${FREE_FAILURES} then
  app_now() + least(${FIRST_WAIT_SECONDS} * power(2, least(${failures} - ${FREE_FAILURES}, 20)),
    ${LONGEST_WAIT_SECONDS}) * interval '1 second' end`

/** Whether an account must wait after too many failures. */
export async function mustAccountWait(iam: Kysely<DB>, name: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select blocked_until > app_now() as waits from iam.sign_in_failures
    where kind = 'account' and key = ${name}`.execute(iam)
  return rows[0]?.waits ?? false
}

/**
 * Counts a failure of an account, whether the account exists or not. After five it waits 30 s, then doubling
 * up to 15 min, never permanently. Failures older than twelve hours are forgotten. Attempts during a wait
 * don't extend it.
 */
export async function countAccountFailure(iam: Kysely<DB>, name: string): Promise<void> {
  await sql`
    insert into iam.sign_in_failures as f (kind, key, failures) values ('account', ${name}, 1)
    on conflict (kind, key) do update set
      failures = case when f.last_at < app_now() - ${FORGOTTEN_AFTER}::interval then 1 else f.failures + 1 end,
      blocked_until = case
        when f.last_at < app_now() - ${FORGOTTEN_AFTER}::interval then null
        else ${waitAfter(sql`f.failures + 1`)} end,
      last_at = app_now()`.execute(iam)
}

/** Clears an account's failures after a correct password. */
export async function clearAccountFailures(iam: Kysely<DB>, name: string): Promise<void> {
  await iam.deleteFrom('iam.signInFailures').where('kind', '=', 'account').where('key', '=', name).execute()
}

/** What counts as one address: an IPv4 address, or the /64 network assigned to one IPv6 customer. */
export function addressKey(ip: string): string {
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(ip) ?? []
  if (mapped !== undefined || !ip.includes(':')) return mapped ?? ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  return [...groups, ...Array.from({ length: missing }, () => '0')].slice(0, 4).join(':')
}

/** Seconds that an address must wait after `perMinute` failures within a minute; null if it needn't. */
export async function addressWait(iam: Kysely<DB>, ip: string, perMinute: number): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(1, ceil(60 - extract(epoch from app_now() - window_started_at)))::int as seconds
    from iam.sign_in_failures
    where kind = 'address' and key = ${ip} and failures >= ${perMinute}
      and window_started_at > app_now() - interval '1 minute'`.execute(iam)
  return rows[0]?.seconds ?? null
}

/** Counts a failed sign-in from an address within the current minute. */
export async function countAddressFailure(iam: Kysely<DB>, ip: string): Promise<void> {
  await sql`
    insert into iam.sign_in_failures as f (kind, key, failures) values ('address', ${ip}, 1)
    on conflict (kind, key) do update set
      failures = case when f.window_started_at < app_now() - interval '1 minute' then 1 else f.failures + 1 end,
      window_started_at = case when f.window_started_at < app_now() - interval '1 minute' then app_now() else f.window_started_at end,
      last_at = app_now()`.execute(iam)
}
