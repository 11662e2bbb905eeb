import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { DB } from '#server/database/schema.ts'
import type { PublicPictures } from '#server/files/index.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import type { DueWorker } from '#server/queue/due-worker.ts'
import { type CopiedPhotos, makeCopiedPhotos } from './copied-photos.ts'
import { hasPhotoRequests, notePhotoUses } from './note-photo-uses.ts'
import { photoStore } from './photo-store.ts'
import { makePhotoWorker, type PhotoWorkerParts } from './photo-worker.ts'
import { checkPhotoCopies, sweepPhotoCopies } from './sweep-photo-copies.ts'

export type PhotoCopying = DueWorker & {
  copies: CopiedPhotos
  pictures: PublicPictures
  /** Whether vehicles changed, so that `noteUses` has something to do. */
  hasRequests: () => Promise<boolean>
  noteUses: () => Promise<void>
  /** Removes what is not needed anymore. */
  sweep: () => Promise<void>
  /** Compares what is stored with the database. */
  check: () => Promise<void>
}

/** Copies of the photos of published vehicles that are on other servers, and the work that makes and removes them. */
export function makePhotoCopying({
  storage,
  pictures,
  iam,
  exportPool,
  ...parts
}: Omit<PhotoWorkerParts, 'store'> & {
  storage: FileStorage
  pictures: PublicPictures
  iam: Kysely<DB>
  /** For requests, which may come from many buyers at once. */
  exportPool: pg.Pool
}): PhotoCopying {
  const { pool, queue } = parts
  const store = photoStore(storage, pictures)
  return {
    ...makePhotoWorker({ ...parts, store }),
    copies: makeCopiedPhotos({ pool: exportPool, store, pictures }),
    pictures,
    hasRequests: () => hasPhotoRequests(queue),
    noteUses: () => notePhotoUses(queue, pool),
    sweep: () => sweepPhotoCopies({ iam, pool, store }),
    check: () => checkPhotoCopies({ iam, pool, store }),
  }
}
