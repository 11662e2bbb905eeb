import { sql } from 'kysely'
import { z } from 'zod'
import type { PhotoCopies } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { Photo } from '#contract/vehicles/vehicles/vehicles.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'
import { isPublishedOnLot } from '../../vehicle-json.ts'
import { type CopyLimits, readCopyUsage } from './copy-photo.ts'
import { sha256 } from './photo-store.ts'

/** How far the photos of a vehicle that are on other servers are copied. @throws Failure 404 */
export async function readPhotoCopies(
  db: Database,
  customerId: string,
  id: string,
  limits: CopyLimits,
): Promise<PhotoCopies> {
  // Row level security limits this to the vehicles the user sees.
  const { rows } = await sql<{ photos: unknown; isPublished: boolean }>`
    select v.photos, ${isPublishedOnLot} as is_published from vehicles v
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    where v.id = ${id}`.execute(db)
  const [vehicle] = rows
  if (vehicle === undefined) throw notFound('Vehicle')
  const keys = z
    .array(Photo)
    .parse(vehicle.photos)
    .flatMap(({ kind, place }) => (kind === 'address' ? [sha256(place)] : []))
  const { rows: groups } = await sql<Group>`
    select c.content is not null as is_copied, c.host, case when c.content is null then coalesce(c.problem, h.problem) end as reason,
      count(*)::int as photos, ${instant(sql`nullif(min(greatest(c.next_at, h.rests_until)), 'infinity')`)} as next_at
    from photo_copies c left join photo_hosts h on h.customer_id = c.customer_id and h.host = c.host
    where c.customer_id = ${customerId} and c.key = any(${keys}::text[])
    group by 1, 2, 3 order by 4 desc, 2, 3`.execute(db)
  const copied = groups.reduce((sum, one) => sum + (one.isCopied ? one.photos : 0), 0)
  const problems = groups.flatMap(({ host, reason, photos, nextAt }) =>
    reason === null ? [] : [{ host, reason, photos, nextAt }],
  )
  const failed = problems.reduce((sum, { photos }) => sum + photos, 0)
  const waiting = vehicle.isPublished ? new Set(keys).size - copied - failed : 0
  const reached = waiting === 0 ? null : (await readCopyUsage(db, customerId, limits)).reached
  return {
    isPublished: vehicle.isPublished,
    photos: new Set(keys).size,
    copied,
    waiting,
    problems,
    limit: reached && { of: reached, most: limits[reached] },
  }
}

type Group = { isCopied: boolean; host: string; reason: string | null; photos: number; nextAt: string | null }
