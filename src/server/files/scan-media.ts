import type { Kysely } from 'kysely'
import type pg from 'pg'
import { faultOfName } from '#contract/files/names.ts'
import type { DB } from '#server/database/schema.ts'
import { inTenant, type Database } from '#server/database/tenant-transaction.ts'
import type { FileStorage, StoredFile } from '#server/outside/file-storage.ts'
import { systemScope } from '#server/queue/due-items.ts'
import {
  forgetContents,
  hashOf,
  namesOfPath,
  noteContent,
  readKnownFolders,
  readKnownIn,
} from './media-contents.ts'
import { versionOf } from './read-media.ts'
import { mediaPlace, type Names } from './storage-paths.ts'

type Parts = { storage: FileStorage; iam: Kysely<DB>; pool: pg.Pool }

/**
 * Compares the media of every customer with what is known of its content, and reads what is new: files from before this was known, and
 * those that didn't arrive through the file manager. Each is read once. Safe to run at any time and repeatedly.
 */
export async function scanMedia({ storage, iam, pool }: Parts): Promise<void> {
  for (const { id } of await iam.selectFrom('customers').select('id').execute()) {
    // oxlint-disable-next-line no-await-in-loop -- One at a time, because no one waits for it.
    await scanCustomerMedia(storage, id, (work) => inTenant(pool, systemScope(id, 'media-scan'), work))
  }
}

async function scanCustomerMedia(
  storage: FileStorage,
  customerId: string,
  within: <T>(work: (db: Database) => Promise<T>) => Promise<T>,
): Promise<void> {
  const visited = new Set<string>()
  const waiting: Names[] = [[]]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const here = folder
    // Before the folder is listed: a file that arrives in between is then left alone.
    const known = await within((db) => readKnownIn(db, here))
    const listed = (await storage.list(mediaPlace(customerId, here))) ?? []
    visited.add(here.join('/'))
    const versions = new Map(known.map(({ name, version }) => [name, version]))
    const names = new Set<string>()
    for (const child of listed) {
      if (faultOfName(child.name) !== null) continue
      if (child.kind === 'folder') {
        waiting.push([...here, child.name])
        continue
      }
      names.add(child.name)
      if (child.size > 0 && versions.get(child.name) !== versionOf(child))
        await readFile({ storage, within, customerId }, [...here, child.name], child)
    }
    const gone = known.filter(({ name }) => !names.has(name))
    if (gone.length > 0)
      await within((db) =>
        forgetContents(
          db,
          gone.map(({ name }) => [...here, name]),
        ),
      )
  }
  const folders = await within(readKnownFolders)
  for (const folder of folders.filter((one) => !visited.has(one)))
    if ((await storage.find(mediaPlace(customerId, namesOfPath(folder)))) === null)
      await within((db) => forgetContents(db, [namesOfPath(folder)]))
}

async function readFile(
  {
    storage,
    within,
    customerId,
  }: {
    storage: FileStorage
    within: (work: (db: Database) => Promise<void>) => Promise<void>
    customerId: string
  },
  path: Names,
  file: StoredFile,
): Promise<void> {
  const place = mediaPlace(customerId, path)
  const content = await hashOf(storage, place)
  const after = await storage.find(place)
  // It was replaced while it was read: the next run reads it.
  if (content === null || after?.kind !== 'file' || versionOf(after) !== versionOf(file)) return
  await within((db) => noteContent(db, path, { file, content }))
}
