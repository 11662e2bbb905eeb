import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { FILE_GONE, type FeedRun, type feedRuns, NOTHING_TO_APPLY } from '#contract/feeds/runs/feed-runs.ts'
import { ASKS_FIRST } from '#contract/feeds/mappings/feed-questions.ts'
import { FEED_RUN_LIST } from '#contract/feeds/runs/feed-run-list.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { MAX_SAMPLE_BYTES } from '#contract/feeds/mappings/provider-mappings.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import { afterCommit, type Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { Download } from '#server/http/kinds.ts'
import { missing } from '#server/http/require-permission.ts'
import type { Handlers } from '#server/http/serve.ts'
import { seesCost } from '#server/vehicles/index.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import {
  addSecondFile,
  startFeedRun,
  readFeedAgain,
  readStoredFile,
  dropFeedFiles,
  type FeedIntake,
  assertReferencesExist,
  assertWaiting,
  type StoredUpload,
  receiveFeedFile,
} from './start-run.ts'
import { requireRunAccess } from './source-reach.ts'
import { startApplying, explainBusy } from './start-applying.ts'
import { answerMileages, answerPrices } from './answer-prices.ts'
import { answerQuestions } from './reading/file-questions.ts'
import { fixRow } from './fix-row.ts'
import { placeOfRun } from './run-file.ts'
import { RUN_JOBS } from './run-jobs.ts'
import { previewUndo } from './undo-run.ts'
import { hasNothingToApply, listFeedRuns, readFeedRun } from './run-list.ts'
import { listFeedRows, readFeedRow } from './run-rows.ts'

/** What handlers need; storage only where no transaction is open. */
type HandlerIntake = Omit<FeedIntake, 'storage'> & { storage: OutsideStorage }

const NOT_APPLIED = 'Only applied feeds can be undone.'
/** A mapping joins at max two files. */
const MAX_FILES = 2

