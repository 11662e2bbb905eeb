import type { FEED_ENCODINGS, FeedShape } from '#contract/feeds/mappings/feed-shape.ts'
import { FeedRefusal } from './feed-refusal.ts'

export type Encoding = (typeof FEED_ENCODINGS)[number]

/** How many bytes the encoding is detected from. */
const SAMPLE = 65_536

/** The first bytes of files that are sent by mistake in place of a feed. */
const OTHER_FILES: readonly (readonly [start: string, what: string])[] = [
  ['504b0304', 'a ZIP file or an Excel workbook (XLSX). Unzip it, or save it as CSV'],
  ['d0cf11e0', 'an Excel workbook (XLS). Save it as CSV'],
  ['1f8b', 'compressed with gzip. Decompress it first'],
  ['25504446', 'a PDF'],
  ['89504e47', 'an image (PNG)'],
  ['ffd8ff', 'an image (JPEG)'],
  ['47494638', 'an image (GIF)'],
  ['7f454c46', 'a program'],
]

/**
 * Decodes the bytes of a feed in chunks. `auto` detects the encoding from the byte order mark, then from the zero bytes of
 * UTF-16, then by testing for UTF-8; anything else is Windows-1252, as old exports write it.
 * @throws FeedRefusal if the file is empty or isn't text.
 */
export async function decodeText(
  bytes: AsyncIterable<Uint8Array>,
  wanted: FeedShape['encoding'],
): Promise<{ encoding: Encoding; text: AsyncGenerator<string> }> {
  const parts = bytes[Symbol.asyncIterator]()
  const head: Uint8Array[] = []
  let size = 0
  while (size < SAMPLE) {
    const { value, done } = await parts.next()
    if (done === true) break
    head.push(value)
    size += value.length
  }
  const sample = Buffer.concat(head)
  if (sample.length === 0) throw new FeedRefusal('The file is empty.')
  refuseOther(sample)
  const encoding = wanted === 'auto' ? encodingOf(sample) : wanted
  const isWide = encoding.startsWith('utf-16')
  const zero = isWide ? -1 : sample.indexOf(0)
  if (zero >= 0) throw new FeedRefusal(`The file isn't text: byte ${zero + 1} is zero.`)
  async function* all(): AsyncGenerator<Uint8Array> {
    yield sample
    for (;;) {
      const { value, done } = await parts.next()
      if (done === true) return
      yield value
    }
  }
  return { encoding, text: encoding === 'utf-8' ? decodeUtf8(all()) : decode(all(), encoding) }
}

function refuseOther(sample: Buffer): void {
  const start = sample.subarray(0, 4).toString('hex')
  const other = OTHER_FILES.find(([known]) => start.startsWith(known))
  if (other !== undefined) throw new FeedRefusal(`The file is ${other[1]}.`)
}

function encodingOf(sample: Buffer): Encoding {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le'
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be'
  if (sample[0] === 0xef && sample[1] === 0xbb && sample[2] === 0xbf) return 'utf-8'
  const pairs = Math.floor(sample.length / 2)
  let first = 0
  let second = 0
  for (let at = 0; at < pairs * 2; at += 2) {
    if (sample[at] === 0) first += 1
    if (sample[at + 1] === 0) second += 1
  }
  // Western text in UTF-16 has a zero in nearly every pair, always on the same side.
  if (second > pairs * 0.4 && first < pairs * 0.05) return 'utf-16le'
  if (first > pairs * 0.4 && second < pairs * 0.05) return 'utf-16be'
  return isUtf8(sample.subarray(0, wholeUntil(sample))) ? 'utf-8' : 'windows-1252'
}

async function* decode(bytes: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const part of bytes) yield decoder.decode(part, { stream: true })
  yield decoder.decode()
}

/** Switches to Windows-1252 at the first byte that isn't valid UTF-8, as long as everything before it was plain ASCII. */
async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
  const western = new TextDecoder('windows-1252')
  let held: Buffer = Buffer.alloc(0)
  let isPlain = true
  let isWestern = false
  for await (const part of bytes) {
    const whole = Buffer.concat([held, part])
    const end = isWestern ? whole.length : wholeUntil(whole)
    const now = whole.subarray(0, end)
    held = whole.subarray(end)
    if (!isWestern && !isUtf8(now)) isWestern = isPlain
    if (isPlain && now.some((byte) => byte > 0x7f)) isPlain = false
    yield (isWestern ? western : lenient).decode(now)
  }
  if (held.length > 0) yield (isPlain ? western : lenient).decode(held)
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Where an incomplete last character begins; the length if the last character is complete. */
function wholeUntil(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const wanted = 2 + Number(byte >= 0xe0) + Number(byte >= 0xf0)
      return wanted > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}
