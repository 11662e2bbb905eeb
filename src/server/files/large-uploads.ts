import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type pg from 'pg'
import type { FileLeaf } from '#contract/files/files.ts'
import { type largeUploads, type LargeUpload, PART_BYTES } from '#contract/files/large-uploads.ts'
import { clock } from '#server/clock.ts'
import { inTenant as inTenantOf, type Database } from '#server/database/tenant-transaction.ts'
import type { Actor, Member } from '#server/http/actor.ts'
import { conflict, Failure, notFound, refused } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { FileStorage, StagedFile } from '#server/outside/file-storage.ts'
import { inspectUpload } from '#server/outside/inspect-upload.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import { systemScope } from '#server/queue/due-items.ts'
import type { LogFileEvent } from './log-files.ts'
import { makeQuota, type Limits, type Quota } from './quota.ts'
import { type FindMediaUses, makeRequireReplaceable, type RequireReplaceable } from './media-uses.ts'
import { requireFreeName } from './receive.ts'
import { keepBytes, makeRequireShowable } from './replaced-pictures.ts'
import { noteUploaded, requireNewContent } from './same-content.ts'
import {
  folderNotFound,
  leafOf,
  placeOf,
  spaceOf,
  toFailure,
  type Names,
  type Root,
} from './storage-paths.ts'

/** The parts of uploads are kept here, outside the customers' spaces. */
const FOLDER = 'uploads'
const ABANDONED_MS = 86_400_000
/** The most unfinished uploads of one user. */
const MOST_OPEN = 200
const DAMAGED = 'A part of this file was damaged on its way. Upload the file again.'

type InTenant = <T>(work: (db: Database) => Promise<T>) => Promise<T>
type Row = {
  id: string
  container: string
  root: string
  folder: string
  name: string
  bytes: number
  fileTime: number
  parts: string[]
  content: string | null
}

/** Uploads in parts, each of which is stored as it arrives, so that an upload goes on after a break and after a restart. */
export function largeUploadHandlers(
  storageOf: OutsideStorage,
  limits: Limits,
  logEvent: LogFileEvent,
  findUses: FindMediaUses,
): Handlers<typeof largeUploads> {
  const requireReplaceable = makeRequireReplaceable(findUses)
  const requireShowable = makeRequireShowable(findUses)
  const quota = makeQuota(limits)
  return {
    async list({ db, actor, input: { container } }) {
      const rows = await readRows(db, sql`user_id = ${actor.effectiveUserId} and container = ${container}`)
      return rows.map(describe)
    },

    async begin({ actor, inTenant, outside, input: { path, name, bytes, fileTime, overwrite, ...root } }) {
      const storage = storageOf(outside)
      await requirePlace({ storage, inTenant, requireReplaceable }, actor, { root, path, name, overwrite })
      const open = await inTenant(readOpen)
      await requireRoom(quota, storage, actor.customerId, [bytes, ...open.map((one) => one.bytes)])
      if (open.filter(({ userId }) => userId === actor.effectiveUserId).length >= MOST_OPEN)
        throw conflict(`You have ${MOST_OPEN} unfinished uploads. Finish or cancel some first.`)
      const { rows } = await inTenant((db) =>
        sql<{ id: string }>`
          insert into media_uploads (user_id, container, root, folder, name, bytes, file_time)
          values (${actor.effectiveUserId}, ${root.container}, ${root.root.join('/')}, ${path.join('/')}, ${name},
            ${bytes}, ${fileTime}) returning id::text`.execute(db),
      )
      const id = rows[0]?.id ?? ''
      return { id, path: path.join('/'), name, bytes, fileTime, received: 0, parts: [] }
    },

    async part({ actor, inTenant, outside, body, input: { id, offset, sha256 } }) {
      const storage = storageOf(outside)
      const row = await inTenant((db) => readOwn(db, actor, id))
      requireOffset(row, offset)
      const size = Math.min(PART_BYTES, row.bytes - offset)
      const arriving = inspectUpload((await body()).stream, size)
      const part = randomUUID()
      const place = [FOLDER, actor.customerId, id, part]
      const staged = await storage.stage(place, arriving.body, () => {})
      const { sha256: hash, size: arrived } = arriving.result()
      if (arrived !== size || (sha256 !== undefined && sha256 !== hash)) {
        await staged.discard()
        throw refused(
          arrived === size ? 'This part was damaged on its way.' : `This part must have ${size} bytes.`,
        )
      }
      await staged.publish({ replaces: false })
      const isNext = await inTenant((db) => addPart(db, id, { number: row.parts.length, part, hash }))
      if (!isNext) {
        await storage.remove([place])
        requireOffset(await inTenant((db) => readOwn(db, actor, id)), offset)
      }
      return { received: offset + size }
    },

    async complete({ actor, inTenant, outside, input: { id, overwrite, askIfSame } }) {
      const storage = storageOf(outside)
      const row = await inTenant((db) => readOwn(db, actor, id))
      if (receivedOf(row) < row.bytes) throw conflict('Some parts of this file are still missing.')
      const target = targetOf(row)
      const place = { ...target, overwrite }
      const replaces = await requirePlace({ storage, inTenant, requireReplaceable }, actor, place)
      const by = { storage, inTenant, actor }
      const check = async (content: string) =>
        askIfSame && (await requireNewContent(by, target, [{ name: row.name, content }]))
      // Asked before: the file needn't be put together for being asked again.
      if (row.content !== null) await check(row.content)
      const counted = await quota.begin(storage, spaceOf(actor.customerId))
      try {
        const { staged, content, bytes } = await putTogether(storage, actor.customerId, row, counted.admit)
        await orDiscard(staged, async () => {
          const path = [...target.path, row.name]
          if (replaces) await requireShowable(actor, inTenant, { ...target, path, bytes: bytes() })
          if (row.content !== null) return
          await inTenant((db) => noteContent(db, id, content))
          await check(content)
        })
        return await publish({ storage, inTenant, actor, logEvent }, { row, staged, content, replaces })
      } finally {
        counted.end()
      }
    },

    async cancel({ actor, inTenant, outside, input: { id } }) {
      await inTenant(async (db) => {
        await readOwn(db, actor, id)
        await removeRow(db, id)
      })
      await storageOf(outside).remove([[FOLDER, actor.customerId, id]])
      return null
    },
  }
}

