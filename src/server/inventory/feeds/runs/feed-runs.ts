import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import {
  FILE_GONE,
  type FeedRun,
  type feedRuns,
  NOTHING_TO_APPLY,
} from '#contract/inventory/feeds/runs/feed-runs.ts'
import { MOST_SAMPLE } from '#contract/inventory/feeds/mappings/provider-mappings.ts'
import { afterCommit, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import {
  addSecondFile,
  startFeedRun,
  readFeedAgain,
  readStoredFile,
  dropFeedFiles,
  type FeedIntake,
  assertReferencesExist,
  refuseNotWaiting,
  type StoredUpload,
  receiveFeedFile,
} from './start-run.ts'
import { requireRunAccess } from '../sources/source-reach.ts'
import { startApplying, explainBusy } from './start-applying.ts'
import { fixRow } from './fix-row.ts'
import { placeOfRun } from './run-file.ts'
import { RUN_JOBS } from './run-jobs.ts'
import { holdsNothing, listFeedRuns, readFeedRun } from './run-list.ts'
import { listFeedRows, readFeedRow } from './run-rows.ts'

/** A mapping joins at most two. */
const MOST_FILES = 2

/** Feeds as files: brought, looked at, mended, applied, undone. */
export function feedRunHandlers(intake: FeedIntake): Handlers<typeof feedRuns> {
  const { storage, startFile } = intake
  return {
    list: ({ db, actor, input }) => listFeedRuns(db, actor, input),
    get: ({ db, actor, input }) => readFeedRun(db, actor, input.id),
    rows: ({ db, actor, input }) => listFeedRows(db, actor, input),

    async add({ actor, inTenant, files, input }) {
      await inTenant((db) => assertReferencesExist(db, actor, input))
      const id = await withFiles(actor, files, MOST_FILES, ([first, second]) =>
        inTenant((db) => startFeedRun(db, intake, actor, { ...input, first, second: second ?? null })),
      )
      return inTenant((db) => readFeedRun(db, actor, id))
    },

    async addSecond({ actor, inTenant, files, input: { id } }) {
      await inTenant(async (db) => {
        await requireRunAccess(db, actor, id)
        await refuseNotWaiting(db, id)
      })
      await withFiles(actor, files, 1, ([second]) =>
        addSecondFile(intake, { actor, inTenant }, { id, second }),
      )
      return inTenant((db) => readFeedRun(db, actor, id))
    },

    async readAgain({ db, actor, input }) {
      await requireRunAccess(db, actor, input.id)
      await assertReferencesExist(db, actor, { mappingId: input.mappingId, lotId: input.lotId })
      await readFeedAgain(db, intake, { actor, ...input })
      return readFeedRun(db, actor, input.id)
    },

    async sample({ actor, inTenant, input: { id } }) {
      const { fileName, storedAs } = await inTenant(async (db) => {
        await requireRunAccess(db, actor, id)
        return readStoredFile(db, id)
      })
      const file = await storage.read(placeOfRun(actor.customerId, storedAs))
      if (file === null) throw conflict(FILE_GONE)
      return new Download({
        name: fileName,
        type: 'application/octet-stream',
        body: await beginningOf(file.body),
      })
    },

    async apply({ db, actor, input: { id, confirm = false } }) {
      await requireRunAccess(db, actor, id)
      const run = await lockRun(db, id)
      const goesOn = run.status === 'applied' && run.error !== null
      if (run.status === 'held' && !confirm) {
        throw conflict(`This run is held: ${run.held.join(' ')} Confirm to apply it.`, {
          confirm: 'Confirm to apply it.',
        })
      }
      if (run.status !== 'ready' && run.status !== 'held' && !goesOn)
        throw conflict(whyNotApplied(run.status))
      if (!goesOn && holdsNothing(run)) throw conflict(NOTHING_TO_APPLY)
      await startApplying(db, { ...run, by: actor.fullName, from: [run.status] })
      forgetFiles(db, actor, run)
      return start(db, actor, { id, kind: RUN_JOBS.apply, title: `Import ${run.fileName}` })
    },

    async cancel({ db, actor, input: { id } }) {
      await requireRunAccess(db, actor, id)
      const run = await lockRun(db, id)
      if (!['waiting', 'reading', 'ready', 'held', 'applying'].includes(run.status)) {
        throw conflict('This run is over already.')
      }
      if (run.jobId !== null) await stopJob(db, run.jobId)
      if (run.status !== 'applying') {
        await db
          .updateTable('feedRuns')
          .set({ status: 'cancelled', storedAs: null, secondStoredAs: null })
          .where('id', '=', id)
          .execute()
        await db.deleteFrom('feedRunRows').where('runId', '=', id).execute()
        await db.deleteFrom('feedRunPartners').where('runId', '=', id).execute()
        forgetFiles(db, actor, run)
      }
      return readFeedRun(db, actor, id)
    },

    async mend({ db, actor, input }) {
      await requireRunAccess(db, actor, input.runId)
      const id = await fixRow(db, actor, input)
      return readFeedRow(db, actor, { runId: input.runId, id })
    },

    async undo({ db, actor, input: { id } }) {
      await requireRunAccess(db, actor, id)
      const run = await lockRun(db, id)
      if (run.status !== 'applied') throw conflict('Only a run that was applied can be undone.')
      await explainBusy(
        db
          .updateTable('feedRuns')
          .set({ status: 'undoing', error: null, undoneBy: actor.fullName })
          .where('id', '=', id)
          .execute(),
      )
      return start(db, actor, { id, kind: RUN_JOBS.undo, title: `Undo the import of ${run.fileName}` })
    },
  }

  /** Keeps what is sent until a run names it, and drops it where none does. */
  async function withFiles<T>(
    actor: Member,
    files: AsyncIterable<{ name: string; stream: Readable }>,
    most: number,
    work: (taken: readonly [StoredUpload, ...StoredUpload[]]) => Promise<T>,
  ): Promise<T> {
    const taken: StoredUpload[] = []
    try {
      for await (const file of files) {
        const sentence =
          most === 1 ? 'Send one file.' : 'Send one file, or two that a provider mapping joins.'
        if (taken.length === most) throw refused(sentence, { files: sentence })
        taken.push(await receiveFeedFile(intake, actor, file))
      }
      const [first, ...more] = taken
      if (first === undefined) throw refused('Send a file.', { files: 'Send a file.' })
      return await work([first, ...more])
    } catch (error) {
      await dropFeedFiles(intake, actor, taken)
      throw error
    }
  }

  /** Removes the files of a run once it is sure that no one reads them again. */
  function forgetFiles(db: Database, { customerId }: Member, run: Locked): void {
    const stored = [run.storedAs, run.secondStoredAs].filter((name) => name !== null)
    // What could not be removed now is found by the hourly sweep: no run names it any more.
    afterCommit(db, () => storage.remove(stored.map((name) => placeOfRun(customerId, name))).catch(() => {}))
  }

  async function start(
    db: Database,
    actor: Member,
    { id, kind, title }: { id: string; kind: string; title: string },
  ): Promise<FeedRun> {
    const job = await startFile(db, actor, { kind, title, payload: { runId: id } })
    await db.updateTable('feedRuns').set({ jobId: job.id }).where('id', '=', id).execute()
    return readFeedRun(db, actor, id)
  }
}

/** As much of a file as a mapping is tried with, and one byte more where there is more of it. */
async function beginningOf(body: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of body) {
      const piece = Buffer.from(part)
      parts.push(piece)
      bytes += piece.length
      if (bytes > MOST_SAMPLE) break
    }
  } finally {
    body.destroy()
  }
  return Buffer.concat(parts).subarray(0, MOST_SAMPLE + 1)
}

type Locked = Awaited<ReturnType<typeof lockRun>>

/** Holds the run until the end of the transaction. @throws Failure 404 */
async function lockRun(db: Database, id: string) {
  const run = await db
    .selectFrom('feedRuns')
    .select(['id', 'status', 'error', 'held', 'sourceId', 'jobId', 'fileName', 'storedAs', 'secondStoredAs'])
    .select(['rowCount as rows', 'refusedCount as refused', 'missingCount as missing'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  return run
}

function whyNotApplied(status: string): string {
  if (status === 'reading') return 'This run is still being read.'
  if (status === 'applying') return 'This run is being applied already.'
  return `This run cannot be applied: it is ${status}.`
}

/** One that waits ends at once, one that is worked on after its step. */
async function stopJob(db: Database, jobId: string): Promise<void> {
  await sql`update jobs set wants_cancel = true,
      state = case when state = 'waiting' then 'cancelled' else state end,
      ended_at = case when state = 'waiting' then app_now() else ended_at end
    where id = ${jobId} and state in ('waiting', 'running')`.execute(db)
}
