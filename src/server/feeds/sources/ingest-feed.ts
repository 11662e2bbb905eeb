import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type pg from 'pg'
import { feedSources, MAX_DELIVERIES } from '#contract/feeds/sources/feed-sources.ts'
import { describe } from '#contract/permission-text.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import type { ReadMember } from '#server/queue/runner.ts'
import { startFeedRun, dropFeedFiles, type FeedIntake, receiveFeedFile } from '../runs/start-run.ts'
import { clearOutage, clearProblem, type Notices, reportProblem } from '../runs/notify-owner.ts'

/** What automatic ingestion needs. */
export type IngestOptions = FeedIntake & {
  pool: pg.Pool
  readMember: ReadMember
  notices: Notices
}

/** The columns of a source that automatic ingestion needs. */
export type ActiveSource = {
  customerId: string
  id: string
  name: string
  applies: 'ask' | 'automatic'
  reach: 'organization' | 'customer'
  actingOrganizationId: string
  userCustomerId: string
  userId: string
}

export const activeColumns = [
  's.customerId',
  's.id',
  's.name',
  's.applies',
  's.reach',
  's.actingOrganizationId',
  's.userCustomerId',
  's.userId',
] as const

export type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/** After this time an identical file is read again, so that vehicles missing from it count as missing a second time. */
const REREAD_HOURS = 12

type IngestResult = { runId: string; isSame: boolean }

/**
 * Stores one file with the current permissions of the source's owner and queues it for reading. A file identical to that of the
 * last run is not read again unless the source or its mapping changed since.
 * @param confirm called when the file is complete; if it throws, nothing is stored.
 * @throws Failure if the owner no longer has permission, the file is too large, or too many files are queued.
 */
export async function ingest(
  parts: IngestOptions,
  source: ActiveSource,
  {
    stream,
    fileName,
    confirm,
  }: { stream: Readable; fileName: string; confirm?: (db: Database) => Promise<void> },
): Promise<IngestResult> {
  const actor = await ownerOf(parts, source)
  const scope = scopeOf(actor, { endpoint: 'feedSources.fetch', isReadOnly: false })
  const first = await receiveFeedFile(parts, actor, { stream, name: fileName })
  let isKept = false
  try {
    const outcome = await inTenant(parts.pool, scope, async (db): Promise<IngestResult> => {
      // If the same file arrives twice at once, the second finds the run of the first.
      await acquireAdvisoryLock(db, `files of feed source ${source.customerId} ${source.id}`)
      await confirm?.(db)
      const same = await findSame(db, source.id, first.hash)
      if (same !== null) return { runId: same, isSame: true }
      const automatic = { applies: source.applies === 'automatic' }
      const request = { first, second: null, sourceId: source.id, automatic }
      return { runId: await startFeedRun(db, parts, actor, request), isSame: false }
    })
    isKept = !outcome.isSame
    return outcome
  } finally {
    if (!isKept) await dropFeedFiles(parts, actor, [first])
  }
}

/** @throws Failure 403 with the reason why the owner can no longer import feeds. */
async function ownerOf({ readMember }: IngestOptions, source: ActiveSource): Promise<Member> {
  const { customerId, actingOrganizationId: organizationId, userCustomerId, userId, reach } = source
  const member = await readMember({
    customerId,
    organizationId,
    actorCustomerId: userCustomerId,
    actorUserId: userId,
    effectiveCustomerId: userCustomerId,
    effectiveUserId: userId,
  })
  const hint = 'To become its owner, save this feed source.'
  if (typeof member === 'string') throw forbidden(`${member} ${hint}`)
  if (reach === 'customer' && member.reach !== 'customer') {
    throw forbidden(`${member.effectiveFullName} no longer has access to all organizations. ${hint}`)
  }
  const needed = feedSources.fetch.allow
  if (!member.may(needed)) {
    throw forbidden(
      `${member.effectiveFullName} no longer has the required permission: ${describe(needed)}. ${hint}`,
    )
  }
  return { ...member, reach }
}

/** The last run of the source, if it has the same file and reading it again would change nothing. */
async function findSame(db: Database, sourceId: string, fileHash: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select r.id from (
      select * from feed_runs l where l.source_id = ${sourceId}
        and (l.status in ('reading', 'ready', 'review', 'applying', 'applied')) order by l.id desc limit 1
    ) r
    join feed_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    left join provider_mappings m on m.customer_id = s.customer_id and m.id = s.mapping_id
    where r.file_hash = ${fileHash} and r.created_at > greatest(s.updated_at, m.updated_at) and r.error is null
      and (r.status <> 'applied' or r.missing_count = 0 or r.created_at > app_now() - ${REREAD_HOURS} * interval '1 hour')`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

/**
 * Records the start of a delivery, replacing one that was interrupted by a server stop.
 * @returns null if this email attachment was already received or is being received.
 */
export async function startDelivery(
  db: Database,
  {
    sourceId,
    requestedBy = null,
    fileName = null,
    mailKey = null,
  }: {
    sourceId: string
    requestedBy?: string | null
    fileName?: string | null
    mailKey?: string | null
  },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into feed_deliveries as a (source_id, requested_by, file_name, mail_key)
    values (${sourceId}, ${requestedBy}, ${fileName}, ${mailKey})
    on conflict (customer_id, source_id, mail_key) where mail_key is not null do update
      set state = 'running', started_at = app_now(), ended_at = null, message = null
      where a.state = 'failed' and a.run_id is null
        or a.state = 'running' and a.started_at < app_now() - interval '10 minutes'
    returning id`.execute(db)
  return rows[0]?.id ?? null
}

export type DeliveryResult = {
  state: 'received' | 'unchanged' | 'failed'
  runId: string | null
  fileName?: string | undefined
  message: string | null
}

/** Records the result of a delivery and deletes older ones; those of emails are kept for a month, to detect repeats. */
export async function endDelivery(
  db: Database,
  { sourceId, id, ending }: { sourceId: string; id: string; ending: DeliveryResult },
): Promise<void> {
  const { state, runId, fileName, message } = ending
  await db
    .updateTable('feedDeliveries')
    .set({ state, runId, message, endedAt: sql`app_now()`, ...(fileName !== undefined && { fileName }) })
    .where('id', '=', id)
    .execute()
  await sql`delete from feed_deliveries a where a.source_id = ${sourceId}
    and a.id < (select min(k.id) from (select n.id from feed_deliveries n where n.source_id = ${sourceId}
      order by n.id desc limit ${sql.lit(MAX_DELIVERIES)}) k)
    and (a.mail_key is null or a.started_at < app_now() - interval '30 days')`.execute(db)
}

/** Records a failed delivery and notifies the owner, or clears an earlier problem. */
export async function resolveProblem(
  within: Within,
  { notices }: Pick<IngestOptions, 'notices'>,
  { source, ending }: { source: ActiveSource; ending: DeliveryResult },
): Promise<void> {
  if (ending.state === 'failed') {
    return reportProblem(within, notices, { source, problem: ending.message ?? 'The delivery failed.' })
  }
  if (ending.state !== 'unchanged') return
  await within((db) => (ending.runId === null ? clearOutage : clearProblem)(db, source.id))
}

/** Why an identical file is not read again. */
export const SAME = 'The file is the same as the last one.'
