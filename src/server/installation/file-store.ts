import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { codeOf } from '#server/error-code.ts'
import { createExclusively, createHome } from './exclusive-file.ts'

/** The identity of a file storage, and that of the folder whose files are about to be moved into it. */
export type StoreIdentity = { own: string; former: string | null }

/** The file next to `kept` with the random ID of a file folder. */
const ID_FILE = 'store'

/** The ID of a file folder, created the first time. */
export async function identityOfFolder(folder: string): Promise<string> {
  const present = await findIdentity(folder)
  if (present !== null) return present
  await createHome(folder)
  // If two processes share the folder, one creates the ID and both read it.
  await createExclusively(join(folder, ID_FILE), `${randomUUID()}\n`)
  const made = await findIdentity(folder)
  if (made === null)
    throw new Error(`The file ${join(folder, ID_FILE)} disappeared while it was being created.`)
  return made
}

/** The ID of a file folder, or null if it has none yet. */
export async function findIdentity(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, ID_FILE), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  return text?.trim() || null
}

/** The account and container of an Azure storage, from its connection string, without the key. */
export function identityOfAzure(connection: string, container: string): string {
  const [, account = 'development'] = /(?:^|;)(?:AccountName|BlobEndpoint)=([^;]+)/i.exec(connection) ?? []
  return `azure ${account}/${container}`
}

/**
 * Records in the database, at the first start, which storage has the files.
 * @param isMoved an operator moved the files here, so this is the storage from now on.
 * @throws Error if the files are in another storage.
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
    'The files of this installation are in a different storage than this process uses. All processes must use the same one: set ' +
      'FORECOURT_AZURE_STORAGE, or use the same FORECOURT_HOME/files folder for all of them. If you moved the files here ' +
      'permanently, start once with FORECOURT_FILES_MOVED=1.',
  )
}
