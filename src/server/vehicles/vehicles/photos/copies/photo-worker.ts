import { sql } from 'kysely'
import type pg from 'pg'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import { isDiskFull } from '#server/error-code.ts'
import { type DueWorker, makeDueWorker } from '#server/queue/due-worker.ts'
import { LostLease } from '#server/queue/lease.ts'
import { type CopyLimits, copyPhoto, readCopyUsage, removeUnused, takeDuePhoto } from './copy-photo.ts'
import {
  claimPhotoHost,
  endPhotoHost,
  holdPhotoHost,
  noteHostAnswers,
  type PhotoHostLease,
  photoScope,
  whileCopying,
} from './photo-hosts.ts'
import type { PhotoStore } from './photo-store.ts'

/** How long a customer's host is served before others have their turn. */
const SLICE_MS = 10_000
/** Copies that are removed at once to make room, the oldest of those that no vehicle shows. */
const ROOM = 50
const DISK_FULL = 'The file storage is full.'

export type PhotoWorkerParts = {
  pool: pg.Pool
  /** The pool of `forecourt_jobs`. */
  queue: pg.Pool
  store: PhotoStore
  limits: CopyLimits
  /** Photos may be loaded from private addresses: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  onError: (error: unknown) => void
}

type Within = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/**
 * Copies the photos of published vehicles from other servers, and makes their pictures, before a buyer asks for them. Safe to call
 * at any time and on several servers: a lease gives each host of a customer to one server, and expires a minute after that server
 * is killed.
 */
export function makePhotoWorker(parts: PhotoWorkerParts): DueWorker {
  const { pool, queue, store, limits, allowsPrivate, onError } = parts
  let isStopping = false

  async function copyUntil(endsAt: number, within: Within, lease: PhotoHostLease) {
    const { customerId, host } = lease
    const { left, isFull } = await readRoom(within, customerId)
    for (let added = 0; ;) {
      if ((!isFull && added >= left) || isStopping || performance.now() >= endsAt) break
      // oxlint-disable-next-line no-await-in-loop -- One connection.
      const due = await within(async (db) => {
        await holdPhotoHost(db, lease)
        return takeDuePhoto(db, { customerId, host, isFull })
      })
      if (due === null) break
      // oxlint-disable-next-line no-await-in-loop -- One connection.
      const problem = await copyPhoto({ customerId, store, isGuarded: !allowsPrivate, within }, due)
      if (problem !== null) return { problem, isFull }
      if (due.content === null) added += 1
    }
    return { problem: null, isFull }
  }

  /** How many photos may be added now. At the limit, the oldest copies that no vehicle shows make room. */
  async function readRoom(within: Within, customerId: string): Promise<{ left: number; isFull: boolean }> {
    const read = () => within((db) => readCopyUsage(db, customerId, limits))
    const usage = await read()
    const { left, reached } =
      usage.reached !== null && (await makeRoom(within, customerId)) ? await read() : usage
    return { left, isFull: reached !== null }
  }

  async function makeRoom(within: Within, customerId: string): Promise<boolean> {
    const removed = await within((db) => forgetUnused(db, customerId, { days: 0, most: ROOM }))
    await removeUnused({ customerId, store, within }, removed.contents)
    return removed.count > 0
  }

  async function work(lease: PhotoHostLease): Promise<void> {
    const within: Within = (some) => inTenant(pool, photoScope(lease.customerId), some)
    try {
      const copying = whileCopying(within, lease, () =>
        copyUntil(performance.now() + SLICE_MS, within, lease),
      )
      const result = await copying.catch((error: unknown) => {
        if (!isDiskFull(error)) throw error
        onError(error)
        return { problem: DISK_FULL, isFull: false }
      })
      await within((db) => endPhotoHost(db, lease, result))
      if (lease.failures > 0 && result.problem === null) await noteHostAnswers(queue, lease.host)
    } catch (error) {
      // The server that holds the lease now continues.
      if (!(error instanceof LostLease)) throw error
    }
  }

  const worker = makeDueWorker({ claim: () => claimPhotoHost(queue), work, onError })
  return {
    workDue: worker.workDue,
    stop: () => {
      isStopping = true
      return worker.stop()
    },
  }
}

/** Deletes the rows of copies that no published vehicle has named for this number of days, the oldest first. */
export async function forgetUnused(
  db: Database,
  customerId: string,
  { days, most }: { days: number; most: number },
): Promise<{ count: number; contents: string[] }> {
  const { rows } = await sql<{ content: string | null }>`
    delete from photo_copies where customer_id = ${customerId} and key in (
      select key from photo_copies where customer_id = ${customerId} and unused_since is not null
        and unused_since <= app_now() - ${days} * interval '1 day' order by unused_since limit ${most})
    returning content`.execute(db)
  return { count: rows.length, contents: rows.flatMap(({ content }) => content ?? []) }
}
