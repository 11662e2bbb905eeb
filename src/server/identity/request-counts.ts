import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

/** What is counted. The values are stored. */
export type Counted =
  | 'password mails of an account'
  | 'sign-in codes of an account'
  | 'password mails asked for from an address'
  | 'password mails asked for from a known browser'
  | 'test mails of a customer'
  | 'domain checks of a customer'
  | 'files sent to a feed source'
  | 'leads sent to an address'
  | 'connections tried by a customer'
  | 'emails of a participant'

/**
 * Counts a request within a time window, in one statement, so that concurrent requests are all counted. The
 * window starts with its first request.
 * @returns the number of requests including this one, and the seconds until the window ends.
 */
export async function countRequest(
  iam: Kysely<DB>,
  kind: Counted,
  key: string,
  windowSeconds: number,
): Promise<{ count: number; seconds: number }> {
  const { rows } = await sql<{ count: number; seconds: number }>`
    insert into iam.request_counts as c (kind, key, count) values (${kind}, ${key}, 1)
    on conflict (kind, key) do update set
      count = case when c.window_started_at < app_now() - ${windowSeconds} * interval '1 second' then 1 else c.count + 1 end,
      window_started_at = case when c.window_started_at < app_now() - ${windowSeconds} * interval '1 second'
        then app_now() else c.window_started_at end
    returning count,
      greatest(1, ceil(${windowSeconds} - extract(epoch from app_now() - window_started_at)))::int as seconds`.execute(
    iam,
  )
  return rows[0] ?? { count: 1, seconds: windowSeconds }
}

/** Seconds until another request is allowed, if as many as are allowed were counted within the window; null if it is now. */
export async function requestWait(
  iam: Kysely<DB>,
  kind: Counted,
  key: string,
  { allowed, windowSeconds }: { allowed: number; windowSeconds: number },
): Promise<number | null> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(1, ceil(${windowSeconds} - extract(epoch from app_now() - window_started_at)))::int as seconds
    from iam.request_counts where kind = ${kind} and key = ${key} and count >= ${allowed}
      and window_started_at >= app_now() - ${windowSeconds} * interval '1 second'`.execute(iam)
  return rows[0]?.seconds ?? null
}

/** Forgets the counted requests. */
export async function clearRequests(iam: Kysely<DB>, kind: Counted, key: string): Promise<void> {
  await iam.deleteFrom('iam.requestCounts').where('kind', '=', kind).where('key', '=', key).execute()
}
