import { crc32, inflateRawSync } from 'node:zlib'
import { figure, lineLimit, SHEET_LIMITS, type SheetBounds, SheetRefusal } from './sheet.ts'

const [LOCAL, DIRECTORY, END, END64, LOCATOR64] = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50]
const [FULL16, FULL32] = [0xffff, 0xffffffff]
const BROKEN = "This workbook can't be read. Save it as XLSX or CSV again."

type Entry = { name: Buffer; method: number; packed: number; size: number; offset: number }

/**
 * Repacks a workbook (a ZIP file) without compression. The parser inflates without limits and may read sizes from other
 * places than a check, so it only gets bytes that were counted here.
 * @throws SheetRefusal if an entry or the total is too large when unpacked, or the file is invalid
 */
export function unpackWorkbook(file: Buffer, bounds: SheetBounds = SHEET_LIMITS): Buffer {
  const unpacked: { name: Buffer; data: Buffer }[] = []
  let left: number = SHEET_LIMITS.unpackedBytes
  for (const entry of readDirectory(file)) {
    const data = unpackEntry(file, entry, left)
    left -= data.length
    if (/^xl\/worksheets\/[^/]+\.xml$/i.test(entry.name.toString())) refuseLines(data, entry, bounds)
    unpacked.push({ name: entry.name, data })
  }
  return pack(unpacked)
}

function readDirectory(file: Buffer): Entry[] {
  try {
    const { at: start, count } = findDirectory(file)
    if (count > SHEET_LIMITS.entries)
      throw new SheetRefusal(
        `The workbook has ${figure(count)} parts. The limit is ${figure(SHEET_LIMITS.entries)}.`,
      )
    const entries: Entry[] = []
    for (let at = start; entries.length < count;) {
      if (file.readUInt32LE(at) !== DIRECTORY) throw new SheetRefusal(BROKEN)
      const nameLength = file.readUInt16LE(at + 28)
      const extraLength = file.readUInt16LE(at + 30)
      const extra = file.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength)
      const sizes = [file.readUInt32LE(at + 24), file.readUInt32LE(at + 20), file.readUInt32LE(at + 42)]
      const [size = 0, packed = 0, offset = 0] = withLongSizes(sizes, extra)
      const name = file.subarray(at + 46, at + 46 + nameLength)
      entries.push({ name, method: file.readUInt16LE(at + 10), packed, size, offset })
      at += 46 + nameLength + extraLength + file.readUInt16LE(at + 32)
    }
    return entries
  } catch (error) {
    throw error instanceof RangeError ? new SheetRefusal(BROKEN) : error
  }
}

function findDirectory(file: Buffer): { at: number; count: number } {
  const end = file.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0 || file.readUInt32LE(end) !== END) throw new SheetRefusal(BROKEN)
  const [count, at] = [file.readUInt16LE(end + 10), file.readUInt32LE(end + 16)]
  if (count !== FULL16 && at !== FULL32) return { at, count }
  if (end < 20 || file.readUInt32LE(end - 20) !== LOCATOR64) throw new SheetRefusal(BROKEN)
  const long = Number(file.readBigUInt64LE(end - 12))
  if (file.readUInt32LE(long) !== END64) throw new SheetRefusal(BROKEN)
  return { at: Number(file.readBigUInt64LE(long + 48)), count: Number(file.readBigUInt64LE(long + 32)) }
}

/** ZIP64 (APPNOTE 4.5.3): values that do not fit in 4 bytes follow the name, in this order. */
function withLongSizes(sizes: readonly number[], extra: Buffer): number[] {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return sizes.map((size) => {
    if (size !== FULL32) return size
    at += 8
    return Number(extra.readBigUInt64LE(at - 8))
  })
}

function unpackEntry(file: Buffer, { name, method, packed, size, offset }: Entry, left: number): Buffer {
  const most = Math.min(SHEET_LIMITS.entryBytes, left)
  const title = name
    .toString()
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, 100)
  const tooMuch = `The workbook is too large when unpacked, at ${title}. The limit is ${figure(SHEET_LIMITS.entryBytes / 1_000_000)} MB per part and ${figure(SHEET_LIMITS.unpackedBytes / 1_000_000)} MB in total. Remove sheets and pictures you don't need.`
  if (size > most) throw new SheetRefusal(tooMuch)
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== LOCAL) throw new SheetRefusal(BROKEN)
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  if (start + packed > file.length) throw new SheetRefusal(BROKEN)
  const content = file.subarray(start, start + packed)
  if (method === 0) {
    if (content.length > most) throw new SheetRefusal(tooMuch)
    return content
  }
  if (method !== 8) throw new SheetRefusal(BROKEN)
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(1, most) })
  } catch (error) {
    const isTooMuch = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new SheetRefusal(isTooMuch ? tooMuch : BROKEN)
  }
}

/** Counts the lines first, because the parser silently skips those beyond its limit. */
function refuseLines(data: Buffer, { name }: Entry, bounds: SheetBounds): void {
  const rows = data.toString('latin1').matchAll(/<(?:\w+:)?row[\s/>]/g)
  let count = 0
  for (const _ of rows) {
    count += 1
    if (count > bounds.linesWithEmpty)
      throw new SheetRefusal(
        `${name.toString()} in the workbook has more than ${figure(bounds.linesWithEmpty)} lines, including empty ones. The limit is ${lineLimit(bounds)}. Split the file.`,
      )
  }
}

function pack(entries: readonly { name: Buffer; data: Buffer }[]): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, data } of entries) {
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(name.length, 22)
    parts.push(word(LOCAL), common, name, data)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(word(DIRECTORY), Buffer.from([20, 0]), common, place, name)
    offset += 30 + name.length + data.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  )
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, ...directory, word(END), end])
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
