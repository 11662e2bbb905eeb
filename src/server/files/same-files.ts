import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { MediaUses } from '#contract/files/files.ts'
import { MEDIA_CONTAINER } from '#contract/files/files.ts'
import type { sameFiles, SameFiles } from '#contract/files/same-files.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { StorageRefusal, type FileStorage, type StoragePath } from '#server/outside/file-storage.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { whyUsed, type FindMediaUses } from './media-uses.ts'
import type { LogFileEvent } from './log-files.ts'
import {
  findCurrent,
  forgetContents,
  type KnownContent,
  namesOfPath,
  noteContent,
  pathOf,
  readKnown,
  readSame,
} from './media-contents.ts'
import { mediaPlace, type Names } from './storage-paths.ts'

const GROUPS = 10
const FILES_EACH = 10
const ROOT = { container: MEDIA_CONTAINER, root: [] }
/** Deleted duplicates are kept here, outside the customers' spaces, until they can't be brought back anymore. */
const DELETED = 'deleted-media'
const KEPT_MS = 86_400_000
const LAST = 'No other file has this content anymore, so it stays.'

type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>

/** Finds media files with the same content, and deletes all but one of them. */
export function sameFileHandlers(
  storageOf: OutsideStorage,
  logEvent: LogFileEvent,
  findUses: FindMediaUses,
): Handlers<typeof sameFiles> {
  return {
    async list({ actor, inTenant, outside, input: { after } }) {
      const storage = storageOf(outside)
      const page = await inTenant((db) => readGroups(db, after))
      const groups: SameFiles[] = []
      for (const { bytes, total, content } of page.slice(0, GROUPS)) {
        const known = await inTenant((db) => readSame(db, [content]))
        const current = await findCurrent(storage, actor.customerId, known.slice(0, FILES_EACH))
        // What is known of the others is about files of before.
        if (current.length < 2) continue
        const leafs = current.map(({ leaf }) => leaf)
        const used = await inTenant((db) =>
          usesOfEach(
            db,
            findUses,
            leafs.map(({ path }) => path),
          ),
        )
        const gone = Math.min(known.length, FILES_EACH) - current.length
        groups.push({
          bytes,
          total: total - gone,
          files: leafs.map((leaf, at) => ({ ...leaf, used: used[at] ?? { total: 0, uses: [] } })),
        })
      }
      const last = page.length > GROUPS ? page[GROUPS - 1] : undefined
      return { groups, next: last === undefined ? null : `${last.bytes}.${last.content}` }
    },

    async remove({ actor, inTenant, outside, input: { paths } }) {
      const storage = storageOf(outside)
      const wanted = [...new Map(paths.map((path) => [path.join('/'), path])).values()]
      const { leaving, kept } = await chooseDuplicates(
        { storage, inTenant, customerId: actor.customerId, findUses },
        wanted,
      )
      const undo = `${clock.now()}-${randomUUID()}`
      const deleted: string[] = []
      for (const one of leaving) {
        const path = pathOf(one)
        const names = namesOfPath(path)
        const to = [DELETED, actor.customerId, undo, one.content, ...names]
        // Another user may have deleted it in this moment.
        if (await isMoved(storage, mediaPlace(actor.customerId, names), to)) deleted.push(path)
        else kept.push({ path, reason: 'This file was deleted or moved in the meantime.' })
      }
      if (deleted.length === 0) return { undo: null, deleted, kept }
      const [path = ''] = deleted
      await logEvent(actor, {
        call: 'sameFiles.remove',
        root: ROOT,
        path,
        what: 'deleted',
        more: { paths: deleted },
      })
      return { undo, deleted, kept }
    },

    async restore({ actor, inTenant, outside, input: { undo } }) {
      const storage = storageOf(outside)
      const base = [DELETED, actor.customerId, undo]
      const restored: string[] = []
      const kept: { path: string; reason: string }[] = []
      const contents = isKept(undo) ? await storage.list(base) : null
      if (contents === null) throw notFound('Deletion')
      for (const { name: content } of contents)
        for (const names of await listFiles(storage, [...base, content])) {
          const path = names.join('/')
          const place = mediaPlace(actor.customerId, names)
          if (!(await isMoved(storage, [...base, content, ...names], place))) {
            kept.push({ path, reason: 'Another file has this name now.' })
            continue
          }
          restored.push(path)
          const file = await storage.find(place)
          if (file?.kind === 'file') await inTenant((db) => noteContent(db, names, { file, content }))
        }
      if (restored.length > 0) {
        const [path = ''] = restored
        const more = { paths: restored }
        await logEvent(actor, { call: 'sameFiles.restore', root: ROOT, path, what: 'restored', more })
      }
      if (kept.length === 0) await storage.remove([base])
      return { restored, kept }
    },
  }
}

