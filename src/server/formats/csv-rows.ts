import type { Cell, FeedRow, RowProblem } from '#contract/feeds/mappings/source-row.ts'
import { isKnownColumn } from '#contract/feeds/mappings/match-columns.ts'
import { FEED_DELIMITERS, type FeedShape } from '#contract/feeds/mappings/feed-shape.ts'
import { FeedRefusal, MAX_COLUMNS } from './feed-refusal.ts'
import { natural } from './formula-guard.ts'
import { type CsvRecord, csvScanner } from './scan-csv.ts'

export type CsvOpening = {
  delimiter: string
  hasHeader: boolean
  /** The line of the header. The lines above it are no rows. */
  headerLine: number
  columns: string[]
}

type Delimiter = (typeof FEED_DELIMITERS)[number]

const NAMES: Record<Delimiter, string> = {
  ',': 'a comma',
  '\t': 'a tab',
  '|': 'a vertical bar',
  ';': 'a semicolon',
}

/** Detects the separator, the header and the columns from the first part of a file. @throws FeedRefusal */
export function openCsv(sample: string, shape: FeedShape, isWhole: boolean): CsvOpening {
  const declared = /^sep=(.)\r?\n/.exec(sample)?.[1]
  const guessed = FEED_DELIMITERS.find((one) => one === declared) ?? guessDelimiter(sample, isWhole)
  const delimiter = shape.delimiter === 'auto' ? guessed : shape.delimiter
  if (delimiter === null) throw new FeedRefusal('No separator found: each line is a single value.', 1)
  const records = recordsOf(sample, delimiter, isWhole)
  const at = shape.header === 'auto' ? headerAt(records) : 0
  const [first, ...rest] = records.slice(at)
  if (first === undefined) throw new FeedRefusal('The file contains only empty lines.')
  if (first.problem !== null) throw new FeedRefusal(first.problem, first.line)
  if (first.values.length > MAX_COLUMNS) {
    throw new FeedRefusal(`The file has more than ${MAX_COLUMNS.toLocaleString('en')} columns.`, first.line)
  }
  if (first.values.length < 2) throw wrongDelimiter(delimiter, guessed, sample, isWhole)
  const hasHeader =
    at > 0 || (shape.header === 'auto' ? looksLikeHeader(first.values, rest) : shape.header === 'yes')
  const columns = hasHeader
    ? nameColumns(first.values)
    : first.values.map((_, place) => `Column ${place + 1}`)
  return { delimiter, hasHeader, headerLine: at > 0 ? first.line : 1, columns }
}

/** Reports begin with text about themselves, so the header is searched in this many lines. */
const HEADER_WITHIN = 40
/** With fewer known names, a line further down is a header only below a title. */
const MIN_KNOWN = 3
/** "Stock, Price" below "Price list of December". */
const MIN_BELOW_TITLE = 2

const filledIn = (values: readonly string[]): string[] =>
  values.map((value) => value.trim()).filter((value) => value !== '')

/** The place of the header: the line with the most known names, unless rows come before it. */
function headerAt(records: readonly CsvRecord[]): number {
  const lines = records.slice(0, HEADER_WITHIN).map(({ values }) => filledIn(values))
  const scores = lines.map(
    (filled) => filled.filter(isKnownColumn).length - filled.filter((value) => DATA.test(value)).length,
  )
  const best = Math.max(0, ...scores)
  const at = Math.max(0, scores.indexOf(best))
  const above = lines.slice(0, at)
  const isBelowTitle =
    best >= MIN_BELOW_TITLE && above.every((filled) => filled.length <= 1 && !DATA.test(filled[0] ?? ''))
  const hasRows = above.some((filled) => filled.some((value) => VIN.test(value)))
  return (best < MIN_KNOWN && !isBelowTitle) || hasRows ? 0 : at
}

function wrongDelimiter(
  delimiter: Delimiter,
  guessed: Delimiter | null,
  sample: string,
  isWhole: boolean,
): FeedRefusal {
  const count = guessed === null ? 0 : (recordsOf(sample, guessed, isWhole)[0]?.values.length ?? 0)
  const hint =
    guessed === null || guessed === delimiter ? '' : ` With ${NAMES[guessed]} it has ${count} columns.`
  return new FeedRefusal(`With ${NAMES[delimiter]} as the separator, the line has only one column.${hint}`, 1)
}

