import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type pg from 'pg'
import { feedSources, KEPT_ARRIVALS } from '#contract/inventory/feeds/sources/feed-sources.ts'
import { describe } from '#contract/permissions.ts'
import { acquireAdvisoryLock } from '#server/database/hold-name.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { forbidden } from '#server/http/failure.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import type { ReadMember } from '#server/jobs/runner.ts'
import { startFeedRun, dropFeedFiles, type FeedIntake, receiveFeedFile } from '../runs/start-run.ts'
import { clearOutage, clearProblem, type Notices, noteProblem } from './notify-owner.ts'

/** What takes feeds in that nobody brings. */
export type TakeInParts = FeedIntake & {
  pool: pg.Pool
  readMember: ReadMember
  notices: Notices
}

/** A source as far as something comes of it by itself. */
export type ActiveSource = {
  customerId: string
  id: string
  name: string
  applies: 'ask' | 'byItself'
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

/** The same file is read again after so long: vehicles that it lacked then are missing a second time. */
const AGAIN_HOURS = 12

export type Outcome = { runId: string; isSame: boolean }

/**
 * Takes one file in with the rights that the owner of its source has now, and puts it in line to be read. A file that the
 * last run had is not read again, unless source or mapping was changed since.
 * @param confirm is asked once the file is whole: what it throws leaves nothing.
 * @throws Failure with a sentence: the owner may not any more, the file is too large, too many files wait.
 */
export async function ingest(
  parts: TakeInParts,
  source: ActiveSource,
  {
    stream,
    fileName,
    confirm,
  }: { stream: Readable; fileName: string; confirm?: (db: Database) => Promise<void> },
): Promise<Outcome> {
  const actor = await ownerOf(parts, source)
  const scope = scopeOf(actor, { endpoint: 'feedSources.fetch', isReadOnly: false })
  const first = await receiveFeedFile(parts, actor, { stream, name: fileName })
  let isKept = false
  try {
    const outcome = await inTenant(parts.pool, scope, async (db): Promise<Outcome> => {
      // Of a file that comes twice at once the second finds the run of the first.
      await acquireAdvisoryLock(db, `files of feed source ${source.customerId} ${source.id}`)
      await confirm?.(db)
      const same = await findSame(db, source.id, first.hash)
      if (same !== null) return { runId: same, isSame: true }
      const byItself = { applies: source.applies === 'byItself' }
      const begun = { first, second: null, sourceId: source.id, byItself }
      return { runId: await startFeedRun(db, parts, actor, begun), isSame: false }
    })
    isKept = !outcome.isSame
    return outcome
  } finally {
    if (!isKept) await dropFeedFiles(parts, actor, [first])
  }
}

/** @throws Failure 403 with the reason why the owner may not bring feeds any more. */
async function ownerOf({ readMember }: TakeInParts, source: ActiveSource): Promise<Member> {
  const { customerId, actingOrganizationId: organizationId, userCustomerId, userId, reach } = source
  const member = await readMember({
    customerId,
    organizationId,
    actorCustomerId: userCustomerId,
    actorUserId: userId,
    effectiveCustomerId: userCustomerId,
    effectiveUserId: userId,
  })
  const again = 'Whoever saves this feed source becomes its owner.'
  if (typeof member === 'string') throw forbidden(`${member} ${again}`)
  if (reach === 'customer' && member.reach !== 'customer') {
    throw forbidden(`${member.effectiveFullName} does not reach the whole customer any more. ${again}`)
  }
  const needed = feedSources.fetch.allow
  if (!member.may(needed)) {
    throw forbidden(
      `${member.effectiveFullName} may not do this any more: it needs ${describe(needed)}. ${again}`,
    )
  }
  return { ...member, reach }
}

/** The run that has this very file, where reading it once more would say nothing else. */
async function findSame(db: Database, sourceId: string, fileHash: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select r.id from (
      select * from feed_runs l where l.source_id = ${sourceId}
        and (l.status in ('reading', 'ready', 'held', 'applying', 'applied')) order by l.id desc limit 1
    ) r
    join feed_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    left join provider_mappings m on m.customer_id = s.customer_id and m.id = s.mapping_id
    where r.file_hash = ${fileHash} and r.created_at > greatest(s.updated_at, m.updated_at) and r.error is null
      and (r.status <> 'applied' or r.missing_count = 0 or r.created_at > app_now() - ${AGAIN_HOURS} * interval '1 hour')`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

/**
 * Notes that something comes, in the place of one that was cut off with its server.
 * @returns null where this attachment of a mail came already, or is coming.
 */
export async function startArrival(
  db: Database,
  {
    sourceId,
    askedBy = null,
    fileName = null,
    mailKey = null,
  }: {
    sourceId: string
    askedBy?: string | null
    fileName?: string | null
    mailKey?: string | null
  },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into feed_arrivals as a (source_id, asked_by, file_name, mail_key)
    values (${sourceId}, ${askedBy}, ${fileName}, ${mailKey})
    on conflict (customer_id, source_id, mail_key) where mail_key is not null do update
      set state = 'running', started_at = app_now(), ended_at = null, said = null
      where a.state = 'failed' and a.run_id is null
        or a.state = 'running' and a.started_at < app_now() - interval '10 minutes'
    returning id`.execute(db)
  return rows[0]?.id ?? null
}

export type Ending = {
  state: 'brought' | 'unchanged' | 'failed'
  runId: string | null
  fileName?: string | undefined
  said: string | null
}

/** Says what became of it. Older ones are forgotten; what tells a mail from others is kept for a month. */
export async function endArrival(
  db: Database,
  { sourceId, id, ending }: { sourceId: string; id: string; ending: Ending },
): Promise<void> {
  const { state, runId, fileName, said } = ending
  await db
    .updateTable('feedArrivals')
    .set({ state, runId, said, endedAt: sql`app_now()`, ...(fileName !== undefined && { fileName }) })
    .where('id', '=', id)
    .execute()
  await sql`delete from feed_arrivals a where a.source_id = ${sourceId}
    and a.id < (select min(k.id) from (select n.id from feed_arrivals n where n.source_id = ${sourceId}
      order by n.id desc limit ${sql.lit(KEPT_ARRIVALS)}) k)
    and (a.mail_key is null or a.started_at < app_now() - interval '30 days')`.execute(db)
}

/** What did not come is kept and told; that it could be read ends it. */
export async function resolveProblem(
  within: Within,
  { notices }: TakeInParts,
  { source, ending }: { source: ActiveSource; ending: Ending },
): Promise<void> {
  if (ending.state === 'failed') {
    return noteProblem(within, notices, { source, problem: ending.said ?? 'It went wrong.' })
  }
  if (ending.state !== 'unchanged') return
  await within((db) => (ending.runId === null ? clearOutage : clearProblem)(db, source.id))
}

/** Why the same file is not read again, as a sentence. */
export const SAME = 'The file is the same as the last one.'
