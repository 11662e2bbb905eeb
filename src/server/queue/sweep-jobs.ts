import { sql, type Kysely } from 'kysely'
import type { DB } from '#server/database/schema.ts'

const KEPT_DAYS = 90
/** Rows deleted per statement: a job can have a million. */
const ROWS_AT_ONCE = 20_000
const PARTS_AT_ONCE = 64

/** Deletes expired files, and what an undo needs 90 days after a job ended or a record was deleted. Safe to run concurrently. */
export async function sweepJobs(queue: Kysely<DB>): Promise<{ files: number; jobs: number }> {
  const files = await queue
    .updateTable('jobs')
    .set({ fileName: null, fileType: null, fileBytes: null, fileExpiresAt: null })
    .where('fileExpiresAt', '<', sql<string>`app_now()`)
    .executeTakeFirst()
  // Parts of expired files, and of files whose job failed or was canceled.
  await untilNone(
    queue,
    (limit) => sql`
      delete from job_file_parts p using (
        select f.customer_id, f.job_id, f.part from job_file_parts f
        join jobs j on j.customer_id = f.customer_id and j.id = f.job_id
        where j.ended_at is not null and j.file_name is null limit ${limit}
      ) old where p.customer_id = old.customer_id and p.job_id = old.job_id and p.part = old.part`,
    PARTS_AT_ONCE,
  )
  // Rows that will never be processed.
  await untilNone(
    queue,
    (limit) => sql`
      delete from job_rows r using (
        select o.customer_id, o.job_id, o.row_id from jobs j
        join job_rows o on o.customer_id = j.customer_id and o.job_id = j.id and o.row_id > j.last_row_id
        where j.state in ('canceled', 'failed') and o.state = 'pending' limit ${limit}
      ) idle where r.customer_id = idle.customer_id and r.job_id = idle.job_id and r.row_id = idle.row_id`,
    ROWS_AT_ONCE,
  )
  const isOld = sql`j.ended_at < app_now() - ${KEPT_DAYS} * interval '1 day'`
  await untilNone(
    queue,
    (limit) => sql`
      delete from job_rows r using (
        select o.customer_id, o.job_id, o.row_id from jobs j
        join job_rows o on o.customer_id = j.customer_id and o.job_id = j.id
        where ${isOld} limit ${limit}
      ) old where r.customer_id = old.customer_id and r.job_id = old.job_id and r.row_id = old.row_id`,
    ROWS_AT_ONCE,
  )
  await sql`delete from deleted_dependents where deleted_at < app_now() - ${KEPT_DAYS} * interval '1 day'`.execute(
    queue,
  )
  const jobs = await sql`delete from jobs j where ${isOld}`.execute(queue)
  return { files: Number(files.numUpdatedRows), jobs: Number(jobs.numAffectedRows ?? 0) }
}

async function untilNone(
  queue: Kysely<DB>,
  remove: (limit: number) => ReturnType<typeof sql>,
  limit: number,
): Promise<void> {
  for (;;) {
    const { numAffectedRows } = await remove(limit).execute(queue)
    if (Number(numAffectedRows ?? 0) < limit) return
  }
}
