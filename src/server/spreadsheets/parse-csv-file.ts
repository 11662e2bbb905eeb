import { parseCsv } from 'hucre/csv'
import { natural } from '#server/formats/formula-guard.ts'
import { boundSheet } from './bound-sheet.ts'
import { figure, lineLimit, type Sheet, SHEET_LIMITS, type SheetBounds, SheetRefusal } from './sheet.ts'

const HEAD = 4_000
const [QUOTE, RETURN, NEWLINE] = [0x22, 0x0d, 0x0a]

/**
 * Parses a CSV file as one sheet (comma, semicolon, tab or bar; UTF-8, UTF-16, or else cp1252).
 * @throws SheetRefusal if the file is not text, or a line or cell exceeds the limits
 */
export function parseCsvFile(bytes: Buffer, bounds: SheetBounds = SHEET_LIMITS): Sheet {
  refuseOther(bytes)
  const whole = decode(bytes)
  // "sep=;" in the first line is for Excel.
  const named = /^\uFEFF?sep=(.)\r?\n/i.exec(whole)
  const text = named === null ? whole : whole.slice(named[0].length)
  const delimiter = named?.[1] ?? delimiterOf(text.slice(0, HEAD))
  refuseTooMuch(text, delimiter, bounds)
  // Our own files protect spreadsheets from text that they would evaluate, such as "-120.5" in a refused line.
  const rows = parseCsv(text, { typeInference: false, delimiter }).map((row) =>
    row.map((cell) => (typeof cell === 'string' ? natural(cell) : cell)),
  )
  return {
    ...boundSheet('CSV', rows, bounds),
    isText: true,
    delimiter,
  }
}

/** Files that are sent in place of a table, by their first characters. */
const OTHER_FILES: readonly (readonly [RegExp, string])[] = [
  [/^%PDF/, 'This is a PDF. Enter its figures by hand, or download the data as CSV or XLSX.'],
  [
    /^(\xEF\xBB\xBF)?\s*(<\?xml[^>]*>\s*)?(<\?[^>]*>\s*)*<(\w+:)?feed\b/i,
    "This is a Green Button file (XML), which can't be read yet. Download the same data as CSV from the website of your utility.",
  ],
  [
    /^(\xEF\xBB\xBF)?\s*<(\?xml|!doctype|html|table)/i,
    'This is a web page or an XML file. Save it as CSV or XLSX.',
  ],
]

const OLD_WORKBOOK = Buffer.from('d0cf11e0', 'hex')

function refuseOther(bytes: Buffer): void {
  if (bytes.subarray(0, 4).equals(OLD_WORKBOOK))
    throw new SheetRefusal('This is an old Excel workbook (XLS). Save it as XLSX or CSV.')
  const start = bytes.subarray(0, 400).toString('latin1')
  const other = OTHER_FILES.find(([is]) => is.test(start))
  if (other !== undefined) throw new SheetRefusal(other[1])
}

const DELIMITERS = [',', ';', '\t', '|'] as const

/**
 * The sign that cuts most lines into the same number of cells. Signs in quotes don't count: addresses have commas, and so do
 * numbers of other countries.
 */
function delimiterOf(head: string): string {
  const lines = head
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  const scores = DELIMITERS.map((sign) => {
    const counts = Map.groupBy(
      lines.map((line) => line.split(sign).length - 1),
      (count) => count,
    )
    counts.delete(0)
    const [most = [0, []]] = [...counts].toSorted(
      (one, other) => other[1].length - one[1].length || other[0] - one[0],
    )
    return { sign, lines: most[1].length, cells: most[0] }
  })
  const [best] = scores.toSorted((one, other) => other.lines - one.lines || other.cells - one.cells)
  return best === undefined || best.lines === 0 ? ',' : best.sign
}

