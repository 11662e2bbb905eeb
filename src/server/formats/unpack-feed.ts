import { createGunzip, createInflateRaw, crc32, type Gunzip, type InflateRaw } from 'node:zlib'
import { byteSource, type ByteSource } from './byte-source.ts'
import { FeedRefusal } from './feed-refusal.ts'

/** Below this unpacked size the compression ratio is not checked. */
const UNCHECKED_BYTES = 64_000_000
/** Feed text compresses about 10 times, seldom 100 times; a run of zeros 1,000 times. */
const MAX_RATIO = 200

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const DIRECTORY = [0x02014b50, 0x06054b50, 0x06064b50]
const HEADER_BYTES = 30

const BROKEN = 'The ZIP file is damaged or incomplete.'

/**
 * Streams the single feed out of a ZIP or gzip file in little memory. Any other file passes through unchanged, including
 * workbooks, which the feed reader rejects.
 * @throws FeedRefusal if there is no feed or more than one, for a password, a damaged file, or a decompression bomb.
 */
export async function* unpackFeed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const source = byteSource(bytes)
  const start = await source.peek(4)
  if (start.length === 4 && start.readUInt32LE() === LOCAL && !(await isWorkbook(source))) {
    yield* unzip(source)
    return
  }
  if (start[0] === 0x1f && start[1] === 0x8b) {
    for await (const part of inflate(source, createGunzip(), checkSize())) yield part
    return
  }
  for (let part = await source.part(); part !== null; part = await source.part()) yield part
}

/** ECMA-376: a workbook is a ZIP file whose first entries name its parts. */
async function isWorkbook(source: ByteSource): Promise<boolean> {
  const head = await source.peek(HEADER_BYTES + 64)
  const name = head.subarray(HEADER_BYTES).toString('latin1')
  return /^(\[Content_Types\]|_rels\/|docProps\/|xl\/|mimetype)/.test(name)
}

type SizeCheck = (unpacked: number, packed: number) => void

/** Rejects a file that unpacks to far more than its own size. */
function checkSize(): SizeCheck {
  let total = 0
  return (unpacked, packed) => {
    total += unpacked
    if (total > UNCHECKED_BYTES && total > packed * MAX_RATIO) {
      throw new FeedRefusal(`The file unpacks to more than ${MAX_RATIO} times its size, so it isn't a feed.`)
    }
  }
}

async function* unzip(source: ByteSource): AsyncGenerator<Buffer> {
  const admit = checkSize()
  const others: string[] = []
  let feed: string | null = null
  for (;;) {
    const entry = await nextEntry(source)
    if (entry === null) break
    const { name } = entry
    const isFeed = /\.(?:csv|tsv|txt|xml|json)$/i.test(name) && !/(?:^|\/)(?:\.|__MACOSX\/)/.test(name)
    if (isFeed && feed !== null) {
      throw new FeedRefusal(`The ZIP file contains several feeds: ${feed} and ${name}. Send only one.`)
    }
    if (isFeed) feed = name
    else if (!name.endsWith('/')) others.push(name)
    for await (const part of contentOf(source, entry, admit)) if (isFeed) yield part
  }
  if (feed !== null) return
  const content = others.length === 0 ? 'It is empty.' : `It contains ${others.slice(0, 3).join(', ')}.`
  throw new FeedRefusal(`The ZIP file contains no CSV, TSV, TXT, XML or JSON file. ${content}`)
}

type Entry = { name: string; method: number; size: number; crc: number; isDescribed: boolean }

/** Null at the central directory, which repeats what the entries say. */
async function nextEntry(source: ByteSource): Promise<Entry | null> {
  const header = await source.take(HEADER_BYTES)
  const signature = header.length < 4 ? 0 : header.readUInt32LE()
  if (DIRECTORY.includes(signature)) {
    while ((await source.part()) !== null);
    return null
  }
  if (signature !== LOCAL || header.length < HEADER_BYTES) throw new FeedRefusal(BROKEN)
  const flags = header.readUInt16LE(6)
  const name = (await source.take(header.readUInt16LE(26))).toString('utf8').replace(/[\p{Cc}]/gu, ' ')
  await source.take(header.readUInt16LE(28))
  if ((flags & 1) === 1)
    throw new FeedRefusal('The ZIP file is password protected. Send it without a password.')
  return {
    name,
    method: header.readUInt16LE(8),
    crc: header.readUInt32LE(14),
    size: header.readUInt32LE(18),
    isDescribed: (flags & 8) === 8,
  }
}

async function* contentOf(source: ByteSource, entry: Entry, admit: SizeCheck): AsyncGenerator<Buffer> {
  const { name, method, size, isDescribed } = entry
  if (method !== 8 && (method !== 0 || isDescribed || size === 0xffffffff)) {
    throw new FeedRefusal(`${name} uses a compression method we don't support. Create a standard ZIP file.`)
  }
  let crc = 0
  const all = method === 8 ? inflate(source, createInflateRaw(), admit) : plain(source, size, admit)
  for await (const part of all) {
    crc = crc32(part, crc)
    yield part
  }
  if (crc !== (isDescribed ? await describedCrc(source) : entry.crc)) throw new FeedRefusal(BROKEN)
}

async function* plain(source: ByteSource, size: number, admit: SizeCheck): AsyncGenerator<Buffer> {
  let left = size
  while (left > 0) {
    const part = await source.part()
    if (part === null) throw new FeedRefusal(BROKEN)
    if (part.length > left) source.unread(part.subarray(left))
    const own = part.subarray(0, left)
    left -= own.length
    admit(own.length, source.taken)
    yield own
  }
}

/** Reads the data descriptor after an entry whose sizes were not known in advance: sizes take 4 bytes or 8. */
async function describedCrc(source: ByteSource): Promise<number> {
  const all = await source.peek(28)
  const at = all.length >= 4 && all.readUInt32LE() === DESCRIPTOR ? 4 : 0
  const known = [LOCAL, ...DIRECTORY]
  const end = [at + 12, at + 20].find((one) => all.length >= one + 4 && known.includes(all.readUInt32LE(one)))
  if (end === undefined) throw new FeedRefusal(BROKEN)
  await source.take(end)
  return all.readUInt32LE(at)
}

/** Decompresses until the end of the compressed data and pushes back the bytes after it. */
async function* inflate(
  source: ByteSource,
  inflater: Gunzip | InflateRaw,
  admit: SizeCheck,
): AsyncGenerator<Buffer> {
  const feeding = pour(source, inflater).catch((error: unknown) => {
    inflater.destroy(error instanceof Error ? error : new Error(BROKEN))
  })
  try {
    for await (const part of inflater) {
      const piece = Buffer.from(part)
      admit(piece.length, source.taken)
      yield piece
    }
  } catch (error) {
    if (isZlibError(error)) throw new FeedRefusal('The compressed file is damaged or incomplete.')
    throw error
  } finally {
    inflater.destroy()
  }
  await feeding
}

/** Feeds one chunk at a time, to find where the compressed data ends. */
async function pour(source: ByteSource, inflater: Gunzip | InflateRaw): Promise<void> {
  let fed = 0
  while (!inflater.destroyed) {
    const part = await source.part()
    if (part === null) {
      inflater.end()
      return
    }
    fed += part.length
    await new Promise((done) => void inflater.write(part, done))
    const excess = fed - inflater.bytesWritten
    if (excess > 0) {
      source.unread(part.subarray(part.length - excess))
      return
    }
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