/** Removes deleted duplicates that can't be brought back anymore. */
export async function sweepDeletedMedia(storage: FileStorage, customerIds: readonly string[]): Promise<void> {
  for (const customerId of customerIds) {
    const kept = (await storage.list([DELETED, customerId])) ?? []
    const old = kept.filter(({ name }) => !isKept(name))
    await storage.remove(old.map(({ name }) => [DELETED, customerId, name]))
  }
}

/** Its first part is when it was made. */
const isKept = (undo: string): boolean => clock.now() - Number(undo.split('-')[0]) < KEPT_MS

type Group = { bytes: number; content: string; total: number }

/** Some groups of files with the same content, the largest files first, and one more if there is one. */
async function readGroups(db: Database, after: string | undefined): Promise<Group[]> {
  const [bytes = '', content = ''] = after?.split('.') ?? []
  const isAfter =
    after === undefined
      ? sql`true`
      : sql`bytes <= ${bytes}::bigint and (bytes < ${bytes}::bigint or content > ${content})`
  const { rows } = await sql<Group>`
    select p.bytes::float8 as bytes, p.content,
      (select count(*)::int from media_contents m where m.content = p.content) as total
    from (select distinct bytes, content from media_contents where is_repeated and ${isAfter}
      order by bytes desc, content limit ${GROUPS + 1}) p
    order by p.bytes desc, p.content`.execute(db)
  return rows
}

/** What uses each of some files. Most groups are used by nothing, which one statement says. */
async function usesOfEach(
  db: Database,
  findUses: FindMediaUses,
  paths: readonly string[],
): Promise<MediaUses[]> {
  const all = await findUses(db, paths)
  const used: MediaUses[] = []
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- One transaction.
    used.push(all.total === 0 ? all : await findUses(db, [path]))
  }
  return used
}

/** Which of some files can go: nothing uses them, and another file with their content stays. What is known of those is forgotten. */
async function chooseDuplicates(
  {
    storage,
    inTenant,
    customerId,
    findUses,
  }: { storage: FileStorage; inTenant: InTenant; customerId: string; findUses: FindMediaUses },
  wanted: readonly Names[],
): Promise<{ leaving: KnownContent[]; kept: { path: string; reason: string }[] }> {
  const { contents, same } = await inTenant(async (db) => {
    const known = await readKnown(db, wanted)
    const wantedContents = [...new Set(known.map(({ content }) => content))]
    return { contents: wantedContents, same: await readSame(db, wantedContents) }
  })
  const there = new Set((await findCurrent(storage, customerId, same)).map(pathOf))
  return inTenant(async (db) => {
    // Who deletes others of them at the same time waits here, and then no longer counts these.
    const locked = await readSame(db, contents, { isLocked: true })
    const staying = new Map(locked.flatMap((one) => (there.has(pathOf(one)) ? [[pathOf(one), one]] : [])))
    const leaving: KnownContent[] = []
    const kept: { path: string; reason: string }[] = []
    for (const names of wanted) {
      const path = names.join('/')
      const one = staying.get(path)
      const isLast = one === undefined || ![...staying.values()].some(isOther(one))
      // oxlint-disable-next-line no-await-in-loop -- One transaction.
      const reason = isLast ? LAST : whyUsed(await findUses(db, [path]), 'deleted')
      if (isLast || reason !== null) {
        kept.push({ path, reason: reason ?? LAST })
        continue
      }
      staying.delete(path)
      leaving.push(one)
    }
    await forgetContents(
      db,
      leaving.map((one) => namesOfPath(pathOf(one))),
      { keepsTexts: true },
    )
    return { leaving, kept }
  })
}

const isOther = (one: KnownContent) => (other: KnownContent) => other !== one && other.content === one.content

/** False if it is gone, or the name is taken. */
async function isMoved(storage: FileStorage, from: StoragePath, to: StoragePath): Promise<boolean> {
  try {
    await storage.move(from, to)
    return true
  } catch (error) {
    if (error instanceof StorageRefusal) return false
    throw error
  }
}

/** The paths of all files below a folder. */
async function listFiles(storage: FileStorage, base: StoragePath): Promise<Names[]> {
  const found: Names[] = []
  const waiting: Names[] = [[]]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const { kind, name } of (await storage.list([...base, ...folder])) ?? [])
      (kind === 'folder' ? waiting : found).push([...folder, name])
  return found
}
