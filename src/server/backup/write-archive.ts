import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { opendir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { codeOf } from '#server/error-code.ts'
import { draftOf, removeLeftDrafts } from './drafts.ts'
import {
  fileMark,
  HEADER_ENTRY,
  MANIFEST_ENTRY,
  MANIFEST_HASH_ENTRY,
  tableEntry,
  startChecksum,
  type Manifest,
  type TablePart,
} from './manifest.ts'
import { listSequences, listTables, PLAIN_SETTINGS, sqlColumns, sqlName, type Table } from './tables.ts'
import { tarEnd, tarHeader, tarPadding } from './tar.ts'

/** Folders of what is made or fetched again when it is missing. */
const MADE_AGAIN = new Set(['kept/pictures', 'kept/photo-copies'])
/** The size of the pieces in which a table is written, which limits the memory use. */
const PIECE_BYTES = 4 * 1024 * 1024

export type Contents = {
  productVersion: string
  now: Date
  /** The installation's files. The folder may not exist. */
  filesFolder: string
  secretSealed: string | null
}

/**
 * Writes a snapshot of the database and the installation's files to a new file of mode 0600, which appears only when it is
 * complete. The database stays available. `owner` must be a separate connection.
 * @throws Error if the file already exists.
 */
export async function writeArchive(owner: pg.Client, path: string, contents: Contents): Promise<Manifest> {
  if (await stat(path).catch(() => null)) throw new Error(`${path} already exists.`)
  await removeLeftDrafts(path)
  const draft = draftOf(path)
  let written: Manifest | null = null
  await owner.query(PLAIN_SETTINGS)
  await owner.query('begin isolation level repeatable read read only')
  try {
    const bytes = archiveBytes(owner, contents, (manifest) => (written = manifest))
    const file = await open(draft, 'wx', 0o600)
    await pipeline(Readable.from(bytes), createGzip({ level: 5 }), file.createWriteStream({ flush: true }))
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
    await owner.query('rollback').catch(() => {})
  }
  if (written === null) throw new Error('The archive ended without its manifest.')
  return written
}

async function* archiveBytes(
  owner: pg.Client,
  contents: Contents,
  onManifest: (manifest: Manifest) => void,
): AsyncGenerator<Buffer> {
  const header: Manifest['header'] = {
    format: 'forecourt-backup',
    formatVersion: 1,
    productVersion: contents.productVersion,
    madeAt: contents.now.toISOString(),
  }
  yield* textEntry(HEADER_ENTRY, JSON.stringify(header, null, 2))
  const { rows: migrations } = await owner.query<Manifest['migrations'][number]>(
    'select name, checksum from public.schema_migrations order by name',
  )
  const { rows: checks } = await owner.query<{ sealed: string }>(
    'select key_check_sealed as sealed from iam.installation',
  )
  const tables: TablePart[] = []
  for (const table of await listTables(owner)) tables.push(yield* tableEntries(owner, table))
  // Read after the snapshot, so that sequences are never behind a row in it.
  const sequences = await readSequences(owner)
  const files = yield* fileEntries(contents.filesFolder)
  const manifest = {
    header,
    migrations,
    tables,
    sequences,
    files,
    keyCheckSealed: checks[0]?.sealed ?? null,
    secretSealed: contents.secretSealed,
  }
  const text = JSON.stringify(manifest, null, 2)
  yield* textEntry(MANIFEST_ENTRY, text)
  yield* textEntry(MANIFEST_HASH_ENTRY, createHash('sha256').update(text).digest('hex'))
  yield tarEnd()
  onManifest(manifest)
}

function* textEntry(name: string, text: string): Generator<Buffer> {
  const bytes = Buffer.from(text)
  yield tarHeader(name, bytes.length)
  yield bytes
  yield tarPadding(bytes.length)
}

async function* tableEntries(owner: pg.Client, table: Table): AsyncGenerator<Buffer, TablePart> {
  const copy = owner.query(
    copyTo(`copy ${sqlName(owner, table)} (${sqlColumns(owner, table)}) to stdout (encoding 'UTF8')`),
  )
  const counted = startChecksum()
  let piece = 0
  for await (const bytes of inPieces(copy)) {
    counted.add(bytes)
    yield tarHeader(tableEntry(table, piece), bytes.length)
    yield bytes
    yield tarPadding(bytes.length)
    piece += 1
  }
  return { ...table, rows: copy.rowCount, ...counted.end() }
}

/** Regroups the bytes into pieces of a fixed size, at least one. */
async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let size = 0
  let isFirst = true
  for await (const part of source) {
    parts.push(part)
    size += part.length
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(parts)
    parts = []
    size = 0
    isFirst = false
  }
  if (size > 0 || isFirst) yield Buffer.concat(parts)
}

async function readSequences(owner: pg.Client): Promise<Manifest['sequences']> {
  const read: Manifest['sequences'] = []
  for (const sequence of await listSequences(owner)) {
    const { rows } = await owner.query<{ lastValue: string; isCalled: boolean }>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${sqlName(owner, sequence)}`,
    )
    if (rows[0] !== undefined) read.push({ ...sequence, ...rows[0] })
  }
  return read
}

async function* fileEntries(folder: string): AsyncGenerator<Buffer, Manifest['files']> {
  const counted = startChecksum()
  let count = 0
  for await (const name of listFiles(folder, '')) {
    const path = join(folder, name)
    // Deleted since it was listed, so nothing refers to it anymore.
    const size = (await stat(path).catch(nullIfAbsent))?.size
    if (size === undefined) continue
    counted.note(fileMark(name, size))
    yield tarHeader(`files/${name}`, size)
    let left = size
    // Bytes appended in the meantime belong to the next backup.
    if (size > 0) {
      for await (const bytes of createReadStream(path, { end: size - 1 })) {
        left -= bytes.length
        counted.add(bytes)
        yield bytes
      }
    }
    if (left > 0) throw new Error(`The file ${path} was truncated during the backup. Try again.`)
    yield tarPadding(size)
    count += 1
  }
  return { count, ...counted.end() }
}

/** The file paths below a folder, with `/` as separator on every system. Links and devices are skipped. */
async function* listFiles(folder: string, within: string): AsyncGenerator<string> {
  if (MADE_AGAIN.has(within)) return
  const entries = await opendir(join(folder, within)).catch(nullIfAbsent)
  if (entries === null) return
  for await (const entry of entries) {
    const name = within === '' ? entry.name : `${within}/${entry.name}`
    if (entry.isDirectory()) yield* listFiles(folder, name)
    if (entry.isFile()) yield name
  }
}

function nullIfAbsent(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null
  throw error
}
