import type { Cell, FeedRow } from '#contract/feeds/mappings/source-row.ts'
import { FeedRefusal, MAX_RAW_LENGTH, MAX_COLUMNS } from './feed-refusal.ts'
import { findVinPath } from './find-vin-path.ts'
import { type JsonPiece, jsonScanner } from './scan-json.ts'

/**
 * The path of the rows in a JSON feed: '' for an array or one object per line, else the path to the array, `data.vehicles`. Of
 * several arrays, the one that contains VINs, else the one with the largest first object. @throws FeedRefusal
 */
export function findJsonPath(sample: string): string {
  const deep = findVinPath(sample)
  if (deep !== null && deep !== '') return deep
  const isArray = sample
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('[')
  if (isArray || [...jsonScanner('').push(sample, false)].length > 1) return ''
  const first = new Map<string, number>()
  for (const { path, text } of jsonScanner(null).push(sample, false)) {
    if (!first.has(path)) first.set(path, text.length)
  }
  const [best] = [...first].toSorted(([, one], [, other]) => other - one)
  if (best !== undefined) return best[0]
  if ([...jsonScanner('').push(sample, false)].length === 1) return ''
  throw new FeedRefusal(
    'No list of objects was found near the beginning of this JSON file. Enter the row path.',
  )
}

/**
 * The rows of a JSON feed: each object of the array at `path`, or each object of a line-delimited file. Nested values are named
 * by their path, `build.year`; lists become several texts.
 */
export async function* jsonRows(text: AsyncIterable<string>, path: string): AsyncGenerator<FeedRow> {
  const scanner = jsonScanner(path)
  let found = 0
  for await (const part of text) {
    for (const piece of scanner.push(part, false)) {
      found += 1
      yield rowOf(piece)
    }
  }
  for (const piece of scanner.push('', true)) {
    found += 1
    yield rowOf(piece)
  }
  if (found === 0)
    throw new FeedRefusal(`There is no list of objects at ${path === '' ? 'the top level' : path}.`)
}

function rowOf({ line, text, problem }: JsonPiece): FeedRow {
  const raw = text.slice(0, MAX_RAW_LENGTH)
  const refuse = (sentence: string): FeedRow => ({
    line,
    raw,
    cells: {},
    problems: [{ kind: 'refusal', sentence }],
  })
  if (problem !== null) return refuse(problem)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return refuse(`Invalid JSON: ${error.message.slice(0, 120)}.`)
  }
  const cells = new Map<string, string[]>()
  flatten(value, '', cells, 0)
  if (cells.size > MAX_COLUMNS) {
    return refuse(`The row has more than ${MAX_COLUMNS.toLocaleString('en')} different fields.`)
  }
  const read = [...cells].map(([name, texts]): [string, Cell] => [
    name.slice(0, 200),
    texts.length === 1 ? (texts[0] ?? '') : texts,
  ])
  return { line, raw, cells: Object.fromEntries(read), problems: [] }
}

function flatten(value: unknown, name: string, cells: Map<string, string[]>, depth: number): void {
  if (cells.size > MAX_COLUMNS || depth > 16) return
  if (Array.isArray(value)) {
    for (const one of value) flatten(one, name, cells, depth + 1)
    return
  }
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      flatten(inner, name === '' ? key : `${name}.${key}`, cells, depth + 1)
    }
    return
  }
  const text = scalarText(value)
  const kept = cells.get(name)
  if (kept === undefined) cells.set(name, [text])
  else kept.push(text)
}

/** Null becomes an empty text; JSON has no other scalar types. */
function scalarText(value: unknown): string {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
