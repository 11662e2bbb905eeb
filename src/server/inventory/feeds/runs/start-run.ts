import { createHash, randomUUID } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import { sql } from 'kysely'
import { FILE_GONE } from '#contract/inventory/feeds/runs/feed-runs.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, Failure, notFound, refused } from '#server/http/failure.ts'
import type { StartJobs } from '#server/jobs/jobs.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { FeedRefusal } from '../formats/feed-refusal.ts'
import { unpackFeed } from '../formats/unpack-feed.ts'
import { organizationOf, requireSourceAccess } from '../sources/source-reach.ts'
import { isReadable, READABLE } from './run-list.ts'
import { shortName } from './file-name.ts'
import { RUN_JOBS } from './run-jobs.ts'
import { placeOfRun } from './run-file.ts'

/** What brings feeds in needs: where files are kept, how large one may be, and who works on them. */
export type FeedIntake = { storage: FileStorage; fileLimit: number; startFile: StartJobs['startFile'] }

type RunRequest = {
  sourceId?: string | undefined
  mappingId?: string | undefined
  lotId?: string | undefined
}

/** A file that lies in the store and that no run names yet. */
export type StoredUpload = { name: string; storedAs: string; bytes: number; hash: string }

type ReceivedFeed = {
  first: StoredUpload
  second: StoredUpload | null
  /** Nobody brought it; and whether it is applied without anybody once it is read, unless something holds it. */
  byItself?: { applies: boolean }
}

/** Where a feed comes in: as whom, and how its transactions are opened. */
export type FeedServer = { actor: Member; inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T> }

/**
 * Takes a feed file in as it comes, never whole in memory; one that is packed is unpacked on its way.
 * @throws Failure 413 when the file is too large, 400 when what is packed is no feed.
 */
export async function receiveFeedFile(
  { storage, fileLimit }: FeedIntake,
  { customerId }: Pick<Member, 'customerId'>,
  { stream, name }: { stream: Readable; name: string },
): Promise<StoredUpload> {
  const storedAs = randomUUID()
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const unpacked = Readable.from(unpackFeed(stream), { objectMode: false })
  unpacked.once('error', (error) => hashing.destroy(error))
  let bytes = 0
  try {
    const staged = await storage.stage(placeOfRun(customerId, storedAs), unpacked.pipe(hashing), (size) => {
      bytes = size
      if (size > fileLimit) {
        throw new Failure(413, `A feed may have at most ${Math.round(fileLimit / 1_048_576)} MB.`)
      }
    })
    await staged.publish({ replaces: false })
  } catch (error) {
    if (error instanceof FeedRefusal) throw refused(error.message, { files: error.message })
    throw error
  }
  return { name: shortName(name), storedAs, bytes, hash: hash.digest('hex') }
}

/** Forgets files that became no run. */
export function dropFeedFiles(
  { storage }: Pick<FeedIntake, 'storage'>,
  { customerId }: Pick<Member, 'customerId'>,
  files: readonly StoredUpload[],
): Promise<void> {
  return storage.remove(files.map(({ storedAs }) => placeOfRun(customerId, storedAs)))
}

/**
 * Puts one file, or two that a mapping joins, in line to be read. Nothing is changed until the run is applied.
 * @returns the number of the run. @throws Failure 400, 404 where the source, the mapping or the lot is none of theirs.
 */