/** Feed runs: upload, review, fix, apply and undo. */
export function feedRunHandlers(intake: HandlerIntake): Handlers<typeof feedRuns> {
  const { storage: storageOf, startFile } = intake
  return {
    list: ({ db, actor, input }) => listFeedRuns(db, actor, input),
    get: ({ db, actor, input }) => readFeedRun(db, actor, input.id),
    rows: ({ db, actor, input }) => listFeedRows(db, actor, input),

    async add({ actor, inTenant, outside, files, input }) {
      await inTenant((db) => assertReferencesExist(db, actor, input))
      const id = await withFiles({ actor, outside }, files, MAX_FILES, ([first, second]) =>
        inTenant((db) => startFeedRun(db, intake, actor, { ...input, first, second: second ?? null })),
      )
      return inTenant((db) => readFeedRun(db, actor, id))
    },

    async addSecond({ actor, inTenant, outside, files, input: { id } }) {
      await inTenant(async (db) => {
        await requireRunAccess(db, actor, id)
        await assertWaiting(db, id)
      })
      await withFiles({ actor, outside }, files, 1, ([second]) =>
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

    async sample({ actor, inTenant, outside, input: { id } }) {
      const { fileName, storedAs } = await inTenant(async (db) => {
        await requireRunAccess(db, actor, id)
        await requireCostsOf(db, actor, id)
        return readStoredFile(db, id)
      })
      const file = await storageOf(outside).read(placeOfRun(actor.customerId, storedAs))
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
      const isResumed = run.status === 'applied' && run.error !== null
      if (run.status === 'review' && run.hasQuestions) throw conflict(ASKS_FIRST)
      if (run.status === 'review' && !confirm) {
        throw conflict(`This feed needs review: ${run.reviewReasons.join(' ')} Confirm to apply it anyway.`, {
          confirm: 'Confirm to apply it anyway.',
        })
      }
      if (run.status !== 'ready' && run.status !== 'review' && !isResumed) throw conflict(whyNotApplied(run))
      if (!isResumed && hasNothingToApply(run)) throw conflict(NOTHING_TO_APPLY)
      await startApplying(db, { ...run, by: actor.fullName, from: [run.status] })
      removeFiles(db, actor, run)
      return start(db, actor, { id, kind: RUN_JOBS.apply, title: `Import ${run.fileName}` })
    },

    async cancel({ db, actor, input: { id } }) {
      await requireRunAccess(db, actor, id)
      const run = await lockRun(db, id)
      if (!['waiting', 'reading', 'ready', 'review', 'applying'].includes(run.status)) {
        throw conflict('This feed is already finished.')
      }
      if (run.jobId !== null) await stopJob(db, run.jobId)
      if (run.status !== 'applying') {
        await db
          .updateTable('feedRuns')
          .set({ status: 'canceled', storedAs: null, secondStoredAs: null })
          .where('id', '=', id)
          .execute()
        await db.deleteFrom('feedRunRows').where('runId', '=', id).execute()
        await db.deleteFrom('feedRunPartners').where('runId', '=', id).execute()
        removeFiles(db, actor, run)
      }
      return readFeedRun(db, actor, id)
    },

    async fixRow({ db, actor, input }) {
      await requireRunAccess(db, actor, input.runId)
      const id = await fixRow(db, actor, input)
      return readFeedRow(db, actor, { runId: input.runId, id })
    },

    async answerQuestions({ db, actor, input: { id, answers } }) {
      await requireRunAccess(db, actor, id)
      await answerQuestions(db, id, answers)
      await readFeedAgain(db, intake, { actor, id })
      return readFeedRun(db, actor, id)
    },

    async answerPrices({ db, actor, input }) {
      await requireRunAccess(db, actor, input.runId)
      await answerPrices(db, actor, input)
      return readFeedRun(db, actor, input.runId)
    },

    async answerMileages({ db, actor, input }) {
      await requireRunAccess(db, actor, input.runId)
      await answerMileages(db, actor, input)
      return readFeedRun(db, actor, input.runId)
    },

    async undoEffect({ db, actor, input: { id } }) {
      const { status } = await readFeedRun(db, actor, id)
      if (status !== 'applied') throw conflict(NOT_APPLIED)
      return previewUndo(db, { customerId: actor.customerId, runId: id })
    },

    async undo({ db, actor, input: { id } }) {
      await requireRunAccess(db, actor, id)
      const run = await lockRun(db, id)
      if (run.status !== 'applied') throw conflict(NOT_APPLIED)
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

  /** Stores the uploaded files and removes them again if `work` fails. */
  async function withFiles<T>(
    { actor, outside }: { actor: Member; outside: Outside },
    files: AsyncIterable<{ name: string; stream: Readable }>,
    max: number,
    work: (uploads: readonly [StoredUpload, ...StoredUpload[]]) => Promise<T>,
  ): Promise<T> {
    const uploads: StoredUpload[] = []
    const storage = storageOf(outside)
    try {
      for await (const file of files) {
        const sentence = max === 1 ? 'Send one file.' : 'Send one file, or two that a provider mapping joins.'
        if (uploads.length === max) throw refused(sentence, { files: sentence })
        uploads.push(await receiveFeedFile({ ...intake, storage }, actor, file))
      }
      const [first, ...more] = uploads
      if (first === undefined) throw refused('Send a file.', { files: 'Send a file.' })
      return await work([first, ...more])
    } catch (error) {
      await dropFeedFiles({ storage }, actor, uploads)
      throw error
    }
  }

  /** Removes the files of a run after the commit, when nothing can read them again. */
  function removeFiles(db: Database, { customerId }: Member, run: Locked): void {
    const stored = [run.storedAs, run.secondStoredAs].filter((name) => name !== null)
    // If this fails, the hourly sweep removes them, because no run refers to them anymore.
    afterCommit(db, (outside) =>
      storageOf(outside)
        .remove(stored.map((name) => placeOfRun(customerId, name)))
        .catch(() => {}),
    )
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

/** The part of a file that a mapping is tried with, plus one byte if the file is longer. */
async function beginningOf(body: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of body) {
      const piece = Buffer.from(part)
      parts.push(piece)
      bytes += piece.length
      if (bytes > MAX_SAMPLE_BYTES) break
    }
  } finally {
    body.destroy()
  }
  return Buffer.concat(parts).subarray(0, MAX_SAMPLE_BYTES + 1)
}

type Locked = Awaited<ReturnType<typeof lockRun>>

/** Locks the run until the end of the transaction. @throws Failure 404 */
async function lockRun(db: Database, id: string) {
  const run = await db
    .selectFrom('feedRuns')
    .select([
      'id',
      'status',
      'error',
      'reviewReasons',
      'sourceId',
      'jobId',
      'fileName',
      'storedAs',
      'secondStoredAs',
    ])
    .select(['rowCount as rows', 'refusedCount as refused', 'leftOutCount as leftOut'])
    .select('missingCount as missing')
    .select(sql<boolean>`questions <> '[]'`.as('hasQuestions'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  return run
}

function whyNotApplied({ status, error }: { status: string; error: string | null }): string {
  if (status === 'canceled' && error !== null) return `${error} To apply this one, upload it again.`
  if (status === 'reading') return 'This feed is still being read.'
  if (status === 'applying') return 'This feed is already being applied.'
  const label = FEED_RUN_LIST.fields.status.choices?.find(({ value }) => value === status)?.label ?? status
  return `This feed can't be applied. Its status is ${label}.`
}

/** Cancels a job: one in the queue ends immediately, a running one after its current step. */
async function stopJob(db: Database, jobId: string): Promise<void> {
  await sql`update jobs set wants_cancel = true,
      state = case when state = 'waiting' then 'canceled' else state end,
      ended_at = case when state = 'waiting' then app_now() else ended_at end
    where id = ${jobId} and state in ('waiting', 'running')`.execute(db)
}

/** @throws Failure 403 for a file with costs, to users who don't see costs: it is handed out unchanged */
async function requireCostsOf(db: Database, actor: Member, id: string): Promise<void> {
  if (seesCost(actor)) return
  const run = await db
    .selectFrom('feedRuns')
    .select(['mapping', 'columns'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  const { mapping, columns } = run
  const isMapped = /"(?:cost|invoice)":/.test(JSON.stringify(mapping))
  if (isMapped || columns?.some((name) => /cost|invoice/i.test(name)) === true)
    throw missing(actor, can(Func.vehicleCost, Opr.list))
}
