import { type RawBuilder, sql } from 'kysely'
import type { Selection } from '#contract/lists/selection.ts'
import { acquireAdvisoryLock } from '#server/database/advisory-lock.ts'
import { allowLongStatements, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, noneFound } from '#server/http/failure.ts'
import { type ListSource, widened } from '#server/lists/list-source.ts'
import { matching } from '#server/lists/read-list.ts'

/** Unfinished jobs per user. */
const MAX_OPEN = 20
/** Storing the IDs of a million rows takes longer than any other statement of a request. */
const FREEZE_MS = 60_000

export type NewJob = { kind: string; title: string; payload: object; undoOf?: string }

/** Queues a job in the current transaction. @returns its ID. @throws Failure 409 if the user has too many unfinished jobs. */
export async function insertJob(db: Database, actor: Member, job: NewJob): Promise<string> {
  // Concurrent requests of one user count each other's jobs.
  await acquireAdvisoryLock(db, `jobs of ${actor.effectiveUserId}`)
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from jobs
    where customer_id = ${actor.customerId} and effective_user_id = ${actor.effectiveUserId}
      and state in ('waiting', 'running')`.execute(db)
  if ((rows[0]?.open ?? 0) >= MAX_OPEN) {
    throw conflict(`You have ${MAX_OPEN} unfinished jobs. Wait until some of them are done.`)
  }
  const { id } = await db
    .insertInto('jobs')
    .values({
      ...job,
      payload: JSON.stringify(job.payload),
      organizationId: visibleIn(actor),
      actingOrganizationId: actor.organizationId,
      reach: actor.reach,
      actorCustomerId: actor.userCustomerId,
      actorUserId: actor.userId,
      actorName: actor.fullName,
      effectiveCustomerId: actor.effectiveCustomerId,
      effectiveUserId: actor.effectiveUserId,
      effectiveName: actor.effectiveFullName,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The organization whose users see the job; null: only users who reach the whole customer. */
const visibleIn = (actor: Member): string | null => (actor.reach === 'customer' ? null : actor.organizationId)

export type NewRowsJob = {
  kind: string
  payload: object
  source: ListSource
  selection: Selection
  /** SQL for JSON of what the user saw of a row, which its change then gets. Null if left out. */
  seen?: RawBuilder<unknown>
  /** "Show 86 lots on public pages", of "86 lots". */
  title: (rows: string) => string
}

/**
 * Queues a bulk change. One statement stores which rows it applies to, so rows that match later are not changed. Selected
 * rows that were deleted are listed as rejected.
 * @throws Failure 404 if none of the selected rows exists, 409 if no row matches, 400 if the rule is invalid.
 */
export async function insertRowsJob(db: Database, actor: Member, job: NewRowsJob): Promise<string> {
  const { kind, payload, selection, title, seen = sql`null` } = job
  const source = await widened(db, actor, job.source)
  const [one, many] = source.list.nouns
  const id = await insertJob(db, actor, { kind, title: '', payload: { ...payload, selection } })
  const found = await freezeRows(db, actor, { id, source, selection, seen })
  if (found === 0) {
    throw 'ids' in selection ? noneFound(many) : conflict(`No ${many} match anymore.`)
  }
  const missing = 'ids' in selection ? await noteMissing(db, actor, { id, ids: selection.ids }) : 0
  const total = found + missing
  await db
    .updateTable('jobs')
    .set({
      title: title(`${total.toLocaleString('en-US')} ${total === 1 ? one : many}`),
      total,
      done: missing,
      failures: missing,
    })
    .where('id', '=', id)
    .execute()
  return id
}

/** Whether a row of a list is one of those that were selected. */
export const chosenRows = (source: ListSource, actor: Member, selection: Selection): RawBuilder<unknown> =>
  'ids' in selection
    ? sql`${source.within(actor)} and ${source.id} = any(${selection.ids}::bigint[])`
    : sql`${matching(source, actor, selection)} and ${source.id} <> all(${selection.except ?? []}::bigint[])`

async function freezeRows(
  db: Database,
  actor: Member,
  frozen: { id: string; source: ListSource; selection: Selection; seen: RawBuilder<unknown> },
): Promise<number> {
  const { id, source, selection, seen } = frozen
  await allowLongStatements(db, FREEZE_MS)
  const { numAffectedRows } = await sql`
    insert into job_rows (job_id, row_id, organization_id, seen)
    select ${id}::bigint, ${source.id}, ${visibleIn(actor)}::bigint, (${seen})::jsonb from ${source.from} where ${chosenRows(source, actor, selection)}`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

async function noteMissing(
  db: Database,
  actor: Member,
  { id, ids }: { id: string; ids: readonly string[] },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into job_rows (job_id, row_id, organization_id, state, title, reason)
    select ${id}::bigint, chosen, ${visibleIn(actor)}::bigint, 'failed', 'No. ' || chosen,
      'It was deleted, or you no longer have access to it.'
    from unnest(${[...ids]}::bigint[]) chosen
    on conflict (customer_id, job_id, row_id) do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Queues the undo of a job: a job over the rows that the first one changed, with their previous values. Rows that an
 * interrupted undo has already restored are left out.
 */
export async function insertUndo(
  db: Database,
  actor: Member,
  first: { id: string; kind: string; title: string; payload: object },
): Promise<string> {
  const { kind, title, payload } = first
  const id = await insertJob(db, actor, { kind, title: `Undo: ${title}`, payload, undoOf: first.id })
  await allowLongStatements(db, FREEZE_MS)
  const { numAffectedRows } = await sql`
    insert into job_rows (job_id, row_id, organization_id, before)
    select ${id}::bigint, f.row_id, ${visibleIn(actor)}::bigint, f.before
    from job_rows f
    where f.customer_id = ${actor.customerId} and f.job_id = ${first.id} and f.before is not null
      and not exists (select from jobs u join job_rows g on g.customer_id = u.customer_id and g.job_id = u.id
        where u.customer_id = f.customer_id and u.undo_of = f.job_id and g.row_id = f.row_id and g.state = 'done')`.execute(
    db,
  )
  const total = Number(numAffectedRows ?? 0)
  if (total === 0) throw conflict('This job was already undone.')
  await db.updateTable('jobs').set({ total }).where('id', '=', id).execute()
  return id
}
