import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database, type TenantScope } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import { releaseLease, isOurs, renewLease, type JobLease } from './claim.ts'
import type { JobKind, MadeFile } from './job-kind.ts'
import { endJob } from './work-rows.ts'

const PART_BYTES = 1_048_576
const RENEW_MS = 10_000
/** How long a file waits for whoever ordered it. */
const KEPT_DAYS = 7

type Making = {
  turn: JobLease
  actor: Member
  /** Why its person may not have it any more; asked again once it is whole. */
  refusal: () => Promise<string | null>
  isStopping: () => boolean
}

/** Makes the file of a job and keeps it in parts, none of which waits for another in memory. */
export async function workFile(
  { pool, queue }: { pool: pg.Pool; queue: Kysely<DB> },
  kind: JobKind & { makeFile: NonNullable<JobKind['makeFile']> },
  { turn, actor, refusal, isStopping }: Making,
): Promise<string | null> {
  const scope = scopeOf(actor, { endpoint: kind.name, isReadOnly: false })
  let isOver = false
  const renewing = setInterval(() => {
    renewLease(queue, turn).then(
      (isOurStill) => (isOver ||= !isOurStill),
      () => {},
    )
  }, RENEW_MS)
  try {
    // A turn that broke off may have left parts behind.
    await inTenant(pool, scope, (db) => db.deleteFrom('jobFileParts').where('jobId', '=', turn.id).execute())
    const file = await kind.makeFile({ actor, scope, payload: turn.payload })
    try {
      let bytes = 0
      let part = 0
      for await (const chunk of inParts(file.body)) {
        if (isStopping()) {
          await releaseLease(queue, turn)
          return null
        }
        part += 1
        bytes += chunk.byteLength
        const goesOn = await savePart(pool, scope, { turn, file, part, chunk })
        if (!goesOn || isOver) return null
      }
      const reason = await refusal()
      if (reason !== null) return reason
      await inTenant(pool, scope, (db) => finish(db, turn, { file, bytes }))
      return null
    } finally {
      file.body.destroy()
    }
  } finally {
    clearInterval(renewing)
  }
}

/** Bytes in parts of one size; the last one is what is left. */
async function* inParts(body: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (!(bytes instanceof Uint8Array)) throw new Error('A file is made of bytes.')
    pending.push(Buffer.from(bytes))
    size += bytes.byteLength
    if (size < PART_BYTES) continue
    yield Buffer.concat(pending)
    pending = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pending)
}

/** @returns false when the job was cancelled, or is no longer ours. */
function savePart(
  pool: pg.Pool,
  scope: TenantScope,
  { turn, file, part, chunk }: { turn: JobLease; file: MadeFile; part: number; chunk: Buffer },
): Promise<boolean> {
  return inTenant(pool, scope, async (db) => {
    const job = await db
      .updateTable('jobs')
      .set({ total: file.total, done: Math.min(file.done(), file.total) })
      .where(isOurs(turn))
      .returning(['wantsCancel', 'organizationId'])
      .executeTakeFirst()
    if (job === undefined) return false
    if (job.wantsCancel) {
      await cancel(db, turn)
      return false
    }
    const { organizationId } = job
    await db
      .insertInto('jobFileParts')
      .values({ jobId: turn.id, part, organizationId, bytes: chunk })
      .execute()
    return true
  })
}

async function cancel(db: Database, turn: JobLease): Promise<void> {
  await db.deleteFrom('jobFileParts').where('jobId', '=', turn.id).execute()
  await endJob(db, turn, 'cancelled')
}

/** Ends the job with its file, or without where somebody cancelled it in its last part. */
async function finish(
  db: Database,
  turn: JobLease,
  { file, bytes }: { file: MadeFile; bytes: number },
): Promise<void> {
  const finished = await db
    .updateTable('jobs')
    .set({
      total: file.total,
      done: file.total,
      fileName: file.name,
      fileType: file.type,
      fileBytes: String(bytes),
      fileExpiresAt: sql`app_now() + ${KEPT_DAYS} * interval '1 day'`,
    })
    .where(isOurs(turn))
    .where('wantsCancel', '=', false)
    .executeTakeFirst()
  if (finished.numUpdatedRows > 0n) await endJob(db, turn, 'done')
  else await cancel(db, turn)
}
