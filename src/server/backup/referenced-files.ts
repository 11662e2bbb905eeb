import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type pg from 'pg'
import { codeOf } from '#server/error-code.ts'

/**
 * Every file that rows name, by its path in the store: feeds that may still be read (they are kept for a week), evidence,
 * and pictures of vehicles.
 */
const REFERENCED = `
  select distinct customer_id || '/_feeds/' || stored as path from feed_runs
    cross join lateral unnest(array[stored_as, second_stored_as]) stored
    where stored is not null and (status in ('waiting', 'reading')
      or status in ('ready', 'held', 'failed') and created_at > app_now() - interval '7 days')
  union
  select customer_id || '/_evidence/' || stored_as from evidence_files where removed_at is null
  union
  select v.customer_id || '/media/' || (photo ->> 'place') from vehicles v
    cross join lateral jsonb_array_elements(v.photos) photo where photo ->> 'kind' = 'file'`

/** How many files rows name, and the paths of those that are not in the folder. */
export type ReferencedFiles = { count: number; missing: readonly string[] }

/** Compares what rows name with what the folder of files has under `kept`. */
export async function findReferencedFiles(owner: pg.Client, filesFolder: string): Promise<ReferencedFiles> {
  const { rows } = await owner.query<{ path: string }>(REFERENCED)
  const there = await pathsBelow(join(filesFolder, 'kept'))
  return { count: rows.length, missing: rows.map(({ path }) => path).filter((path) => !there.has(path)) }
}

async function pathsBelow(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  const files = entries.filter((entry) => entry.isFile())
  return new Set(
    files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/')),
  )
}
