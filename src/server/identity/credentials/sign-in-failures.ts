import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '#server/database/schema.ts'

const FREE_FAILURES = 5
export const FIRST_WAIT_SECONDS = 30
const LONGEST_WAIT_SECONDS = 900
export const FORGOTTEN_AFTER = '12 hours'

/**
 * When the next guess is allowed after this many failures: 30 s after the free ones, then doubling up to 15 min; null
 * before.
 */
export const waitAfter = (
  failures: RawBuilder<number>,
  free = FREE_FAILURES,
) => sql`case when ${failures} >= ${free} then
  app_now() + least(${FIRST_WAIT_SECONDS} * power(2, least(${failures} - ${free}, 20)),
    ${LONGEST_WAIT_SECONDS}) * interval '1 second' end`

/** After this number of failures within twelve hours, from at least this number of networks, an account waits as a whole. */
const MOST_FAILURES = 100
const FEWEST_NETWORKS = 10

/** A guess at accounts, by the names under which failures are counted, from a network. */
export type GuessedAt = Readonly<{ names: readonly string[]; network: string }>

/**
 * Seconds to wait before another guess, for each name that has to. Failures of one network only make that network wait;
 * those of many make all wait.
 */
export async function accountWaits(iam: Kysely<DB>, of: GuessedAt): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ name: string; seconds: number }>`
    select n.name, greatest(1, ceil(extract(epoch from max(f.blocked_until) - app_now())))::int as seconds
    from unnest(${[...of.names]}::text[]) n (name)
    join iam.sign_in_failures f on (f.kind, f.key) in (('account', n.name), ('network', ${networkKey(sql`n.name`, of.network)}))
    where f.blocked_until > app_now() group by n.name`.execute(iam)
  return new Map(rows.map(({ name, seconds }) => [name, seconds]))
}

/**
 * Counts a failure of accounts, whether they exist or not. After five from one network, that network waits 30 s, then doubling
 * up to 15 min, never permanently. After a hundred from ten networks, so does the account. Failures older than twelve hours are
 * forgotten. Attempts during a wait don't extend it.
 */
export async function countAccountFailure(iam: Kysely<DB>, { names, network }: GuessedAt): Promise<void> {
  if (names.length === 0) return
  // In order of the names, so that two never wait for each other in a circle.
  const guessed = sql`unnest(${[...names].toSorted()}::text[]) n (name)`
  await sql`
    with of_network as (
      insert into iam.sign_in_failures as f (kind, key, failures)
      select 'network', ${networkKey(sql`n.name`, network)}, 1 from ${guessed}
      on conflict (kind, key) do update set ${failureOfNetwork}
    )
    insert into iam.sign_in_failures as f (kind, key, failures, networks)
    select 'account', n.name, 1, array[${network}::text] from ${guessed}
    on conflict (kind, key) do update set ${failureOfAccount(network)}`.execute(iam)
}

const isOld = sql`f.last_at < app_now() - ${FORGOTTEN_AFTER}::interval`
const isPast = sql`f.window_started_at < app_now() - ${FORGOTTEN_AFTER}::interval`

/** What a failure changes in the row `f` of a network. */
export const failureOfNetwork = sql`
  failures = case when ${isOld} then 1 else f.failures + 1 end,
  blocked_until = case when not ${isOld} then ${waitAfter(sql`f.failures + 1`)} end,
  last_at = app_now()`

/** What a failure from a network changes in the row `f` of the whole account. */
export function failureOfAccount(network: string): RawBuilder<unknown> {
  const known = sql`case when ${isPast} then '{}' else f.networks end`
  const networks = sql`case when ${network} = any (${known}) or cardinality(${known}) >= ${FEWEST_NETWORKS} then ${known}
    else ${known} || ${network}::text end`
  return sql`
    failures = case when ${isPast} then 1 else f.failures + 1 end,
    window_started_at = case when ${isPast} then app_now() else f.window_started_at end,
    networks = ${networks},
    blocked_until = case when not ${isPast} and cardinality(${networks}) >= ${FEWEST_NETWORKS}
      then ${waitAfter(sql`f.failures + 1`, MOST_FAILURES)} end,
    last_at = app_now()`
}

/** Clears an account's failures of a network after a correct password there. What others tried still counts. */
export async function clearNetworkFailures(iam: Kysely<DB>, { names, network }: GuessedAt): Promise<void> {
  await sql`delete from iam.sign_in_failures f using unnest(${[...names]}::text[]) n (name)
    where f.kind = 'network' and f.key = ${networkKey(sql`n.name`, network)}`.execute(iam)
}

/** Clears all failures of an account, once it has another password. */
export async function clearAccountFailures(iam: Kysely<DB>, name: string): Promise<void> {
  await sql`delete from iam.sign_in_failures
    where (kind = 'account' and key = ${name}) or (kind = 'network' and starts_with(key, ${`${name}${SEPARATOR}`}))`.execute(
    iam,
  )
}

/** No name of a user contains it. */
const SEPARATOR = '\n'
const networkKey = (name: RawBuilder<unknown>, network: string) => sql`${name} || ${`${SEPARATOR}${network}`}`

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

/** How long to wait, for a sentence: "30 seconds", "4 minutes". */
export const formatWait = (seconds: number): string =>
  seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`
