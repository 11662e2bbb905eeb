import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpackFeed } from './unpack-feed.ts'

type Packed = {
  name: string
  bytes: string | Buffer
  isDescribed?: boolean
  isStored?: boolean
  flags?: number
}

/** A ZIP file as archivers write it: each entry with its header, then a directory. */
function zip(...entries: Packed[]): Buffer {
  const parts = entries.flatMap(({ name, bytes, isDescribed = false, isStored = false, flags = 0 }) => {
    const plain = Buffer.from(bytes)
    const packed = isStored ? plain : deflateRawSync(plain)
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50)
    header.writeUInt16LE(flags | (isDescribed ? 8 : 0), 6)
    header.writeUInt16LE(isStored ? 0 : 8, 8)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc32(plain))
    sizes.writeUInt32LE(packed.length, 4)
    sizes.writeUInt32LE(plain.length, 8)
    if (!isDescribed) sizes.copy(header, 14)
    header.writeUInt16LE(name.length, 26)
    const sign = Buffer.from([0x50, 0x4b, 7, 8])
    return [header, Buffer.from(name), packed, ...(isDescribed ? [sign, sizes] : [])]
  })
  const directory = Buffer.alloc(46)
  directory.writeUInt32LE(0x02014b50)
  return Buffer.concat([...parts, directory, Buffer.alloc(22)])
}

async function unpack(bytes: Buffer, size: number): Promise<string> {
  async function* inParts() {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
  }
  const parts: Buffer[] = []
  for await (const part of unpackFeed(inParts())) parts.push(part)
  return Buffer.concat(parts).toString()
}

const FEED = `VIN,Price\n${Array.from({ length: 400 }, (_, at) => `1FTFW1E50PF${String(at).padStart(6, '0')},${at}\n`).join('')}`
const NOTE = { name: 'readme.pdf', bytes: 'Not a feed.' }

test.each([
  ['as it is', Buffer.from(FEED)],
  ['compressed with gzip', gzipSync(FEED)],
  ['in a ZIP file', zip({ name: 'feed.csv', bytes: FEED })],
  ['in a ZIP file with data descriptors', zip({ name: 'feed.csv', bytes: FEED, isDescribed: true }, NOTE)],
  ['in an uncompressed ZIP file', zip(NOTE, { name: 'a/feed.csv', bytes: FEED, isStored: true })],
  [
    'in a ZIP file made on a Mac',
    zip({ name: '__MACOSX/._feed.csv', bytes: 'x' }, { name: 'feed.csv', bytes: FEED }),
  ],
])('unpacks a feed %s, however it is split into chunks', async (_, bytes) => {
  for (const size of [1, 7, 30, 1_000, bytes.length]) expect(await unpack(bytes, size)).toBe(FEED)
})

test('passes a workbook through, so that the feed reader explains what to do', async () => {
  const bytes = zip({ name: '[Content_Types].xml', bytes: '<Types/>' })
  expect(await unpack(bytes, 64)).toBe(bytes.toString())
})

const whole = zip({ name: 'feed.csv', bytes: FEED })
const damaged = Buffer.from(whole)
damaged.writeUInt32LE(1, 14)

test.each([
  [
    'several feeds',
    zip({ name: 'a.csv', bytes: FEED }, { name: 'b.xml', bytes: '<a/>' }),
    /several feeds: a\.csv and b\.xml/,
  ],
  ['no feed', zip(NOTE), /no CSV, TSV, TXT, XML or JSON file\. It contains readme\.pdf/],
  ['a password', zip({ name: 'a.csv', bytes: FEED, flags: 1 }), /password protected/],
  ['its end missing', whole.subarray(0, whole.length / 2), /damaged or incomplete/],
  ['its directory missing', whole.subarray(0, whole.length - 68), /damaged or incomplete/],
  ['a wrong checksum', damaged, /damaged or incomplete/],
  ['incomplete gzip data', gzipSync(FEED).subarray(0, 300), /damaged or incomplete/],
  ['endless zeros', gzipSync(Buffer.alloc(80_000_000)), /more than 200 times its size/],
])('rejects a compressed file with %s and gives the reason', async (_, bytes, reason) => {
  await expect(unpack(bytes, 65_536)).rejects.toThrow(reason)
})
