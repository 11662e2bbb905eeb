import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Real inputs that lie beside the project and never enter it: tests that need them are skipped where they are not.
 * SHARED_DATA names another place.
 */
const PROJECT = resolve(import.meta.dirname, '../..')
const { SHARED_DATA } = process.env
const FOLDERS = (SHARED_DATA === undefined ? ['../shared/data', '../../shared/data'] : [SHARED_DATA]).map(
  (folder) => resolve(PROJECT, folder),
)

/** Where such a file or folder lies, `feeds`; null where there is none. */
export function findGiven(path: string): string | null {
  return FOLDERS.map((folder) => resolve(folder, path)).find((one) => existsSync(one)) ?? null
}

/** The text of such a file, `vin/vins.txt`; null where there is none. */
export function readGiven(path: string): string | null {
  const file = findGiven(path)
  return file === null ? null : readFileSync(file, 'utf8')
}