function decode(bytes: Buffer): string {
  const wide = wideEncoding(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  const zero = bytes.indexOf(0)
  if (zero >= 0)
    throw new SheetRefusal(`This is neither a CSV file nor a workbook (XLSX): byte ${zero + 1} is zero.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** UTF-16, which spreadsheets save as "Unicode text": by its mark, or by a zero in nearly every pair. */
function wideEncoding(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, HEAD)
  if (sample.length < 8 || sample.length % 2 > 0) return null
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length * 0.4 && even === 0) return 'utf-16le'
  return even > sample.length * 0.4 && odd === 0 ? 'utf-16be' : null
}

/**
 * Stops at the first line or cell that exceeds a limit. The parser keeps the whole file in memory before it returns
 * anything, so a line with millions of cells must not reach it.
 */
function refuseTooMuch(text: string, delimiter: string, bounds: SheetBounds): void {
  const cut = delimiter.charCodeAt(0)
  let [line, columns, start, closedAt, filled, isFilled, isQuoted] = [1, 1, 0, -2, 0, false, false]
  let most = 0
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (at - start > SHEET_LIMITS.cellLength)
      throw new SheetRefusal(
        `Line ${figure(line)}, column ${figure(columns)} has more than ${figure(SHEET_LIMITS.cellLength)} characters.${isQuoted ? ' Its closing quote may be missing.' : ''}`,
      )
    if (isQuoted) {
      if (sign === QUOTE) [isQuoted, closedAt] = [false, at]
      continue
    }
    if (closedAt === at - 1 && sign !== QUOTE && text.slice(start, at).includes('\n'))
      refuseLostLines(text.slice(start, at), { line, columns, cut, sign, most })
    // A doubled quote stays inside its cell.
    if (sign === QUOTE && (at === start || closedAt === at - 1)) {
      ;[isQuoted, isFilled] = [true, true]
      continue
    }
    if (sign === cut) {
      columns += 1
      start = at + 1
      if (columns > SHEET_LIMITS.columns)
        throw new SheetRefusal(
          `Line ${figure(line)} has more than ${figure(SHEET_LIMITS.columns)} columns. Remove those you don't need.`,
        )
      continue
    }
    if (sign !== NEWLINE && sign !== RETURN) {
      isFilled = true
      continue
    }
    if (sign === RETURN && text.charCodeAt(at + 1) === NEWLINE) continue
    if (isFilled) filled += 1
    most = Math.max(most, columns)
    ;[line, columns, start, isFilled] = [line + 1, 1, at + 1, false]
    refuseLines({ filled, line }, bounds)
  }
  if (isQuoted) throw new SheetRefusal(`${placeOf(line, columns)} begins with a quote that is never closed.`)
}

const placeOf = (line: number, columns: number): string => `Line ${figure(line)}, column ${figure(columns)}`

/**
 * A quote that was closed in another line by the quote of another cell would make one cell of all lines between them.
 * `sign`: what follows the closing quote. `most`: the columns of the longest line so far.
 */
function refuseLostLines(
  cell: string,
  { line, columns, cut, sign, most }: Record<'line' | 'columns' | 'cut' | 'sign' | 'most', number>,
): void {
  const isEnd = sign === cut || sign === NEWLINE || sign === RETURN
  const isLine = (inside: string) =>
    most > 2 && inside.split(String.fromCodePoint(cut)).length >= Math.max(3, most - 1)
  if (!isEnd || cell.split('\n').slice(1).some(isLine))
    throw new SheetRefusal(
      `${placeOf(line, columns)} begins with a quote that is closed in another line. Close it in its own cell.`,
    )
}

function refuseLines({ filled, line }: { filled: number; line: number }, bounds: SheetBounds): void {
  if (filled > bounds.lines)
    throw new SheetRefusal(
      `The file has more than ${lineLimit(bounds)} lines, which is the limit. Split the file.`,
    )
  if (line > bounds.linesWithEmpty)
    throw new SheetRefusal(
      `The file has more than ${figure(bounds.linesWithEmpty)} lines, including empty ones. Delete those you don't need.`,
    )
}