export async function startFeedRun(
  db: Database,
  { startFile }: Pick<FeedIntake, 'startFile'>,
  actor: Member,
  { first, second, byItself, ...asked }: RunRequest & ReceivedFeed,
): Promise<string> {
  await assertReferencesExist(db, actor, asked)
  const { id } = await db
    .insertInto('feedRuns')
    .values({
      organizationId: actor.reach === 'customer' ? await seenBy(db, asked.sourceId) : actor.organizationId,
      sourceId: asked.sourceId ?? null,
      mappingId: asked.mappingId ?? null,
      lotId: asked.lotId ?? null,
      fileName: first.name,
      fileHash: first.hash,
      comesItself: byItself !== undefined,
      appliesItself: byItself?.applies === true,
      storedAs: first.storedAs,
      secondName: second?.name ?? null,
      secondStoredAs: second?.storedAs ?? null,
      bytes: String(first.bytes + (second?.bytes ?? 0)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await startReading(db, { startFile }, { actor, id, fileName: first.name })
  return id
}

/** Whose people see the runs of a source: those of its lots as they are now. */
async function seenBy(db: Database, sourceId: string | undefined): Promise<string | null> {
  if (sourceId === undefined) return null
  const source = await db
    .selectFrom('feedSources')
    .select('lotIds')
    .where('id', '=', sourceId)
    .executeTakeFirst()
  return organizationOf(db, source?.lotIds ?? [])
}

/** Gives a run that waits its second file and puts it in line to be read. @throws Failure 404, 409 */
export async function addSecondFile(
  { startFile }: Pick<FeedIntake, 'startFile'>,
  { actor, inTenant }: FeedServer,
  { id, second }: { id: string; second: StoredUpload },
): Promise<void> {
  await inTenant(async (db) => {
    const run = await refuseNotWaiting(db, id)
    await db
      .updateTable('feedRuns')
      .set({
        status: 'reading',
        secondName: second.name,
        secondStoredAs: second.storedAs,
        bytes: sql`bytes + ${second.bytes}`,
      })
      .where('id', '=', id)
      .execute()
    await startReading(db, { startFile }, { actor, id, fileName: run.fileName })
  })
}

/** @throws Failure 404; 409 when the run does not wait for a second file. */
export async function refuseNotWaiting(db: Database, id: string): Promise<{ fileName: string }> {
  const run = await db
    .selectFrom('feedRuns')
    .select(['status', 'fileName'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  if (run.status !== 'waiting') throw conflict('This run does not wait for a second file.')
  return run
}

/**
 * Reads the kept file of a run anew, with another lot or by another mapping. It is a person who asks: what comes of it waits
 * for one. @throws Failure 404; 409 once it is applied, or where its file is gone.
 */
export async function readFeedAgain(
  db: Database,
  { startFile }: Pick<FeedIntake, 'startFile'>,
  { actor, id, lotId, mappingId }: { actor: Member; id: string } & Pick<RunRequest, 'lotId' | 'mappingId'>,
): Promise<void> {
  const { fileName } = await readStoredFile(db, id)
  const begun = await db
    .updateTable('feedRuns')
    .set({
      status: 'reading',
      error: null,
      held: [],
      appliesItself: false,
      ...(lotId !== undefined && { lotId }),
      ...(mappingId !== undefined && { mappingId }),
    })
    .where('id', '=', id)
    .where('status', 'in', READABLE)
    .returning('id')
    .executeTakeFirst()
  if (begun === undefined) throw conflict(BUSY)
  await startReading(db, { startFile }, { actor, id, fileName })
}

const BUSY = 'This run is being worked on, or over.'

/** @throws Failure 404; 409 when it is applied, or its file is not kept any more. */
export async function readStoredFile(
  db: Database,
  id: string,
): Promise<{ fileName: string; storedAs: string }> {
  const run = await db
    .selectFrom('feedRuns')
    .select(['status', 'fileName', 'storedAs'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  if (!isReadable(run.status)) throw conflict(BUSY)
  if (run.storedAs === null) throw conflict(FILE_GONE)
  return { fileName: run.fileName, storedAs: run.storedAs }
}

async function startReading(
  db: Database,
  { startFile }: Pick<FeedIntake, 'startFile'>,
  { actor, id, fileName }: { actor: Member; id: string; fileName: string },
): Promise<void> {
  const job = await startFile(db, actor, {
    kind: RUN_JOBS.read,
    title: `Read ${fileName}`,
    payload: { runId: id },
  })
  await db.updateTable('feedRuns').set({ jobId: job.id }).where('id', '=', id).execute()
}

/** @throws Failure 400, 404 where the source, the mapping or the lot is none of theirs; 403 where they only look at the source. */
export async function assertReferencesExist(
  db: Database,
  actor: Pick<Member, 'reach'>,
  { sourceId, mappingId, lotId }: RunRequest,
): Promise<void> {
  if (sourceId !== undefined) {
    await requireSourceAccess(db, actor, sourceId)
    const source = await db
      .selectFrom('feedSources')
      .select('isActive')
      .where('id', '=', sourceId)
      .executeTakeFirst()
    if (source === undefined) throw notFound('Feed source')
    if (!source.isActive)
      throw refused('This feed source is switched off.', { sourceId: 'This feed source is switched off.' })
  }
  if (mappingId !== undefined) {
    const mapping = await db
      .selectFrom('providerMappings')
      .select('id')
      .where('id', '=', mappingId)
      .executeTakeFirst()
    if (mapping === undefined) throw notFound('Provider mapping')
  }
  if (lotId !== undefined) {
    const lot = await db.selectFrom('lots').select('id').where('id', '=', lotId).executeTakeFirst()
    if (lot === undefined) throw notFound('Lot')
  }
}
