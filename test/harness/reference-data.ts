import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Real input files next to the project, which are not part of it. Tests that need them are skipped without them. SHARED_DATA
 * sets another location.
 */
const PROJECT = resolve(import.meta.dirname, '../..')
const { SHARED_DATA } = process.env
const FOLDERS = (SHARED_DATA === undefined ? ['../shared/data', '../../shared/data'] : [SHARED_DATA]).map(
  (folder) => resolve(PROJECT, folder),
)

/** The path of such a file or folder, such as `feeds`, or null. */
export function findReferenceFile(path: string): string | null {
  return FOLDERS.map((folder) => resolve(folder, path)).find((one) => existsSync(one)) ?? null
}

/** The text of such a file, such as `vin/vins.txt`, or null. */
export function readReferenceFile(path: string): string | null {
  const file = findReferenceFile(path)
  return file === null ? null : readFileSync(file, 'utf8')
}
