import { sql } from 'kysely'
import type { MediaUse, MediaUses } from '#contract/files/files.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** The most vehicles that are named. */
const MOST_NAMED = 50

/** The vehicles that show files of the media, or files in these folders. Those out of the caller's reach are only counted. */
export async function findPhotoUses(db: Database, paths: readonly string[]): Promise<MediaUses> {
  const { rows } = await sql<{ total: number }>`select count_photo_uses(${paths}::text[]) as total`.execute(
    db,
  )
  const total = rows[0]?.total ?? 0
  if (total === 0) return { total, uses: [] }
  const named = await sql<MediaUse>`
    select 'vehicle' as kind, v.id::text, concat_ws(' ', v.year, v.make, v.model, v.stock) as title from vehicles v
    where v.photos @? '$[*] ? (@.kind == "file")'
      and exists (select from jsonb_array_elements(v.photos) p, unnest(${paths}::text[]) f (path)
        where p ->> 'kind' = 'file' and (p ->> 'place' = f.path or starts_with(p ->> 'place', f.path || '/')))
    order by v.id desc limit ${MOST_NAMED}`.execute(db)
  return { total, uses: named.rows }
}
