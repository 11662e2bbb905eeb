import type { jobs as contract } from '#contract/jobs/jobs.ts'
import { clock } from '#server/clock.ts'
import { conflict, forbidden, notFound } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { inOrder, readPage } from '#server/lists/read-list.ts'
import { refusalOf } from './job-kind.ts'
import { jobSource } from './job-source.ts'
import { mayAct, readJob, readJobRow, readJobs, whyNotUndone, type Kinds } from './read-job.ts'
import { insertUndo } from './start-job.ts'
import { Readable } from 'node:stream'
import type { Database } from '#server/database/tenant-transaction.ts'

const MAX_FAILURES = 1_000

/** The endpoints for jobs of all domains. `onJob` is called after one was queued or canceled. */
export function jobHandlers(kinds: Kinds, onJob: () => void): Handlers<typeof contract> {
  return {
    async list({ db, actor, input }) {
      const { ids, ...counts } = await readPage(db, actor, jobSource, input)
      return { ...counts, results: inOrder(ids, await readJobs(db, actor, kinds, ids)) }
    },

    get: ({ db, actor, input }) => readJob(db, actor, kinds, input.id),

    async failures({ db, actor, input }) {
      const job = await readJobRow(db, actor, input.id)
      const kind = kinds.get(job.kind)
      // Titles of rows are only for users who may see the rows.
      if (!job.isMine && kind !== undefined) {
        const reason = refusalOf(kind, actor, { payload: job.payload, isUndo: false })
        if (reason !== null) throw forbidden(reason)
      }
      const rows = await db
        .selectFrom('jobRows')
        .select(['rowId', 'title', 'reason'])
        .where('customerId', '=', actor.customerId)
        .where('jobId', '=', input.id)
        .where('state', '=', 'failed')
        .orderBy('rowId')
        .limit(MAX_FAILURES)
        .execute()
      return rows.map(({ rowId, title, reason }) => ({ rowId, title: title ?? '', reason: reason ?? '' }))
    },

    async cancel({ db, actor, input }) {
      // Locked, so that it can't end in between.
      await db.selectFrom('jobs').select('id').where('id', '=', input.id).forUpdate().execute()
      const job = await readJobRow(db, actor, input.id)
      if (!mayAct(actor, job)) throw forbidden('Only the user who started the job can cancel it.')
      if (job.endedAt !== null) throw conflict('This job has already ended.')
      const isWaiting = job.state === 'waiting'
      await db
        .updateTable('jobs')
        .set({
          wantsCancel: true,
          ...(isWaiting && { state: 'canceled', endedAt: clock.date().toISOString() }),
        })
        .where('id', '=', input.id)
        .execute()
      onJob()
      return readJob(db, actor, kinds, input.id)
    },

    async undo({ db, actor, input }) {
      // Locked, so that the second of two concurrent requests sees the first undo.
      await db.selectFrom('jobs').select('id').where('id', '=', input.id).forUpdate().execute()
      const job = await readJobRow(db, actor, input.id)
      if (!mayAct(actor, job)) throw forbidden('Only the user who started the job can undo it.')
      const reason = whyNotUndone(job, actor, kinds)
      if (reason !== null) throw conflict(reason)
      const payload = typeof job.payload === 'object' && job.payload !== null ? job.payload : {}
      const id = await insertUndo(db, actor, { ...job, payload })
      onJob()
      return readJob(db, actor, kinds, id)
    },

    async download({ inTenant, actor, input }) {
      const job = await inTenant((db) => readJobRow(db, actor, input.id))
      if (!job.isMine) throw forbidden('Only the user who started the job can download its file.')
      const kind = kinds.get(job.kind)
      const reason = kind && refusalOf(kind, actor, { payload: job.payload, isUndo: false })
      if (typeof reason === 'string') throw forbidden(reason)
      if (!job.hasFile || job.fileName === null) throw notFound('File')
      return new Download({
        name: job.fileName,
        type: job.fileType ?? 'application/octet-stream',
        body: readJobFile(inTenant, { jobId: input.id, bytes: Number(job.fileBytes) }),
      })
    },
  }
}

/**
 * Streams a job's file part by part, without holding a connection in between. Fails if parts were deleted in the meantime, so
 * that an incomplete file is not mistaken for the whole.
 */
function readJobFile(
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
  { jobId, bytes }: { jobId: string; bytes: number },
): Readable {
  async function* parts(): AsyncGenerator<Buffer> {
    let sent = 0
    for (let part = 1; sent < bytes; part += 1) {
      const found = await inTenant((db) =>
        db
          .selectFrom('jobFileParts')
          .select('bytes')
          .where('jobId', '=', jobId)
          .where('part', '=', part)
          .executeTakeFirst(),
      )
      if (found === undefined)
        throw new Error(`The file of job ${jobId} ends after ${sent} of ${bytes} bytes.`)
      sent += found.bytes.byteLength
      yield found.bytes
    }
  }
  return Readable.from(parts(), { objectMode: false })
}
