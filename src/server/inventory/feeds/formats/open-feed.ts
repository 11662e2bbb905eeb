import type { FeedRow } from '#contract/inventory/feeds/mappings/source-row.ts'
import type { FEED_FORMATS, FeedShape } from '#contract/inventory/feeds/formats/feed-shape.ts'
import { csvRows, openCsv } from './csv-rows.ts'
import { decodeText, type Encoding } from './decode-text.ts'
import { FeedRefusal } from './feed-refusal.ts'
import { findJsonPath, jsonRows } from './json-rows.ts'
import { findRowPath, xmlRows } from './xml-rows.ts'

export type OpenFeed = {
  format: (typeof FEED_FORMATS)[number]
  encoding: Encoding
  /** Of CSV. */
  delimiter: string | null
  hasHeader: boolean
  /** Of XML and JSON: where the rows are. */
  path: string | null
  /** Of CSV all there are; of XML and JSON those of the first rows, later ones may bring more. */
  columns: string[]
  /** Read once. Throws a FeedRefusal where the file cannot be read any further. */
  rows: AsyncGenerator<FeedRow>
}

/** So much text the shape of a file is told by, in characters. */
const SAMPLE = 262_144
/** So many rows of XML and JSON the columns are told by. */
const FIRST_ROWS = 100
const FIRST_SIZE = 4_000_000

/**
 * Opens a feed: finds out what the shape leaves open and reads its rows one by one, as fast as they are taken and
 * without holding more than one of them. @throws FeedRefusal when it is empty, no text, or no table.
 */
export async function openFeed(bytes: AsyncIterable<Uint8Array>, shape: FeedShape): Promise<OpenFeed> {
  const decoded = await decodeText(bytes, shape.encoding)
  const { sample, isWhole, text } = await peek(decoded.text)
  const start = sample.slice(0, 2_000).trimStart()
  if (start === '' && sample.trim() === '') throw new FeedRefusal('The file is empty: it has blanks alone.')
  if (/^<(!doctype html|html|head|body|script)\b/i.test(start)) {
    throw new FeedRefusal('This is a web page, not a feed. The address may want a sign-in.', 1)
  }
  const format = shape.format === 'auto' ? formatOf(start) : shape.format
  const found = { format, encoding: decoded.encoding, delimiter: null, hasHeader: true, path: null }
  if (format === 'csv') {
    const opening = openCsv(sample, shape, isWhole)
    return { ...found, ...opening, rows: csvRows(text, opening) }
  }
  const path = shape.path ?? (format === 'xml' ? findRowPath(sample) : findJsonPath(sample))
  const all = format === 'xml' ? xmlRows(text, path) : jsonRows(text, path)
  const first = await firstOf(all)
  return { ...found, path, columns: columnsOf(first.rows), rows: first.all }
}

function formatOf(start: string): OpenFeed['format'] {
  if (start.startsWith('<')) return 'xml'
  return /^[[{]\s*["{[\]}]/.test(start) ? 'json' : 'csv'
}

/** The first part of a text, and all of it, without its mark and with the line ends of one kind. */
async function peek(
  parts: AsyncGenerator<string>,
): Promise<{ sample: string; isWhole: boolean; text: AsyncGenerator<string> }> {
  let head = ''
  let isWhole = false
  while (head.length < SAMPLE && !isWhole) {
    const { value, done } = await parts.next()
    if (done === true) isWhole = true
    else head += value
  }
  // Files of old Macs end their lines with \r alone.
  const isOld = !head.includes('\n') && head.includes('\r')
  const mend = (part: string): string => (isOld ? part.replaceAll('\r', '\n') : part)
  const sample = mend(head.replace(/^\uFEFF/, ''))
  async function* text(): AsyncGenerator<string> {
    yield sample
    for (;;) {
      const { value, done } = await parts.next()
      if (done === true) return
      yield mend(value)
    }
  }
  return { sample, isWhole, text: text() }
}

async function firstOf(
  rows: AsyncGenerator<FeedRow>,
): Promise<{ rows: FeedRow[]; all: AsyncGenerator<FeedRow> }> {
  const first: FeedRow[] = []
  let size = 0
  let refusal: FeedRefusal | null = null
  try {
    while (first.length < FIRST_ROWS && size < FIRST_SIZE) {
      const { value, done } = await rows.next()
      if (done === true) break
      first.push(value)
      size += value.raw.length
    }
  } catch (error) {
    // What was read before it is whole, and comes first.
    if (!(error instanceof FeedRefusal) || first.length === 0) throw error
    refusal = error
  }
  async function* all(): AsyncGenerator<FeedRow> {
    yield* first.splice(0)
    if (refusal !== null) throw refusal
    yield* rows
  }
  return { rows: [...first], all: all() }
}

function columnsOf(rows: readonly FeedRow[]): string[] {
  return [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
}
