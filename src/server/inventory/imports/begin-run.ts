import { createHash, randomUUID } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { Failure, notFound, refused } from '#server/http/failure.ts'
import type { StartJobs } from '#server/jobs/jobs.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import { RUN_JOBS } from './run-jobs.ts'
import { shortName } from './file-name.ts'
import { placeOfRun } from './run-file.ts'

/** What brings feeds in needs: where files are kept, how large one may be, and who works on them. */
export type FeedIntake = { storage: FileStorage; fileLimit: number; startFile: StartJobs['startFile'] }

export type ComingFeed = {
  stream: Readable
  fileName: string
  sourceId?: string | undefined
  mappingId?: string | undefined
  lotId?: string | undefined
  /** Nobody brought it; and whether it is applied without anybody once it is read, unless something holds it. */
  byItself?: { applies: boolean }
  /** The run that has this very file already, if there is one: then the file is not kept and no other run begins. */
  findSame?: (db: Database, fileHash: string) => Promise<string | null>
}

/** `isSame`: the file was there before, and this is its run. */
export type BegunRun = { id: string; isSame: boolean }

/** Where a feed comes in: as whom, and how its transactions are opened. */
export type FeedPlace = { actor: Member; inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T> }

/**
 * Takes a feed file in as it comes, never whole in memory, and puts it in line to be read. Nothing is changed until the
 * run is applied.
 * @throws Failure 400, 404 where the source, the mapping or the lot is none of theirs,
 * 413 when the file is too large.
 */
export async function beginFeedRun(
  { storage, fileLimit, startFile }: FeedIntake,
  { actor, inTenant }: FeedPlace,
  { stream, fileName, sourceId, mappingId, lotId, byItself, findSame }: ComingFeed,
): Promise<BegunRun> {
  const asked = { sourceId, mappingId, lotId }
  await inTenant((db) => refuseForeign(db, asked))
  const storedAs = randomUUID()
  const place = placeOfRun(actor.customerId, storedAs)
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  stream.once('error', (error) => hashing.destroy(error))
  let bytes = 0
  const staged = await storage.stage(place, stream.pipe(hashing), (size) => {
    bytes = size
    if (size > fileLimit) {
      throw new Failure(413, `A feed may have at most ${Math.round(fileLimit / 1_048_576)} MB.`)
    }
  })
  const fileHash = hash.digest('hex')
  const same = await inTenant(async (db) => (await findSame?.(db, fileHash)) ?? null).catch(
    async (error: unknown) => {
      await staged.discard()
      throw error
    },
  )
  if (same !== null) {
    await staged.discard()
    return { id: same, isSame: true }
  }
  await staged.publish({ replaces: false })
  try {
    return await inTenant(async (db) => {
      await refuseForeign(db, asked)
      const { id } = await db
        .insertInto('feedRuns')
        .values({
          organizationId: actor.reach === 'customer' ? null : actor.organizationId,
          sourceId: sourceId ?? null,
          mappingId: mappingId ?? null,
          lotId: lotId ?? null,
          fileName: shortName(fileName),
          fileHash,
          comesItself: byItself !== undefined,
          appliesItself: byItself?.applies === true,
          storedAs,
          bytes: String(bytes),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const job = await startFile(db, actor, {
        kind: RUN_JOBS.read,
        title: `Read ${shortName(fileName)}`,
        payload: { runId: id },
      })
      await db.updateTable('feedRuns').set({ jobId: job.id }).where('id', '=', id).execute()
      return { id, isSame: false }
    })
  } catch (error) {
    await storage.remove([place])
    throw error
  }
}

async function refuseForeign(
  db: Database,
  { sourceId, mappingId, lotId }: Pick<ComingFeed, 'sourceId' | 'mappingId' | 'lotId'>,
): Promise<void> {
  if (sourceId !== undefined) {
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
