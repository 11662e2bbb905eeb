import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { UserRow } from '../credentials/factor-state.ts'
import { FIRST_WAIT_SECONDS, FORGOTTEN_AFTER, waitAfter } from '../credentials/sign-in-failures.ts'

/**
 * Counts an attempt at a user's second factor before the code is checked, so that concurrent attempts are
 * counted too. The fifth starts a wait of 30 s, as after wrong passwords, doubling up to 15 min. A correct
 * code clears the count.
 * @param isKnown the user signed in on this browser before: what others try who learned the password doesn't count there.
 * @returns the seconds to wait, or null if the attempt is allowed.
 */
export async function countAttempt(iam: Kysely<DB>, of: UserRow, isKnown: boolean): Promise<number | null> {
  const key = keyOf(of, isKnown)
  const isOld = sql`f.last_at < app_now() - ${FORGOTTEN_AFTER}::interval`
  const { rows } = await sql<{ taken: boolean; seconds: number | null }>`
    with taken as (
      insert into iam.sign_in_failures as f (kind, key, failures) values ('factor', ${key}, 1)
      on conflict (kind, key) do update set
        failures = case when ${isOld} then 1 else f.failures + 1 end,
        blocked_until = case when ${isOld} then null
          else ${waitAfter(sql`f.failures + 1`)} end,
        last_at = app_now()
      where f.blocked_until is null or f.blocked_until <= app_now()
      returning 1
    )
    select exists (select from taken) as taken,
      (select greatest(1, ceil(extract(epoch from b.blocked_until - app_now())))::int from iam.sign_in_failures b
        where b.kind = 'factor' and b.key = ${key}) as seconds`.execute(iam)
  const [row] = rows
  if (row === undefined || row.taken) return null
  // A concurrent attempt may have started the wait during this statement; then it is the first wait.
  return row.seconds ?? FIRST_WAIT_SECONDS
}

/** Clears the attempts after a correct code. */
export async function clearAttempts(iam: Kysely<DB>, of: UserRow, isKnown: boolean): Promise<void> {
  await iam
    .deleteFrom('iam.signInFailures')
    .where('kind', '=', 'factor')
    .where('key', '=', keyOf(of, isKnown))
    .execute()
}

const keyOf = ({ customerId, userId }: UserRow, isKnown: boolean): string =>
  `${customerId}/${userId}${isKnown ? '/known' : ''}`
