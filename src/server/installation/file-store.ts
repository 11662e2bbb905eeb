import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { codeOf } from '#server/error-code.ts'
import { createExclusively, createHome } from './exclusive-file.ts'

/** What tells a store of files from others, and that of the folder whose files are about to be moved into it. */
export type StoreIdentity = { own: string; former: string | null }

/** The file beside `kept` that has the random word of a folder of files. */
const WORD_FILE = 'store'

/** The word of a folder of files, which is made at the first time. */
export async function identityOfFolder(folder: string): Promise<string> {
  const present = await findIdentity(folder)
  if (present !== null) return present
  await createHome(folder)
  // Of two processes that share the folder one makes the word, and both read it.
  await createExclusively(join(folder, WORD_FILE), `${randomUUID()}\n`)
  const made = await findIdentity(folder)
  if (made === null)
    throw new Error(`The file ${join(folder, WORD_FILE)} disappeared while it was being made.`)
  return made
}

/** The word of a folder of files; null where it has none yet. */
export async function findIdentity(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, WORD_FILE), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  return text?.trim() || null
}

/** The account and the container of an Azure store, by its connection string, without its key. */
export function identityOfAzure(connection: string, container: string): string {
  const [, account = 'development'] = /(?:^|;)(?:AccountName|BlobEndpoint)=([^;]+)/i.exec(connection) ?? []
  return `azure ${account}/${container}`
}

/**
 * Notes in the database which store has the files, at the first start.
 * @param isMoved the files were brought here by hand: from now on this is the store.
 * @throws Error with a sentence where the files are in another store.
 */
export async function claimFileStore(
  iamPool: pg.Pool,
  { own, former }: StoreIdentity,
  { isMoved }: { isMoved: boolean },
): Promise<void> {
  const { rowCount } = await iamPool.query(
    `update iam.installation set file_store = $1
      where file_store is null or file_store = $1 or file_store = $2 or $3`,
    [own, former, isMoved],
  )
  if (rowCount !== 0) return
  throw new Error(
    'The files of this installation are in another store than the one of this process. Let all processes use one: set ' +
      'FORECOURT_AZURE_STORAGE, or make FORECOURT_HOME/files the same folder for all. If the files were moved here for ' +
      'good, start once with FORECOURT_FILES_MOVED=1.',
  )
}
