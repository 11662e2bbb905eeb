import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '#server/error-code.ts'

/** Where forms of public sites wait that were received while the database was away. */
export const waitingFormsFolder = (home: string): string => join(home, 'forms-waiting')

/** How many forms wait in such a folder. */
export async function countWaitingForms(folder: string): Promise<number> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => name.endsWith('.json')).length
}
