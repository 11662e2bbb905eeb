import type { FeedRow } from '#contract/feeds/mappings/source-row.ts'
import type { FEED_FORMATS, FeedShape } from '#contract/feeds/mappings/feed-shape.ts'
import { csvRows, openCsv } from './csv-rows.ts'
import { decodeText, type Encoding } from './decode-text.ts'
import { FeedRefusal } from './feed-refusal.ts'
import { findJsonPath, jsonRows } from './json-rows.ts'
import { findRowPath, xmlRows } from './xml-rows.ts'

export type OpenFeed = {
  format: (typeof FEED_FORMATS)[number]
  encoding: Encoding
  /** CSV only. */
  delimiter: string | null
  hasHeader: boolean
  /** CSV only: the line of the header; lines above it are left out. */
  headerLine: number
  /** XML and JSON only: where the rows are. */
  path: string | null
  /** CSV: all columns; XML and JSON: those of the first rows, since later rows can add more. */
  columns: string[]
  /** Can be read once. Throws a FeedRefusal where the file can't be read any further. */
  rows: AsyncGenerator<FeedRow>
}

/** How much text the shape of a file is detected from, in characters. */
const SAMPLE = 262_144
/** How many rows of XML and JSON the columns are collected from. */
const FIRST_ROWS = 100
const FIRST_SIZE = 4_000_000

/**
 * Opens a feed: detects what the shape leaves on `auto` and streams the rows, holding one at a time in memory.
 * @throws FeedRefusal if the file is empty, isn't text, or isn't a table.
 */
export async function openFeed(bytes: AsyncIterable<Uint8Array>, shape: FeedShape): Promise<OpenFeed> {
  const decoded = await decodeText(bytes, shape.encoding)
  const { sample, isWhole, text } = await peek(decoded.text)
  const start = sample.slice(0, 2_000).trimStart()
  if (start === '' && sample.trim() === '')
    throw new FeedRefusal('The file is empty: it contains only blank space.')
  if (/^<(!doctype html|html|head|body|script)\b/i.test(start)) {
    throw new FeedRefusal('This is a web page, not a feed. The URL may require signing in.', 1)
  }
  const format = shape.format === 'auto' ? formatOf(start) : shape.format
  const found = {
    format,
    encoding: decoded.encoding,
    delimiter: null,
    hasHeader: true,
    headerLine: 1,
    path: null,
  }
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

/** The first part of a text and the whole text, without a byte order mark and with uniform line endings. */
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
  // Files from old Macs end their lines with \r only.
  const isOld = !head.includes('\n') && head.includes('\r')
  const normalize = (part: string): string => (isOld ? part.replaceAll('\r', '\n') : part)
  const sample = normalize(head.replace(/^\uFEFF/, ''))
  async function* text(): AsyncGenerator<string> {
    yield sample
    for (;;) {
      const { value, done } = await parts.next()
      if (done === true) return
      yield normalize(value)
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
    // The rows read before the error are complete and come first.
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
