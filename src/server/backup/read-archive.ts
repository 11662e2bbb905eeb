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
  tally,
} from './manifest.ts'
import { EndsEarly, NoEntry, readTar, type TarEntry } from './tar.ts'

/** A manifest of more than this is none of ours. */
const MOST_TEXT = 64 * 1024 * 1024

/** The archive is not whole, or not one of ours. Nothing was written. */
export class BadArchive extends Error {
  override name = 'BadArchive'
}

/** The entries of an archive file. @throws BadArchive when it is cut or damaged, with what is wrong. */
export async function* openArchive(path: string): AsyncGenerator<TarEntry> {
  // An error of the file reaches whoever reads the unpacked bytes.
  const unpacked = pipeline(createReadStream(path), createGunzip(), () => {})
  try {
    for await (const entry of explained(path, readTar(unpacked)))
      yield { ...entry, body: explained(path, entry.body) }
  } finally {
    unpacked.destroy()
  }
}

/** The same, with what is wrong with the archive in words. */
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
  if (code === 'ENOENT') return new BadArchive(`There is no file ${path}.`, { cause: error })
  if (code === 'Z_BUF_ERROR' || error instanceof EndsEarly)
    return new BadArchive(`${path} is cut: it ends in the middle.`, { cause: error })
  if (code.startsWith('Z_') || error instanceof NoEntry)
    return new BadArchive(`${path} is damaged, or no backup of Forecourt: ${reason}`, { cause: error })
  return error
}

/**
 * Reads a whole archive and answers what it says of itself, after holding every part against it.
 * @throws BadArchive with one sentence about what is wrong.
 */
export async function checkArchive(path: string): Promise<Manifest> {
  const tables = new Map<string, ReturnType<typeof tally>>()
  const files = { count: 0, counted: tally() }
  let header: Header | null = null
  let manifestText: string | null = null
  let manifestHash: string | null = null
  for await (const entry of openArchive(path)) {
    if (manifestHash !== null) throw new BadArchive(`${path} goes on after its end: ${entry.name}.`)
    const table = tableOfEntry(entry.name)
    const file = fileOfEntry(entry.name)
    if (header === null) header = readHeader(path, entry.name, await textOf(entry))
    else if (table !== null) {
      const counted = tables.get(table) ?? tally()
      tables.set(table, counted)
      for await (const bytes of entry.body) counted.add(bytes)
    } else if (file !== null) {
      refuseWayOut(path, file)
      files.count += 1
      files.counted.note(fileMark(file, entry.size))
      for await (const bytes of entry.body) files.counted.add(bytes)
    } else if (entry.name === MANIFEST_ENTRY) manifestText = await textOf(entry)
    else if (entry.name === MANIFEST_HASH_ENTRY) manifestHash = await textOf(entry)
    else throw new BadArchive(`${path} holds something that no backup holds: ${entry.name}.`)
  }
  const manifest = readManifest(path, header, { text: manifestText, hash: manifestHash })
  for (const wanted of manifest.tables) {
    const name = `${wanted.schema}.${wanted.name}`
    const found = tables.get(name)?.end()
    tables.delete(name)
    if (found === undefined) throw new BadArchive(`${path} lacks the table ${name}.`)
    if (found.bytes !== wanted.bytes || found.sha256 !== wanted.sha256) {
      throw new BadArchive(`${path} is damaged: the table ${name} is not what was backed up.`)
    }
  }
  const [unknown] = tables.keys()
  if (unknown !== undefined) throw new BadArchive(`${path} holds a table that its list lacks: ${unknown}.`)
  const found = files.counted.end()
  if (files.count !== manifest.files.count || found.sha256 !== manifest.files.sha256) {
    throw new BadArchive(`${path} is damaged: its files are not what was backed up.`)
  }
  return manifest
}

function readHeader(path: string, name: string, text: string): Header {
  const foreign = `${path} is no backup of Forecourt.`
  if (name !== HEADER_ENTRY) throw new BadArchive(foreign)
  const read = Header.safeParse(parseJson(text))
  if (!read.success) throw new BadArchive(`${foreign} Or a newer copy made it.`)
  return read.data
}

function readManifest(
  path: string,
  header: Header | null,
  { text, hash }: { text: string | null; hash: string | null },
): Manifest {
  if (header === null) throw new BadArchive(`${path} is empty.`)
  if (text === null || hash === null)
    throw new BadArchive(`${path} is cut: the list of its parts is missing.`)
  const read = Manifest.safeParse(parseJson(text))
  const isOurs = createHash('sha256').update(text).digest('hex') === hash
  if (!read.success || !isOurs || JSON.stringify(read.data.header) !== JSON.stringify(header)) {
    throw new BadArchive(`${path} is damaged: the list of its parts is not what was backed up.`)
  }
  return read.data
}

/** A file's place is below its folder, whatever its name says. */
function refuseWayOut(path: string, file: string): void {
  const isBelow = file.split('/').every((word) => word !== '' && word !== '.' && word !== '..')
  if (!isBelow || file.includes('\\') || file.includes('\0')) {
    throw new BadArchive(`${path} names a file outside of its folder.`)
  }
}

async function textOf(entry: TarEntry): Promise<string> {
  if (entry.size > MOST_TEXT) throw new BadArchive(`${entry.name} is too long to be ours.`)
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
