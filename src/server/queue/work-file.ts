import { sql, type Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database, type TenantScope } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { scopeOf } from '#server/http/scope-of.ts'
import { isOurs, releaseLease, whileWorking, type JobLease } from './job-lease.ts'
import type { JobKind, MadeFile } from './job-kind.ts'
import { endJob } from './work-rows.ts'

const PART_BYTES = 1_048_576
/** How long a file can be downloaded. */
const KEPT_DAYS = 7

type Making = {
  lease: JobLease
  actor: Member
  /** Why the user may no longer have the file; checked again when it is complete. */
  refusal: () => Promise<string | null>
  isStopping: () => boolean
}

/** Writes the file of a job in parts of a fixed size, so that memory use is constant. @returns why the job failed, or null. */
export async function workFile(
  { pool, queue }: { pool: pg.Pool; queue: Kysely<DB> },
  kind: JobKind & { makeFile: NonNullable<JobKind['makeFile']> },
  { lease, actor, refusal, isStopping }: Making,
): Promise<string | null> {
  const scope = scopeOf(actor, { endpoint: kind.name, isReadOnly: false })
  return whileWorking(queue, lease, async (isLost) => {
    // An interrupted attempt may have left parts.
    await inTenant(pool, scope, (db) => db.deleteFrom('jobFileParts').where('jobId', '=', lease.id).execute())
    const file = await kind.makeFile({ actor, scope, payload: lease.payload })
    try {
      let bytes = 0
      let part = 0
      for await (const chunk of inParts(file.body)) {
        if (isStopping()) {
          await releaseLease(queue, lease)
          return null
        }
        part += 1
        bytes += chunk.byteLength
        const continues = await savePart(pool, scope, { lease, file, part, chunk })
        if (!continues || isLost()) return null
      }
      const reason = await refusal()
      if (reason !== null) return reason
      await inTenant(pool, scope, (db) => finish(db, lease, { file, bytes }))
      return null
    } finally {
      file.body.destroy()
    }
  })
}

/** Splits a stream into parts of equal size, except the last. */
async function* inParts(body: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (!(bytes instanceof Uint8Array)) throw new Error('A file must be a stream of bytes.')
    pending.push(Buffer.from(bytes))
    size += bytes.byteLength
    if (size < PART_BYTES) continue
    yield Buffer.concat(pending)
    pending = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(pending)
}

/** @returns false if the job was canceled or another server has it. */
function savePart(
  pool: pg.Pool,
  scope: TenantScope,
  { lease, file, part, chunk }: { lease: JobLease; file: MadeFile; part: number; chunk: Buffer },
): Promise<boolean> {
  return inTenant(pool, scope, async (db) => {
    const job = await db
      .updateTable('jobs')
      .set({ total: file.total, done: Math.min(file.done(), file.total) })
      .where(isOurs(lease))
      .returning(['wantsCancel', 'organizationId'])
      .executeTakeFirst()
    if (job === undefined) return false
    if (job.wantsCancel) {
      await cancel(db, lease)
      return false
    }
    const { organizationId } = job
    await db
      .insertInto('jobFileParts')
      .values({ jobId: lease.id, part, organizationId, bytes: chunk })
      .execute()
    return true
  })
}

async function cancel(db: Database, lease: JobLease): Promise<void> {
  await db.deleteFrom('jobFileParts').where('jobId', '=', lease.id).execute()
  await endJob(db, lease, 'canceled')
}

/** Ends the job with its file, or without if it was canceled during the last part. */
async function finish(
  db: Database,
  lease: JobLease,
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
    .where(isOurs(lease))
    .where('wantsCancel', '=', false)
    .executeTakeFirst()
  if (finished.numUpdatedRows > 0n) await endJob(db, lease, 'done')
  else await cancel(db, lease)
}
