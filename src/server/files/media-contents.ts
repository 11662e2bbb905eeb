import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { FileLeaf } from '#contract/files/files.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { FileStorage, StoragePath, StoredFile } from '#server/outside/file-storage.ts'
import { versionOf } from './read-media.ts'
import { leafOf, mediaPlace, type Names } from './storage-paths.ts'

/** What is known of the content of a media file. */
export type KnownContent = { folder: string; name: string; version: string; content: string }

/** The most files with one content that are read. */
const MOST_SAME = 1_000

/** Sorts after all others. */
const LAST_SIGN = '\u{10FFFF}'

const folderOf = (path: Names): string => path.slice(0, -1).join('/')
const nameOf = (path: Names): string => path.at(-1) ?? ''
/** The path of a file below the top of the media. */
export const pathOf = ({ folder, name }: Pick<KnownContent, 'folder' | 'name'>): string =>
  folder === '' ? name : `${folder}/${name}`
export const namesOfPath = (path: string): Names => path.split('/')

const isAt = (path: Names) => sql`path_key = md5(${`${folderOf(path)}/${nameOf(path)}`})`
/** In a folder or below it. The first conditions have the index. */
const isBelow = (folder: string) => sql`folder_start >= left(${folder}, 300)
  and folder_start < left(${folder}, 300) || ${LAST_SIGN}
  and (folder = ${folder} or starts_with(folder, ${`${folder}/`}))`

/** Notes the content of a media file. Empty files have none. */
export async function noteContent(
  db: Database,
  path: Names,
  { file, content }: { file: StoredFile; content: string },
): Promise<void> {
  if (file.size === 0) return
  await sql`insert into media_contents (folder, name, bytes, version, content)
    values (${folderOf(path)}, ${nameOf(path)}, ${file.size}, ${versionOf(file)}, ${content})
    on conflict (customer_id, path_key) do update
      set bytes = excluded.bytes, version = excluded.version, content = excluded.content`.execute(db)
}

const CONTENTS = sql`media_contents`
/** All that is known of files by their paths. */
const KNOWN = [CONTENTS, sql`media_texts`]

/** Forgets media files, and those in folders, that were deleted. `keepsTexts`: they may come back. */
export async function forgetContents(
  db: Database,
  paths: readonly Names[],
  { keepsTexts = false } = {},
): Promise<void> {
  for (const table of keepsTexts ? [CONTENTS] : KNOWN)
    for (const path of paths) {
      // oxlint-disable-next-line no-await-in-loop -- One transaction.
      await sql`delete from ${table} where ${isAt(path)}`.execute(db)
      // oxlint-disable-next-line no-await-in-loop -- The same.
      await sql`delete from ${table} where ${isBelow(path.join('/'))}`.execute(db)
    }
}

/** Renames a media file or folder in what is known. */
export async function renameContents(db: Database, from: Names, to: Names): Promise<void> {
  await forgetContents(db, [to])
  const old = from.join('/')
  for (const table of KNOWN) {
    // oxlint-disable-next-line no-await-in-loop -- One transaction.
    await sql`update ${table} set folder = ${folderOf(to)}, name = ${nameOf(to)} where ${isAt(from)}`.execute(
      db,
    )
    // oxlint-disable-next-line no-await-in-loop -- The same.
    await sql`update ${table} set folder = ${to.join('/')} || substr(folder, length(${old}) + 1)
      where ${isBelow(old)}`.execute(db)
  }
}

/** What is known of the files in one folder, without those in its folders. */
export async function readKnownIn(db: Database, folder: Names): Promise<KnownContent[]> {
  const path = folder.join('/')
  const { rows } = await sql<KnownContent>`select folder, name, version, content from media_contents
    where folder_start = left(${path}, 300) and folder = ${path}`.execute(db)
  return rows
}

/** The known folders with files. */
export async function readKnownFolders(db: Database): Promise<string[]> {
  const { rows } = await sql<{ folder: string }>`select distinct folder from media_contents`.execute(db)
  return rows.map(({ folder }) => folder)
}

/** What is known of some files. */
export async function readKnown(db: Database, paths: readonly Names[]): Promise<KnownContent[]> {
  const keys = paths.map((path) => `${folderOf(path)}/${nameOf(path)}`)
  const { rows } = await sql<KnownContent>`select folder, name, version, content from media_contents
    where path_key = any(array(select md5(k) from unnest(${keys}::text[]) k))`.execute(db)
  return rows
}

/** The files with some contents. `isLocked`: until the transaction ends, others wait for them. */
export async function readSame(
  db: Database,
  contents: readonly string[],
  { isLocked = false } = {},
): Promise<KnownContent[]> {
  const lock = isLocked ? sql`for update` : sql``
  const { rows } = await sql<KnownContent>`select folder, name, version, content from media_contents
    where content = any(${[...contents]}::text[]) order by folder, name limit ${MOST_SAME} ${lock}`.execute(
    db,
  )
  return rows
}

/** Those files that are in the storage as they are known. */
export async function findCurrent(
  storage: FileStorage,
  customerId: string,
  known: readonly KnownContent[],
): Promise<(KnownContent & { leaf: FileLeaf })[]> {
  const found = []
  for (const one of known) {
    const path = namesOfPath(pathOf(one))
    // oxlint-disable-next-line no-await-in-loop -- Few, and each is a call to the storage.
    const file = await storage.find(mediaPlace(customerId, path))
    if (file?.kind === 'file' && versionOf(file) === one.version)
      found.push({ ...one, leaf: leafOf(file, path.slice(0, -1)) })
  }
  return found
}

/** The SHA-256 of a stored file; null if there is none. */
export async function hashOf(storage: FileStorage, place: StoragePath): Promise<string | null> {
  const file = await storage.read(place)
  if (file === null) return null
  const hash = createHash('sha256')
  for await (const part of file.body) hash.update(Buffer.from(part))
  return hash.digest('hex')
}