/** Removes uploads that nothing was added to for a day, and parts that no upload names. */
export async function sweepLargeUploads(
  { storage, pool }: { storage: FileStorage; pool: pg.Pool },
  customerIds: readonly string[],
): Promise<void> {
  for (const customerId of customerIds) {
    // Before the rows are read: an upload has its row before its first part.
    // oxlint-disable-next-line no-await-in-loop -- One at a time, because no one waits for it.
    const kept = (await storage.list([FOLDER, customerId])) ?? []
    const before = new Date(clock.now() - ABANDONED_MS)
    // oxlint-disable-next-line no-await-in-loop -- The same.
    const open = await inTenantOf(pool, systemScope(customerId, 'upload-sweep'), async (db) => {
      await sql`delete from media_uploads where touched_at < ${before}`.execute(db)
      const { rows } = await sql<{ id: string }>`select id::text from media_uploads`.execute(db)
      return new Set(rows.map(({ id }) => id))
    })
    // oxlint-disable-next-line no-await-in-loop -- The same.
    await storage.remove(kept.flatMap(({ name }) => (open.has(name) ? [] : [[FOLDER, customerId, name]])))
  }
}

const namesOf = (path: string): Names => (path === '' ? [] : path.split('/'))
const targetOf = ({ container, root, folder, name }: Row) => ({
  root: { container, root: namesOf(root) },
  path: namesOf(folder),
  name,
})
const receivedOf = ({ bytes, parts }: Row): number => Math.min(bytes, parts.length * PART_BYTES)
/** Of the name and hash of a part. */
const hashOfPart = (part: string): string => part.slice(part.indexOf('.') + 1)

function describe(row: Row): LargeUpload {
  const { id, folder, name, bytes, fileTime, parts } = row
  return { id, path: folder, name, bytes, fileTime, parts: parts.map(hashOfPart), received: receivedOf(row) }
}

async function readRows(db: Database, where: ReturnType<typeof sql>): Promise<Row[]> {
  const { rows } = await sql<Row>`select id::text, container, root, folder, name, bytes::float8 as bytes,
      file_time::float8 as "fileTime", parts, content
    from media_uploads where ${where} order by created_at, id`.execute(db)
  return rows
}

/** @throws Failure 404, also for an upload of another user */
async function readOwn(db: Database, actor: Actor, id: string): Promise<Row> {
  const [row] = await readRows(db, sql`id = ${id} and user_id = ${actor.effectiveUserId}`)
  if (row === undefined) throw notFound('Upload')
  return row
}

async function readOpen(db: Database): Promise<{ userId: string; bytes: number }[]> {
  const { rows } = await sql<{ userId: string; bytes: number }>`
    select user_id::text as "userId", bytes::float8 as bytes from media_uploads`.execute(db)
  return rows
}

const removeRow = (db: Database, id: string) => sql`delete from media_uploads where id = ${id}`.execute(db)

