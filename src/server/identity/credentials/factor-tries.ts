import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Visit } from '#server/http/actor.ts'
import type { UserRow } from './factor-state.ts'
import { findKnownBrowser } from './known-browsers.ts'
import { addressKey, failureOfAccount, failureOfNetwork, FIRST_WAIT_SECONDS } from './sign-in-failures.ts'
import { clearRequests } from '../request-counts.ts'

/**
 * Where codes are asked for and entered. What others do who learned the password doesn't count on browsers on which the
 * user signed in before, nor in another network.
 */
export type FactorPlace = Readonly<{ isKnown: boolean; network: string }>

/** Where the caller is. */
export async function factorPlace(iam: Kysely<DB>, visit: Visit, of: UserRow): Promise<FactorPlace> {
  const known = await findKnownBrowser(iam, visit, of)
  return { isKnown: known !== null, network: addressKey(visit.ip) }
}

/** The key of an account, for what counts for all places together. */
export const accountKey = ({ customerId, userId }: UserRow): string => `${customerId}/${userId}`
/** The key of an account at a place. */
export const placeKey = (of: UserRow, { isKnown, network }: FactorPlace): string =>
  `${accountKey(of)}/${isKnown ? 'known' : network}`

/**
 * Counts an attempt at a user's second factor before the code is checked, so that concurrent attempts are
 * counted too. The fifth of a network starts a wait there of 30 s, as after wrong passwords, doubling up to 15 min. A hundred
 * from ten networks make the account wait, except on known browsers. A correct code clears those of its place.
 * @returns the seconds to wait, or null if the attempt is allowed.
 */
export async function countAttempt(iam: Kysely<DB>, of: UserRow, place: FactorPlace): Promise<number | null> {
  const wait = await claimAttempt(iam, {
    kind: 'factor network',
    key: placeKey(of, place),
    network: place.network,
    change: failureOfNetwork,
  })
  if (wait !== null || place.isKnown) return wait
  return claimAttempt(iam, {
    kind: 'factor',
    key: accountKey(of),
    network: place.network,
    change: failureOfAccount(place.network),
  })
}

type Attempt = { kind: string; key: string; network: string; change: RawBuilder<unknown> }

async function claimAttempt(
  iam: Kysely<DB>,
  { kind, key, network, change }: Attempt,
): Promise<number | null> {
  const { rows } = await sql<{ taken: boolean; seconds: number | null }>`
    with taken as (
      insert into iam.sign_in_failures as f (kind, key, failures, networks) values (${kind}, ${key}, 1, array[${network}::text])
      on conflict (kind, key) do update set ${change}
      where f.blocked_until is null or f.blocked_until <= app_now()
      returning 1
    )
    select exists (select from taken) as taken,
      (select greatest(1, ceil(extract(epoch from b.blocked_until - app_now())))::int from iam.sign_in_failures b
        where b.kind = ${kind} and b.key = ${key}) as seconds`.execute(iam)
  const [row] = rows
  if (row === undefined || row.taken) return null
  // A concurrent attempt may have started the wait during this statement; then it is the first wait.
  return row.seconds ?? FIRST_WAIT_SECONDS
}

/** Clears the attempts at a place, and the emails asked for there, after a correct code. What others tried still counts. */
export async function clearAttempts(iam: Kysely<DB>, of: UserRow, place: FactorPlace): Promise<void> {
  const key = placeKey(of, place)
  await sql`
    with cleared as (
      delete from iam.sign_in_failures where kind = 'factor network' and key = ${key}
    )
    update iam.sign_in_failures set failures = greatest(0, failures - 1), blocked_until = null
    where kind = 'factor' and key = ${accountKey(of)} and not ${place.isKnown}`.execute(iam)
  await clearRequests(iam, 'sign-in codes of an account', key)
}

/**
 * Ends the waits for emailed codes, and invalidates the codes, once the account has another password or its second factor was
 * reset. Guesses of the codes of an authenticator still count, unless `evenOfAuthenticator`: someone who reads the mailbox could
 * otherwise guess without end.
 */
export async function clearFactorLimits(
  iam: Kysely<DB>,
  of: UserRow,
  { evenOfAuthenticator = false } = {},
): Promise<void> {
  const ofPlaces = `${accountKey(of)}/`
  const isAuthenticatorOn = sql`exists (select from iam.authenticators
    where customer_id = ${of.customerId} and user_id = ${of.userId} and confirmed_at is not null)`
  await sql`
    with codes as (
      delete from iam.mail_codes where customer_id = ${of.customerId} and user_id = ${of.userId}
    ), sends as (
      delete from iam.request_counts where kind = 'sign-in codes of an account'
        and (key = ${accountKey(of)} or starts_with(key, ${ofPlaces}))
    )
    delete from iam.sign_in_failures where (${evenOfAuthenticator} or not ${isAuthenticatorOn})
      and ((kind = 'factor' and key = ${accountKey(of)}) or (kind = 'factor network' and starts_with(key, ${ofPlaces})))`.execute(
    iam,
  )
}
