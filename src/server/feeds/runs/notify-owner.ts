import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Outbox } from '#server/mail/index.ts'

/** What is needed to email the owner of a source. */
export type Notices = {
  iam: Kysely<DB>
  put: Outbox['put']
  /** The base URL of the product. */
  base: () => string
}

type Source = { id: string; name: string; userCustomerId: string; userId: string }

/** Emails the owner of a source, if they can still sign in. */
export async function notifyOwner(
  { iam, put, base }: Notices,
  source: Source,
  { subject, text, path }: { subject: string; text: string; path: string },
): Promise<void> {
  const { rows } = await sql<{
    email: string
    firstName: string
    fullName: string
    organizationId: string | null
  }>`
    select u.email, u.first_name, u.first_name || ' ' || u.last_name as full_name,
      case when count(m.organization_id) = 1 then min(m.organization_id) end as organization_id
    from users u left join memberships m on m.customer_id = u.customer_id and m.user_id = u.id
    where u.customer_id = ${source.userCustomerId} and u.id = ${source.userId} and u.is_active and u.email is not null
    group by u.customer_id, u.id`.execute(iam)
  const [owner] = rows
  if (owner === undefined) return
  await put(iam, {
    customerId: source.userCustomerId,
    // Users with access to the owner's only organization can see the email.
    organizationId: owner.organizationId,
    userId: source.userId,
    toName: owner.fullName,
    toEmail: owner.email,
    subject: `${source.name}: ${subject}`,
    text: `Hello ${owner.firstName},\n\n${text}\n\n${base()}${path}\n`,
    hasSecret: false,
  })
}

/** Clears the problem of a source. */
export async function clearProblem(db: Database, sourceId: string): Promise<void> {
  await db
    .updateTable('feedSourceStates')
    .set({ lastProblem: null, toldAt: null })
    .where('sourceId', '=', sourceId)
    .execute()
}

/** Clears a server problem, but not that of an unreadable last file, which stays until another file is read. */
export async function clearOutage(db: Database, sourceId: string): Promise<void> {
  await sql`update feed_source_states set last_problem = null, told_at = null where source_id = ${sourceId}
    and not exists (select 1 from (select * from feed_runs l where l.source_id = ${sourceId} order by l.id desc limit 1) r
      where r.status = 'failed')`.execute(db)
}

/**
 * Records why a fetched file couldn't be deleted or moved on its server, and emails the owner the first time. `problem` null: it
 * was deleted or moved.
 */
export async function setRemovalProblem(
  within: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  notices: Notices,
  { source, problem }: { source: Source; problem: string | null },
): Promise<void> {
  const isFirst = await within(async (db) => {
    const { rows } = await sql<{ isFirst: boolean }>`
      with before as (select source_id, after_problem from feed_source_states where source_id = ${source.id} for update)
      update feed_source_states s set after_problem = ${problem}
      from before b where s.source_id = b.source_id returning b.after_problem is null as is_first`.execute(db)
    return rows.some((row) => row.isFirst)
  })
  if (!isFirst || problem === null) return
  await notifyOwner(notices, source, {
    subject: 'a fetched file was not removed',
    text: `The feed source ${source.name} has a problem. Its files are still being imported, but:\n\n${problem}\n\nYou won't get another email about this until it is resolved.`,
    path: `/inventory/feeds/sources?source=${source.id}`,
  })
}

/**
 * Records what went wrong with a source and emails its owner about the first of several failures, so that a server that is down
 * for a week causes one email.
 */
export async function reportProblem(
  within: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  notices: Notices,
  { source, problem }: { source: Source; problem: string },
): Promise<void> {
  const isFirst = await within(async (db) => {
    const { rows } = await sql<{ isFirst: boolean }>`
      with before as (select source_id, told_at from feed_source_states where source_id = ${source.id} for update)
      update feed_source_states s set last_problem = ${problem}, told_at = coalesce(s.told_at, app_now())
      from before b where s.source_id = b.source_id returning b.told_at is null as is_first`.execute(db)
    return rows.some((row) => row.isFirst)
  })
  if (!isFirst) return
  await notifyOwner(notices, source, {
    subject: 'feed not received',
    text: `The feed source ${source.name} has a problem:\n\n${problem}\n\nYou won't get another email about this until a feed is received again.`,
    path: `/inventory/feeds/sources?source=${source.id}`,
  })
}
