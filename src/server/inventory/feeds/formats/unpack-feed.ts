import { createGunzip, createInflateRaw, crc32, type Gunzip, type InflateRaw } from 'node:zlib'
import { byteSource, type ByteSource } from './byte-source.ts'
import { FeedRefusal } from './feed-refusal.ts'

/** What unpacks to more than this is held against what it came as. */
const FREE_BYTES = 64_000_000
/** Text of feeds shrinks to a tenth, seldom to a hundredth; zeros to a thousandth. */
const MOST_TIMES = 200

const LOCAL = 0x04034b50
const DESCRIPTOR = 0x08074b50
const DIRECTORY = [0x02014b50, 0x06054b50, 0x06064b50]
const HEADER_BYTES = 30

const BROKEN = 'The ZIP file is broken or was cut.'

/**
 * The one feed of a ZIP file or a file packed with gzip, as it comes and in little memory; any other file as it is, and a
 * workbook, too, which its reader refuses. @throws FeedRefusal for none or several feeds in it, a password, a broken file,
 * and one that was made to fill the disk.
 */
export async function* unpackFeed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const source = byteSource(bytes)
  const start = await source.peek(4)
  if (start.length === 4 && start.readUInt32LE() === LOCAL && !(await isWorkbook(source))) {
    yield* unzip(source)
    return
  }
  if (start[0] === 0x1f && start[1] === 0x8b) {
    for await (const part of inflate(source, createGunzip(), bound())) yield part
    return
  }
  for (let part = await source.part(); part !== null; part = await source.part()) yield part
}

/** Ecma International 376: a workbook is a ZIP file that begins with what it holds. */
async function isWorkbook(source: ByteSource): Promise<boolean> {
  const head = await source.peek(HEADER_BYTES + 64)
  const name = head.subarray(HEADER_BYTES).toString('latin1')
  return /^(\[Content_Types\]|_rels\/|docProps\/|xl\/|mimetype)/.test(name)
}

type Bound = (unpacked: number, packed: number) => void

/** Says when it becomes too much. */
function bound(): Bound {
  let all = 0
  return (unpacked, packed) => {
    all += unpacked
    if (all > FREE_BYTES && all > packed * MOST_TIMES) {
      throw new FeedRefusal(`The file unpacks to more than ${MOST_TIMES} times its size. That is no feed.`)
    }
  }
}

async function* unzip(source: ByteSource): AsyncGenerator<Buffer> {
  const admit = bound()
  const others: string[] = []
  let feed: string | null = null
  for (;;) {
    const entry = await nextEntry(source)
    if (entry === null) break
    const { name } = entry
    const isFeed = /\.(?:csv|tsv|txt|xml|json)$/i.test(name) && !/(?:^|\/)(?:\.|__MACOSX\/)/.test(name)
    if (isFeed && feed !== null) {
      throw new FeedRefusal(`The ZIP file has several feeds: ${feed} and ${name}. Send one of them.`)
    }
    if (isFeed) feed = name
    else if (!name.endsWith('/')) others.push(name)
    for await (const part of contentOf(source, entry, admit)) if (isFeed) yield part
  }
  if (feed !== null) return
  const there = others.length === 0 ? 'It is empty.' : `It has ${others.slice(0, 3).join(', ')}.`
  throw new FeedRefusal(`The ZIP file has no CSV, TSV, TXT, XML or JSON file in it. ${there}`)
}

type Entry = { name: string; method: number; size: number; crc: number; isDescribed: boolean }

/** Null where the directory begins, which says nothing new. */
async function nextEntry(source: ByteSource): Promise<Entry | null> {
  const header = await source.take(HEADER_BYTES)
  const sign = header.length < 4 ? 0 : header.readUInt32LE()
  if (DIRECTORY.includes(sign)) {
    while ((await source.part()) !== null);
    return null
  }
  if (sign !== LOCAL || header.length < HEADER_BYTES) throw new FeedRefusal(BROKEN)
  const flags = header.readUInt16LE(6)
  const name = (await source.take(header.readUInt16LE(26))).toString('utf8').replace(/[\p{Cc}]/gu, ' ')
  await source.take(header.readUInt16LE(28))
  if ((flags & 1) === 1) throw new FeedRefusal('The ZIP file has a password. Send it without one.')
  return {
    name,
    method: header.readUInt16LE(8),
    crc: header.readUInt32LE(14),
    size: header.readUInt32LE(18),
    isDescribed: (flags & 8) === 8,
  }
}

async function* contentOf(source: ByteSource, entry: Entry, admit: Bound): AsyncGenerator<Buffer> {
  const { name, method, size, isDescribed } = entry
  if (method !== 8 && (method !== 0 || isDescribed || size === 0xffffffff)) {
    throw new FeedRefusal(`${name} is packed in a way that is not read here. Pack it as a plain ZIP file.`)
  }
  let crc = 0
  const all = method === 8 ? inflate(source, createInflateRaw(), admit) : plain(source, size, admit)
  for await (const part of all) {
    crc = crc32(part, crc)
    yield part
  }
  if (crc !== (isDescribed ? await describedCrc(source) : entry.crc)) throw new FeedRefusal(BROKEN)
}

async function* plain(source: ByteSource, size: number, admit: Bound): AsyncGenerator<Buffer> {
  let left = size
  while (left > 0) {
    const part = await source.part()
    if (part === null) throw new FeedRefusal(BROKEN)
    if (part.length > left) source.releaseLease(part.subarray(left))
    const own = part.subarray(0, left)
    left -= own.length
    admit(own.length, source.taken)
    yield own
  }
}

/** What stands behind an entry whose sizes nobody knew before: sizes of 4 bytes, or of 8. */
async function describedCrc(source: ByteSource): Promise<number> {
  const all = await source.peek(28)
  const at = all.length >= 4 && all.readUInt32LE() === DESCRIPTOR ? 4 : 0
  const known = [LOCAL, ...DIRECTORY]
  const end = [at + 12, at + 20].find((one) => all.length >= one + 4 && known.includes(all.readUInt32LE(one)))
  if (end === undefined) throw new FeedRefusal(BROKEN)
  await source.take(end)
  return all.readUInt32LE(at)
}

/** Unpacks until what was packed ends, and gives back what lies behind it. */
async function* inflate(
  source: ByteSource,
  inflater: Gunzip | InflateRaw,
  admit: Bound,
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
    if (isOfZlib(error)) throw new FeedRefusal('What is packed is broken or was cut.')
    throw error
  } finally {
    inflater.destroy()
  }
  await feeding
}

/** A part at a time, so that it is known where what is packed ends. */
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
    const behind = fed - inflater.bytesWritten
    if (behind > 0) {
      source.releaseLease(part.subarray(part.length - behind))
      return
    }
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}