/** False if another part took this place meanwhile. */
async function addPart(
  db: Database,
  id: string,
  { number, part, hash }: { number: number; part: string; hash: string },
): Promise<boolean> {
  const { rows } =
    await sql`update media_uploads set parts = parts || ${`${part}.${hash}`}::text, touched_at = app_now()
    where id = ${id} and cardinality(parts) = ${number} returning id`.execute(db)
  return rows.length > 0
}

/** @throws Failure 409 with what was received, if another part is next */
function requireOffset(row: Row, offset: number): void {
  const received = receivedOf(row)
  if (offset !== received)
    throw new Failure(409, `The next part begins at ${received}, not at ${offset}.`, {
      current: { received },
    })
}

const noteContent = (db: Database, id: string, content: string) =>
  sql`update media_uploads set content = ${content} where id = ${id}`.execute(db)

/** Whether the file replaces another. @throws Failure 404 without the folder, 409 if the name is in use, or the file by what someone else manages */
async function requirePlace(
  {
    storage,
    inTenant,
    requireReplaceable,
  }: { storage: FileStorage; inTenant: InTenant; requireReplaceable: RequireReplaceable },
  actor: Member,
  { root, path, name, overwrite }: { root: Root; path: Names; name: string; overwrite: boolean },
): Promise<boolean> {
  const folder = placeOf(actor.customerId, root, path)
  if (path.length > 0 && (await storage.find(folder))?.kind !== 'folder') throw folderNotFound()
  const other = await storage.find([...folder, name])
  if (other === null) return false
  requireFreeName(other, { actor, overwrite })
  await requireReplaceable(actor, inTenant, root, [[...path, name]])
  return true
}

/** Unfinished uploads count as if they were complete. @throws Failure 413 */
async function requireRoom(
  quota: Quota,
  storage: FileStorage,
  customerId: string,
  sizes: readonly number[],
): Promise<void> {
  const counted = await quota.begin(storage, spaceOf(customerId))
  try {
    for (const bytes of sizes) {
      counted.admit(bytes)
      counted.next()
    }
  } finally {
    counted.end()
  }
}

/** Checks a staged file, which doesn't stay if it isn't wanted. */
async function orDiscard(staged: StagedFile, check: () => Promise<void>): Promise<void> {
  await check().catch(async (error: unknown) => {
    await staged.discard()
    throw error
  })
}

/** Stages the whole file from its parts. @throws Failure 409 if one of them isn't what arrived */
async function putTogether(
  storage: FileStorage,
  customerId: string,
  row: Row,
  admit: (bytes: number) => void,
): Promise<{ staged: StagedFile; content: string; bytes: () => Buffer | null }> {
  async function* whole() {
    for (const named of row.parts) {
      const part = await storage.read([FOLDER, customerId, row.id, named.slice(0, named.indexOf('.'))])
      const hash = createHash('sha256')
      for await (const chunk of part?.body ?? []) {
        const bytes = Buffer.from(chunk)
        hash.update(bytes)
        yield bytes
      }
      if (hash.digest('hex') !== hashOfPart(named)) throw conflict(DAMAGED)
    }
  }
  const { root, path, name } = targetOf(row)
  const arriving = inspectUpload(Readable.from(whole(), { objectMode: false }))
  const kept = keepBytes(arriving.body)
  const staged = await storage.stage([...placeOf(customerId, root, path), name], kept.body, admit)
  return { staged, content: arriving.result().sha256, bytes: kept.bytes }
}

/** Makes the file visible, and removes the upload. Without an entry in the audit log, a new file doesn't stay. */
async function publish(
  {
    storage,
    inTenant,
    actor,
    logEvent,
  }: { storage: FileStorage; inTenant: InTenant; actor: Actor; logEvent: LogFileEvent },
  { row, staged, content, replaces }: { row: Row; staged: StagedFile; content: string; replaces: boolean },
): Promise<FileLeaf> {
  const target = targetOf(row)
  const file = await staged.publish({ replaces }).catch(async (error: unknown) => {
    await staged.discard()
    throw toFailure(error, row.name)
  })
  const leaf = leafOf(file, target.path)
  try {
    await noteUploaded(inTenant, target, [{ file, content }])
    const more = { paths: [leaf.path], ...(replaces && { replaced: [leaf.path] }) }
    const event = {
      call: 'largeUploads.complete',
      root: target.root,
      path: leaf.path,
      what: 'uploaded',
    } as const
    await logEvent(actor, { ...event, more })
  } catch (error) {
    if (!replaces) await storage.remove([[...placeOf(actor.customerId, target.root, target.path), row.name]])
    throw error
  }
  await inTenant((db) => removeRow(db, row.id))
  await storage.remove([[FOLDER, actor.customerId, row.id]])
  return leaf
}
