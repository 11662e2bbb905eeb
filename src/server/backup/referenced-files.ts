import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type pg from 'pg'
import { codeOf } from '#server/error-code.ts'

/**
 * SQL for the storage paths of all files that the database refers to: feeds that may still be read (kept for a week), evidence
 * of carbon inventories and of assessments, files of submissions and of emails, and vehicle photos.
 */
export const REFERENCED = `
  select distinct customer_id || '/_feeds/' || stored as path from feed_runs
    cross join lateral unnest(array[stored_as, second_stored_as]) stored
    where stored is not null and (status in ('waiting', 'reading')
      or status in ('ready', 'review', 'failed') and created_at > app_now() - interval '7 days')
  union
  select customer_id || '/_evidence/' || stored_as from evidence_files where removed_at is null
  union
  select customer_id || '/_assessment-evidence/' || stored_as from assessment_evidence where removed_at is null
  union
  select customer_id || '/_form-files/' || stored_as from form_files where submission_id is not null
  union
  select customer_id || '/_lead-files/' || stored_as from lead_files where stored_as is not null
  union
  select v.customer_id || '/media/' || (photo ->> 'place') from vehicles v
    cross join lateral jsonb_array_elements(v.photos) photo where photo ->> 'kind' = 'file'`

/** The number of files that the database refers to, and the paths of those missing from the folder. */
export type ReferencedFiles = { count: number; missing: readonly string[] }

/** Compares the files that the database refers to with those under `kept` in the file folder. */
export async function findReferencedFiles(owner: pg.Client, filesFolder: string): Promise<ReferencedFiles> {
  const { rows } = await owner.query<{ path: string }>(REFERENCED)
  const existing = await pathsBelow(join(filesFolder, 'kept'))
  return { count: rows.length, missing: rows.map(({ path }) => path).filter((path) => !existing.has(path)) }
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
