import { VEHICLE_KEYS } from '#contract/feeds/mappings/feed-questions.ts'
import { createHash, randomUUID } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import { sql } from 'kysely'
import { FILE_GONE } from '#contract/feeds/runs/feed-runs.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, Failure, notFound, refused } from '#server/http/failure.ts'
import type { StartJobs } from '#server/queue/jobs.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { feedText } from './feed-text.ts'
import { organizationOf, requireSourceAccess } from './source-reach.ts'
import { isReadable, READABLE } from './run-list.ts'
import { shortName } from '#server/formats/file-name.ts'
import { RUN_JOBS } from './run-jobs.ts'
import { placeOfRun } from './run-file.ts'

/** What importing feeds needs: file storage, the size limit in bytes, and the job queue. */
export type FeedIntake = { storage: FileStorage; fileLimit: number; startFile: StartJobs['startFile'] }

type RunRequest = {
  sourceId?: string | undefined
  mappingId?: string | undefined
  lotId?: string | undefined
}

/** A stored file that no run refers to yet. */
export type StoredUpload = { name: string; storedAs: string; bytes: number; hash: string }

type ReceivedFeed = {
  first: StoredUpload
  second: StoredUpload | null
  /** Set if the file was received automatically; `applies`: apply it after reading unless it needs review. */
  automatic?: { applies: boolean }
}

/** The actor of an upload and how its transactions are opened. */
export type UploadContext = { actor: Member; inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T> }

/**
 * Streams a feed file to storage, unpacking a compressed one on the way.
 * @throws Failure 413 if the file is too large, 400 if a compressed file contains no feed.
 */
export async function receiveFeedFile(
  { storage, fileLimit }: Pick<FeedIntake, 'storage' | 'fileLimit'>,
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
  const unpacked = Readable.from(feedText(stream, customerId), { objectMode: false })
  unpacked.once('error', (error) => hashing.destroy(error))
  let bytes = 0
  try {
    const staged = await storage.stage(placeOfRun(customerId, storedAs), unpacked.pipe(hashing), (size) => {
      bytes = size
      if (size > fileLimit) {
        throw new Failure(
          413,
          `The file is larger than the limit of ${Math.round(fileLimit / 1_048_576)} MB.`,
        )
      }
    })
    await staged.publish({ replaces: false })
  } catch (error) {
    if (error instanceof FeedRefusal) throw refused(error.message, { files: error.message })
    throw error
  }
  return { name: shortName(name), storedAs, bytes, hash: hash.digest('hex') }
}

/** Removes files that did not become a run. */
export function dropFeedFiles(
  { storage }: Pick<FeedIntake, 'storage'>,
  { customerId }: Pick<Member, 'customerId'>,
  files: readonly StoredUpload[],
): Promise<void> {
  return storage.remove(files.map(({ storedAs }) => placeOfRun(customerId, storedAs)))
}

/**
 * Queues one file, or two that a mapping joins, for reading. No vehicle changes until the run is applied.
 * @returns the ID of the run. @throws Failure 400; 404 if the caller can't access the source, the mapping or the lot.
 */
export async function startFeedRun(
  db: Database,
  { startFile }: Pick<FeedIntake, 'startFile'>,
  actor: Member,
  { first, second, automatic, ...request }: RunRequest & ReceivedFeed,
): Promise<string> {
  await assertReferencesExist(db, actor, request)
  const { id } = await db
    .insertInto('feedRuns')
    .values({
      organizationId:
        actor.reach === 'customer' ? await organizationOfSource(db, request.sourceId) : actor.organizationId,
      sourceId: request.sourceId ?? null,
      mappingId: request.mappingId ?? null,
      lotId: request.lotId ?? null,
      fileName: first.name,
      fileHash: first.hash,
      isAutomatic: automatic !== undefined,
      autoApply: automatic?.applies === true,
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

/** The organization that sees the runs of a source, according to its current lots. */
async function organizationOfSource(db: Database, sourceId: string | undefined): Promise<string | null> {
  if (sourceId === undefined) return null
  const source = await db
    .selectFrom('feedSources')
    .select('lotIds')
    .where('id', '=', sourceId)
    .executeTakeFirst()
  return organizationOf(db, source?.lotIds ?? [])
}

/** Adds the second file to a waiting run and queues it for reading. @throws Failure 404, 409 */
export async function addSecondFile(
  { startFile }: Pick<FeedIntake, 'startFile'>,
  { actor, inTenant }: UploadContext,
  { id, second }: { id: string; second: StoredUpload },
): Promise<void> {
  await inTenant(async (db) => {
    const run = await assertWaiting(db, id)
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

/** @throws Failure 404; 409 if the run isn't waiting for a second file. */
export async function assertWaiting(db: Database, id: string): Promise<{ fileName: string }> {
  const run = await db
    .selectFrom('feedRuns')
    .select(['status', 'fileName'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (run === undefined) throw notFound('Feed run')
  if (run.status !== 'waiting') throw conflict("This feed isn't waiting for a second file.")
  return run
}

/**
 * Reads the stored file of a run again, with a different lot or mapping. Because a user requested it, the result is not applied
 * automatically. @throws Failure 404; 409 if it was applied or its file is no longer stored.
 */
export async function readFeedAgain(
  db: Database,
  { startFile }: Pick<FeedIntake, 'startFile'>,
  { actor, id, lotId, mappingId }: { actor: Member; id: string } & Pick<RunRequest, 'lotId' | 'mappingId'>,
): Promise<void> {
  const { fileName } = await readStoredFile(db, id)
  const started = await db
    .updateTable('feedRuns')
    .set({
      status: 'reading',
      error: null,
      reviewReasons: [],
      autoApply: false,
      // What was said about vehicles was about those beside another lot.
      ...(lotId !== undefined && {
        lotId,
        lotPresumed: false,
        answers: sql`answers - ${[...VEHICLE_KEYS]}::text[]`,
      }),
      ...(mappingId !== undefined && { mappingId }),
    })
    .where('id', '=', id)
    .where('status', 'in', READABLE)
    .returning('id')
    .executeTakeFirst()
  if (started === undefined) throw conflict(BUSY)
  await startReading(db, { startFile }, { actor, id, fileName })
}

const BUSY = 'This feed is being processed or is already finished.'

/** @throws Failure 404; 409 if it was applied or its file is no longer stored. */
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

/** @throws Failure 400; 404 if the caller can't access the source, the mapping or the lot; 403 if the source is read-only. */
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
      throw refused('This feed source is turned off.', { sourceId: 'This feed source is turned off.' })
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
