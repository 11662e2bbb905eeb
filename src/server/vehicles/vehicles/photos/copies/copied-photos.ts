import { sql } from 'kysely'
import type pg from 'pg'
import type { Outside } from '#server/database/outside-transaction.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { PublicPictures } from '#server/files/index.ts'
import { notFound } from '#server/http/failure.ts'
import { systemScope } from '#server/queue/due-items.ts'
import { folderOfCopy, type PhotoStore, sha256 } from './photo-store.ts'
import { photoScope } from './photo-hosts.ts'
import { makeAgain } from './sweep-photo-copies.ts'

type CopyQuery = { customerId: string; place: string }
type PictureQuery = CopyQuery & { width: number; type: 'image/webp' | 'image/jpeg' }

/** Reads photos of other servers from their copies, also while those servers do not answer. */
export type CopiedPhotos = {
  /**
   * A picture of a photo's copy; null if there is no copy.
   * @throws Failure 404 if there is none, and the photo or its host failed a moment ago: it isn't asked again yet
   */
  picture: (outside: Outside, wanted: PictureQuery) => Promise<Buffer | null>
  /** The photo itself; null if there is no copy. @throws Failure 404 as `picture` */
  original: (outside: Outside, wanted: CopyQuery) => Promise<{ type: string; bytes: Buffer } | null>
}

export function makeCopiedPhotos({
  pool,
  store,
  pictures,
}: {
  pool: pg.Pool
  store: PhotoStore
  pictures: PublicPictures
}): CopiedPhotos {
  /** What `read` makes of the copy. A copy whose file is gone is made again. */
  async function readCopy<T>(
    { customerId, place }: CopyQuery,
    read: (content: string) => Promise<T | null>,
  ): Promise<T | null> {
    const found = await inTenant(pool, systemScope(customerId, 'photos.read', true), (db) =>
      findCopy(db, customerId, place),
    )
    if (found === null) return null
    const { content } = found
    if (content === null) {
      if (found.isLeftAlone) throw notFound('Photo')
      return null
    }
    const bytes = await read(content)
    if (bytes === null)
      await inTenant(pool, photoScope(customerId), (db) => makeAgain(db, customerId, [content]))
    return bytes
  }

  return {
    picture: (_outside, { width, type, ...wanted }) =>
      readCopy(wanted, (content) =>
        pictures.read({
          customerId: wanted.customerId,
          original: folderOfCopy(wanted.customerId, content),
          width,
          type,
          load: async () => (await store.read(wanted.customerId, content))?.bytes ?? null,
        }),
      ),
    original: (_outside, wanted) => readCopy(wanted, (content) => store.read(wanted.customerId, content)),
  }
}

async function findCopy(
  db: Database,
  customerId: string,
  place: string,
): Promise<{ content: string | null; isLeftAlone: boolean } | null> {
  const { rows } = await sql<{ content: string | null; isLeftAlone: boolean }>`
    select c.content, c.problem is not null and c.next_at > app_now() or coalesce(h.rests_until > app_now(), false) as is_left_alone
    from photo_copies c left join photo_hosts h on h.customer_id = c.customer_id and h.host = c.host
    where c.customer_id = ${customerId} and c.key = ${sha256(place)}`.execute(db)
  return rows[0] ?? null
}

/** The addresses of published vehicles of which there is a copy, by vehicle. */
export async function readCopiedPlaces(
  db: Database,
  customerId: string,
  vehicleIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ vehicleId: string; place: string }>`
    select u.vehicle_id::text, c.place from photo_uses u
    join photo_copies c on c.customer_id = u.customer_id and c.key = u.key
    where u.customer_id = ${customerId} and u.vehicle_id = any(${vehicleIds}::bigint[]) and c.content is not null`.execute(
    db,
  )
  const places = new Map<string, Set<string>>()
  for (const { vehicleId, place } of rows)
    places.set(vehicleId, (places.get(vehicleId) ?? new Set<string>()).add(place))
  return places
}