/** The rows of a CSV file, each with its problems. */
export async function* csvRows(
  text: AsyncIterable<string>,
  { delimiter, hasHeader, headerLine, columns }: CsvOpening,
): AsyncGenerator<FeedRow> {
  const scanner = csvScanner(delimiter)
  const seen: {
    isFirst: boolean
    headerRaw: string | null
    last: CsvRecord | null
    endsOpen: boolean
    /** Whether a row before the last has fewer values than columns. */
    hasShort: boolean
    /** How many rows before the last there are, and whether their last value is blank. */
    rows: number
    hasBlank: boolean
  } = {
    isFirst: true,
    headerRaw: null,
    last: null,
    endsOpen: false,
    hasShort: false,
    rows: 0,
    hasBlank: false,
  }
  function* take(records: Iterable<CsvRecord>): Generator<FeedRow> {
    for (const record of records) {
      if (record.problem === null && record.values.every((value) => value.trim() === '')) continue
      if (seen.isFirst && /^\uFEFF?sep=.$/.test(record.raw)) continue
      if (record.line < headerLine) continue
      if (seen.isFirst && hasHeader) {
        seen.isFirst = false
        seen.headerRaw = record.raw
        continue
      }
      seen.isFirst = false
      // The last record is held back: only the end of the file shows whether it is complete.
      if (seen.last !== null) {
        yield rowOf(seen.last, columns, { headerRaw: seen.headerRaw, isOpen: false, isCut: false })
        seen.rows += 1
        if (seen.last.values.length < columns.length) seen.hasShort = true
        if (isBlank(seen.last.values.at(-1))) seen.hasBlank = true
      }
      seen.last = record
    }
  }
  for await (const part of text) {
    if (part === '') continue
    seen.endsOpen = !part.endsWith('\n')
    yield* take(scanner.push(part, false, columns.length))
  }
  yield* take(scanner.push('', true, columns.length))
  const { last, headerRaw, endsOpen, hasShort, rows, hasBlank } = seen
  if (last === null) return
  const isShort = last.values.length < columns.length
  // Cut behind a separator.
  const lacksLast = rows >= MIN_FILLED && !hasBlank && isBlank(last.values.at(-1))
  const isCut = endsOpen && !hasShort && (isShort || lacksLast)
  yield { ...rowOf(last, columns, { headerRaw, isOpen: endsOpen, isCut }), ...(isCut && { isCut }) }
}

const isBlank = (value: string | undefined): boolean => value === undefined || value.trim() === ''
/** So many rows with a last value show that the last row lacks its own. */
const MIN_FILLED = 3

function rowOf(
  { line, values, raw, problem }: CsvRecord,
  columns: readonly string[],
  { headerRaw, isOpen, isCut }: { headerRaw: string | null; isOpen: boolean; isCut: boolean },
): FeedRow {
  const refuse = (sentence: string): FeedRow => ({
    line,
    cells: {},
    raw,
    problems: [{ kind: 'refusal', sentence }],
  })
  if (problem !== null) return refuse(problem)
  if (raw === headerRaw) return refuse('This line repeats the header.')
  if (headerRaw !== null && isBeside(values, columns.length))
    return {
      line,
      cells: {},
      raw,
      problems: [{ kind: 'leftOut', sentence: 'This line is a title or a total.' }],
    }
  if (raw.includes('\0')) return refuse('The row contains bytes that are not text.')
  const extra = values.slice(columns.length)
  const counts = `${values.length} values for ${columns.length} columns`
  if (extra.some((value) => value.trim() !== '')) {
    return refuse(`The row has ${counts}. A separator inside an unquoted value shifts the values after it.`)
  }
  const problems: RowProblem[] = []
  if (isCut || (isOpen && values.length < columns.length / 2)) {
    const count = values.findLastIndex((value) => !isBlank(value)) + 1
    return refuse(`The file ends inside this row, after ${count} of ${columns.length} values.`)
  }
  if (values.length < columns.length) {
    problems.push({ kind: 'count', sentence: `The row has ${counts}.` })
  }
  const cells: Record<string, Cell> = {}
  for (let at = 0; at < columns.length; at += 1)
    cells[columns[at] ?? ''] = plainCell((values[at] ?? '').trim())
  return { line, cells, raw, problems }
}

