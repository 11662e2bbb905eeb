import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Real inputs that lie beside the project and never enter it: tests that need them are skipped where they are not. */
const PROJECT = resolve(import.meta.dirname, '..')
const FOLDERS = ['../shared/data', '../../shared/data'].map((folder) => resolve(PROJECT, folder))

/** The text of such a file, `vin/vins.txt`; null where there is none. */
export function readGiven(path: string): string | null {
  const file = FOLDERS.map((folder) => resolve(folder, path)).find((one) => existsSync(one))
  return file === undefined ? null : readFileSync(file, 'utf8')
}
