import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import { Failure } from '#server/http/failure.ts'
import { TransferFailure } from '#server/outside/transfer/remote.ts'
import { fetchNewerPhoto, isHostDown } from '../fetch-photo.ts'
import { type PhotoStore, sha256 } from './photo-store.ts'

/** Seconds until a photo that failed is tried again. */
const PHOTO_WAITS = [60, 300, 1_800, 4 * 3_600, 86_400]
/** A copy that did not change is looked at again after as long as it has been unchanged, within these days. */
const AGAIN_DAYS = { least: 1, most: 7 }
const NO_PICTURE = 'It is damaged, or no picture can be made of it.'
const UNREADABLE = "It can't be loaded."

export type DuePhoto = {
  key: string
  place: string
  content: string | null
  etag: string | null
  lastModified: string | null
}

/** The limit of a customer: photos, and bytes with the pictures made of them. */
export type CopyLimits = { photos: number; bytes: number }

/**
 * Takes the next due photo of a host; null if none is due. It counts as failed until it succeeds, so that a photo that ends the
 * process is not tried at once again.
 * @param isFull only those that were copied before
 */
export async function takeDuePhoto(
  db: Database,
  { customerId, host, isFull }: { customerId: string; host: string; isFull: boolean },
): Promise<DuePhoto | null> {
  const { rows } = await sql<DuePhoto>`
    update photo_copies c set failures = c.failures + 1, next_at = app_now()
      + (${PHOTO_WAITS}::int[])[least(c.failures + 1, ${PHOTO_WAITS.length})] * interval '1 second'
    where c.customer_id = ${customerId} and c.key = (select d.key from photo_copies d where d.customer_id = ${customerId}
      and d.host = ${host} and d.unused_since is null and d.next_at <= app_now() and (d.content is not null or not ${isFull})
      order by d.next_at limit 1)
    returning c.key, c.place, c.content, c.etag, c.last_modified`.execute(db)
  return rows[0] ?? null
}

type Parts = {
  customerId: string
  store: PhotoStore
  isGuarded: boolean
  within: <T>(work: (db: Database) => Promise<T>) => Promise<T>
}

/**
 * Copies one photo, or confirms that its copy is the present version. A failure is noted with the photo; an earlier copy stays.
 * @returns why its host did not answer; null if it did. @throws Error if it can't be stored
 */
export async function copyPhoto(
  { customerId, store, isGuarded, within }: Parts,
  due: DuePhoto,
): Promise<string | null> {
  const { key, place, content } = due
  const hasCopy = content !== null && (await store.has(customerId, content))
  try {
    const photo = await fetchNewerPhoto(place, { isGuarded }, hasCopy ? due : null)
    if (photo === null) {
      await within((db) => noteChecked(db, customerId, key))
      return null
    }
    const { bytes, etag, lastModified } = photo
    const now = sha256(bytes)
    const size =
      (await sizeOf(within, customerId, { content: now, store })) ?? (await store.put(customerId, now, bytes))
    if (size === null) {
      await within((db) => noteFailed(db, customerId, { key, problem: NO_PICTURE }))
      return null
    }
    await within((db) => noteCopied(db, customerId, { key, content: now, size, etag, lastModified }))
    if (content !== null && content !== now) await removeUnused({ customerId, store, within }, [content])
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const problem = error.cause instanceof TransferFailure ? error.cause.reason : UNREADABLE
    await within((db) => noteFailed(db, customerId, { key, problem }))
    return isHostDown(error) ? problem : null
  }
}

/** What a photo that is already stored needs in storage; null if it isn't. */
async function sizeOf(
  within: Parts['within'],
  customerId: string,
  { content, store }: { content: string; store: PhotoStore },
): Promise<number | null> {
  const { rows } = await within((db) =>
    sql<{
      bytes: string
    }>`select bytes from photo_copies where customer_id = ${customerId} and content = ${content}
      limit 1`.execute(db),
  )
  return rows[0] !== undefined && (await store.has(customerId, content)) ? Number(rows[0].bytes) : null
}

/** Removes stored photos that no address has anymore. */
export async function removeUnused(
  { customerId, store, within }: Pick<Parts, 'customerId' | 'store' | 'within'>,
  contents: readonly string[],
): Promise<void> {
  const { rows } = await within((db) =>
    sql<{ content: string }>`select distinct n.content from unnest(${contents}::text[]) n (content)
      where not exists (select from photo_copies c where c.customer_id = ${customerId} and c.content = n.content)`.execute(
      db,
    ),
  )
  await store.remove(
    customerId,
    rows.map(({ content }) => content),
  )
}

/** SQL: when a copy is looked at again. Not all at once that were copied at once. */
const again = (
  since: ReturnType<typeof sql>,
) => sql`app_now() + (0.9 + random() * 0.2) * greatest(${AGAIN_DAYS.least} * interval '1 day',
  least(${AGAIN_DAYS.most} * interval '1 day', app_now() - ${since}))`

async function noteChecked(db: Database, customerId: string, key: string): Promise<void> {
  await sql`update photo_copies c set failures = 0, problem = null, checked_at = app_now(), next_at = ${again(sql`c.copied_at`)}
    where c.customer_id = ${customerId} and c.key = ${key}`.execute(db)
}

async function noteCopied(
  db: Database,
  customerId: string,
  of: Pick<DuePhoto, 'key' | 'etag' | 'lastModified'> & { content: string; size: number },
): Promise<void> {
  const { key, content, size, etag, lastModified } = of
  const copiedAt = sql`case when c.content = ${content} then c.copied_at else app_now() end`
  await sql`update photo_copies c set content = ${content}, bytes = ${size}, etag = ${etag}, last_modified = ${lastModified},
      copied_at = ${copiedAt}, checked_at = app_now(), failures = 0, problem = null, next_at = ${again(copiedAt)}
    where c.customer_id = ${customerId} and c.key = ${key}`.execute(db)
}

async function noteFailed(
  db: Database,
  customerId: string,
  { key, problem }: { key: string; problem: string },
): Promise<void> {
  await sql`update photo_copies set problem = ${problem} where customer_id = ${customerId} and key = ${key}`.execute(
    db,
  )
}

/** What a customer's copies need, and whether that is the limit. */
export async function readCopyUsage(
  db: Database,
  customerId: string,
  limits: CopyLimits,
): Promise<{ left: number; reached: 'photos' | 'bytes' | null }> {
  const { rows } = await sql<{ photos: number; bytes: string }>`
    select coalesce(sum(photos), 0)::int as photos, coalesce(sum(bytes), 0)::text as bytes from (
      select count(*) as photos, max(bytes) as bytes from photo_copies
      where customer_id = ${customerId} and content is not null group by content) stored`.execute(db)
  const { photos, bytes } = rows[0] ?? { photos: 0, bytes: '0' }
  const left = limits.photos - photos
  if (left <= 0) return { left: 0, reached: 'photos' }
  return Number(bytes) >= limits.bytes ? { left: 0, reached: 'bytes' } : { left, reached: null }
}
