/** Archives are plain tar, so that they can be inspected without the product. */
const BLOCK = 512
const MAX_NAME_LENGTH = 100
/** The maximum of eleven octal digits: 8 GiB minus 1. */
const MAX_BYTES = 0o77777777777

export type TarEntry = {
  name: string
  size: number
  /** The entry's bytes. Unread bytes are skipped. */
  body: AsyncGenerator<Buffer>
}

/** The archive is truncated. */
export class TruncatedArchive extends Error {
  override name = 'TruncatedArchive'
}

/** Not a valid archive entry. */
export class InvalidEntry extends Error {
  override name = 'InvalidEntry'
}

/** The header of an entry, with a pax header before it if the name is long or not ASCII. */
export function tarHeader(name: string, size: number): Buffer {
  if (size > MAX_BYTES) throw new Error(`${name} is larger than 8 GiB and cannot be backed up.`)
  // eslint-disable-next-line no-control-regex -- the characters of a plain header
  if (name.length <= MAX_NAME_LENGTH && /^[\x20-\x7e]*$/.test(name)) return plainHeader(name, size, '0')
  const record = paxRecord('path', name)
  return Buffer.concat([
    plainHeader('pax-header', record.length, 'x'),
    record,
    tarPadding(record.length),
    plainHeader('long-name', size, '0'),
  ])
}

/** The zeros that fill an entry's last block. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** The end of an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK)

function plainHeader(name: string, size: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, 'ascii')
  block.write('0000600\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write('00000000000\0', 136)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const sumOf = (block: Buffer): number => block.reduce((sum, byte) => sum + byte, 0)

/** `length key=value`, where the length counts its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (String(length).length + rest !== length) length = rest + String(length).length
  return Buffer.from(`${length} ${key}=${value}\n`)
}

/**
 * The entries of an archive, in order.
 * @throws TruncatedArchive or InvalidEntry
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const bytes = new ByteReader(source)
  let longName: string | null = null
  for (;;) {
    const block = await bytes.take(BLOCK)
    if (block.every((byte) => byte === 0)) {
      await bytes.skipRest()
      return
    }
    const { name, size, type } = readHeader(block)
    if (type === 'x') {
      longName = readPax(await bytes.take(size))
      await bytes.take(tarPadding(size).length)
      continue
    }
    const body = bytes.stream(size)
    yield { name: longName ?? name, size, body }
    for await (const _ of body);
    await bytes.take(tarPadding(size).length)
    longName = null
  }
}

function readHeader(block: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, length: number): string =>
    block
      .toString('utf8', from, from + length)
      .split('\0')[0]
      ?.trim() ?? ''
  const blank = Buffer.from(block)
  blank.fill(' ', 148, 156)
  if (text(257, 5) !== 'ustar' || Number.parseInt(text(148, 8), 8) !== sumOf(blank)) {
    throw new InvalidEntry('It contains an invalid entry.')
  }
  return { name: text(0, MAX_NAME_LENGTH), size: Number.parseInt(text(124, 12), 8), type: text(156, 1) }
}

function readPax(record: Buffer): string {
  const path = /^\d+ path=(.*)\n$/s.exec(record.toString('utf8'))?.[1]
  if (path === undefined) throw new InvalidEntry('It contains an invalid name.')
  return path
}

/** Reads exact numbers of bytes from a stream of chunks. */
class ByteReader {
  readonly #pieces: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#pieces = source[Symbol.asyncIterator]()
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.stream(count)) parts.push(part)
    return Buffer.concat(parts)
  }

  /** Reads to the end: the checksum of compressed bytes comes last, and without it the file is truncated. */
  async skipRest(): Promise<void> {
    while ((await this.#pieces.next()).done !== true);
  }

  async *stream(count: number): AsyncGenerator<Buffer> {
    let missing = count
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#pieces.next()
        if (next.done === true) throw new TruncatedArchive('It ends unexpectedly.')
        this.#rest = next.value
      }
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      yield part
    }
  }
}
