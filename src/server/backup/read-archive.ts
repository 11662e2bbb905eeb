import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf } from '#server/error-code.ts'
import {
  fileMark,
  fileOfEntry,
  Header,
  HEADER_ENTRY,
  Manifest,
  MANIFEST_ENTRY,
  MANIFEST_HASH_ENTRY,
  tableOfEntry,
  startChecksum,
} from './manifest.ts'
import { TruncatedArchive, InvalidEntry, readTar, type TarEntry } from './tar.ts'

/** The largest manifest, in bytes. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024

/** The archive is incomplete, or is not a Forecourt backup. Nothing was written. */
export class BadArchive extends Error {
  override name = 'BadArchive'
}

/** The entries of an archive file. @throws BadArchive if it is truncated or damaged */
export async function* openArchive(path: string): AsyncGenerator<TarEntry> {
  // Errors of the file reach the reader of the unpacked stream.
  const unpacked = pipeline(createReadStream(path), createGunzip(), () => {})
  try {
    for await (const entry of explained(path, readTar(unpacked)))
      yield { ...entry, body: explained(path, entry.body) }
  } finally {
    unpacked.destroy()
  }
}

/** Converts errors of the stream to sentences about the archive. */
async function* explained<T>(path: string, source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    throw explain(path, error)
  }
}

function explain(path: string, error: unknown): unknown {
  const code = codeOf(error)
  const reason = error instanceof Error ? error.message : String(error)
  if (code === 'ENOENT') return new BadArchive(`The file ${path} does not exist.`, { cause: error })
  if (code === 'Z_BUF_ERROR' || error instanceof TruncatedArchive)
    return new BadArchive(`${path} is truncated.`, { cause: error })
  if (code.startsWith('Z_') || error instanceof InvalidEntry)
    return new BadArchive(`${path} is damaged or is not a Forecourt backup: ${reason}`, { cause: error })
  return error
}

/**
 * Reads a whole archive and verifies every part against its manifest.
 * @returns the manifest. @throws BadArchive with one sentence
 */
export async function checkArchive(path: string): Promise<Manifest> {
  const tables = new Map<string, ReturnType<typeof startChecksum>>()
  const files = { count: 0, counted: startChecksum() }
  let header: Header | null = null
  let manifestText: string | null = null
  let manifestHash: string | null = null
  for await (const entry of openArchive(path)) {
    if (manifestHash !== null) throw new BadArchive(`${path} has data after its end: ${entry.name}.`)
    const table = tableOfEntry(entry.name)
    const file = fileOfEntry(entry.name)
    if (header === null) header = readHeader(path, entry.name, await textOf(entry))
    else if (table !== null) {
      const counted = tables.get(table) ?? startChecksum()
      tables.set(table, counted)
      for await (const bytes of entry.body) counted.add(bytes)
    } else if (file !== null) {
      assertInsideFolder(path, file)
      files.count += 1
      files.counted.note(fileMark(file, entry.size))
      for await (const bytes of entry.body) files.counted.add(bytes)
    } else if (entry.name === MANIFEST_ENTRY) manifestText = await textOf(entry)
    else if (entry.name === MANIFEST_HASH_ENTRY) manifestHash = await textOf(entry)
    else throw new BadArchive(`${path} contains an unknown entry: ${entry.name}.`)
  }
  const manifest = readManifest(path, header, { text: manifestText, hash: manifestHash })
  for (const expected of manifest.tables) {
    const name = `${expected.schema}.${expected.name}`
    const found = tables.get(name)?.end()
    tables.delete(name)
    if (found === undefined) throw new BadArchive(`${path} is missing the table ${name}.`)
    if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256) {
      throw new BadArchive(`${path} is damaged: the table ${name} does not match the backup.`)
    }
  }
  const [unknown] = tables.keys()
  if (unknown !== undefined)
    throw new BadArchive(`${path} contains a table that is not in its manifest: ${unknown}.`)
  const found = files.counted.end()
  if (files.count !== manifest.files.count || found.sha256 !== manifest.files.sha256) {
    throw new BadArchive(`${path} is damaged: its files do not match the backup.`)
  }
  return manifest
}

function readHeader(path: string, name: string, text: string): Header {
  const notOurs = `${path} is not a Forecourt backup`
  if (name !== HEADER_ENTRY) throw new BadArchive(`${notOurs}.`)
  const read = Header.safeParse(parseJson(text))
  if (!read.success) throw new BadArchive(`${notOurs}, or a newer version created it.`)
  return read.data
}

function readManifest(
  path: string,
  header: Header | null,
  { text, hash }: { text: string | null; hash: string | null },
): Manifest {
  if (header === null) throw new BadArchive(`${path} is empty.`)
  if (text === null || hash === null) throw new BadArchive(`${path} is truncated: its manifest is missing.`)
  const read = Manifest.safeParse(parseJson(text))
  const isOurs = createHash('sha256').update(text).digest('hex') === hash
  if (!read.success || !isOurs || JSON.stringify(read.data.header) !== JSON.stringify(header)) {
    throw new BadArchive(`${path} is damaged: its manifest does not match the backup.`)
  }
  return read.data
}

/** @throws BadArchive if a file name leads outside the folder */
function assertInsideFolder(path: string, file: string): void {
  const isBelow = file.split('/').every((word) => word !== '' && word !== '.' && word !== '..')
  if (!isBelow || file.includes('\\') || file.includes('\0')) {
    throw new BadArchive(`${path} contains a file name outside its folder.`)
  }
}

async function textOf(entry: TarEntry): Promise<string> {
  if (entry.size > MAX_TEXT_BYTES) throw new BadArchive(`${entry.name} is too large for a Forecourt backup.`)
  const parts: Buffer[] = []
  for await (const bytes of entry.body) parts.push(bytes)
  return Buffer.concat(parts).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