/** With fewer columns, a row may have a single value: a stock number such as "A 12". */
const MIN_COLUMNS = 4
const NARROW_NOTE = /^\D*\s\D*$|^\S+\s+\S+\s+\S/
const TOTAL = /^((grand|sub|report)[- ]?)?(totals?|count|average|sum)\b/i

/** A title, a total or a note between or below the rows: words in one cell, or a total with few figures. */
function isBeside(values: readonly string[], columns: number): boolean {
  // Most rows are full, and known by their first cells.
  const filled: string[] = []
  if (columns < MIN_COLUMNS) {
    filled.push(...filledIn(values))
    const [first = ''] = filled
    return TOTAL.test(first) || (filled.length === 1 && /\p{L}/u.test(first) && NARROW_NOTE.test(first))
  }
  for (const value of values) {
    if (value !== '' && value.trim() !== '') filled.push(value.trim())
    if (filled.length > columns / 2) return false
  }
  const [first = ''] = filled
  if (filled.some((value) => VIN.test(value))) return false
  return TOTAL.test(first) || (filled.length === 1 && /\p{L}\S*\s+\S/u.test(first))
}

/** `="00123"`, as exports write a number that a spreadsheet must not shorten, and the guard of our own files against formulas. */
function plainCell(text: string): string {
  if (text.startsWith('="') && text.endsWith('"')) return text.slice(2, -1)
  return text.includes("'") ? natural(text) : text
}

function recordsOf(sample: string, delimiter: string, isWhole: boolean): CsvRecord[] {
  const all = [...csvScanner(delimiter).push(sample, isWhole, null)]
  const full = all.filter(
    ({ values, problem }) => problem !== null || values.some((value) => value.trim() !== ''),
  )
  return /^sep=.$/.test(full[0]?.raw ?? '') ? full.slice(1) : full
}

/** The separator that splits the first lines into the same number of columns; more columns are better. */
function guessDelimiter(sample: string, isWhole: boolean): Delimiter | null {
  let best: { delimiter: Delimiter; score: number } | null = null
  for (const delimiter of FEED_DELIMITERS) {
    const counts = recordsOf(sample.slice(0, 200_000), delimiter, isWhole)
      .slice(0, 50)
      .map(({ values }) => values.length)
    const usual = mostCommon(counts)
    if (usual < 2) continue
    const share = counts.filter((count) => count === usual).length / counts.length
    const score = share * share * Math.log(usual)
    if (best === null || score > best.score) best = { delimiter, score }
  }
  return best?.delimiter ?? null
}

/** The number of columns that most lines have; of several, that of the first line. */
function mostCommon(counts: readonly number[]): number {
  const [first = 0] = counts
  const times = (count: number) => counts.filter((one) => one === count).length
  return counts.reduce((best, count) => (times(count) > times(best) ? count : best), first)
}

const VIN = /^(?=.*\d)[A-HJ-NPR-Z0-9]{17}$/i
const DATA = /^[\s$]*[-+]?[\d.,]+$|^https?:|^(?=.*\d)[A-HJ-NPR-Z0-9]{17}$/i

/** A header has distinct names; a line with a number, a URL or a VIN is data. */
function looksLikeHeader(first: readonly string[], rest: readonly CsvRecord[]): boolean {
  const names = first.map((name) =>
    name
      .trim()
      .replace(/^\uFEFF/, '')
      .toLowerCase(),
  )
  const named = names.filter((name) => name !== '')
  const isData = named.some((name) => DATA.test(name) && !/^\d{1,3}$/.test(name))
  if (isData || named.length === 0) return false
  const hasData = rest.slice(0, 20).some(({ values }) => values.some((value) => DATA.test(value.trim())))
  return hasData || rest.length === 0 || new Set(named).size === named.length
}

/** Trimmed, unique column names: a second `Image` becomes `Image (2)`, a blank name `Column 5`. */
export function nameColumns(header: readonly string[]): string[] {
  const taken = new Map<string, number>()
  return header.map((given, at) => {
    const name =
      given
        .replace(/^\uFEFF/, '')
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, 200) || `Column ${at + 1}`
    const count = (taken.get(name.toLowerCase()) ?? 0) + 1
    taken.set(name.toLowerCase(), count)
    return count === 1 ? name : `${name} (${count})`
  })
}
