import { MAX_RAW_LENGTH, MAX_ROW_LENGTH } from './feed-refusal.ts'

export type CsvRecord = {
  line: number
  values: string[]
  raw: string
  /** Why it can't be read as a row. */
  problem: string | null
}

type ScannedRecord = CsvRecord & { next: number; lines: number }

/** Once this many quotes were left open, later ones are only followed this far: otherwise each would scan a megabyte in vain. */
const MAX_OPEN_QUOTES = 100
const SHORT_REACH = 65_536

/**
 * Splits streamed text into CSV records. A quote that is never closed, or closed so late that the number of columns is wrong,
 * only invalidates its own line: reading continues with the next one. A row longer than `MAX_ROW_LENGTH` is rejected and
 * skipped without buffering it. `columns`: the expected number, null while it is unknown.
 */
export function csvScanner(delimiter: string): {
  push: (text: string, isEnd: boolean, columns: number | null) => Generator<CsvRecord>
} {
  let buffer = ''
  let line = 1
  let skipped: string | null = null
  let openQuotes = 0

  return {
    *push(text, isEnd, columns) {
      buffer += text
      let at = 0
      while (at < buffer.length) {
        if (skipped !== null) {
          const end = buffer.indexOf('\n', at)
          if (end < 0 && !isEnd) {
            at = buffer.length
            break
          }
          yield tooLong(line, skipped)
          skipped = null
          line += 1
          at = end < 0 ? buffer.length : end + 1
          continue
        }
        const found = next(at, isEnd, columns)
        if (found === null) {
          if (buffer.length - at <= MAX_ROW_LENGTH) break
          skipped = buffer.slice(at, at + MAX_RAW_LENGTH)
          continue
        }
        line += found.lines
        at = found.next
        yield found
      }
      buffer = buffer.slice(at)
      if (isEnd && skipped !== null) yield tooLong(line, skipped)
    },
  }

  function next(at: number, isEnd: boolean, columns: number | null): ScannedRecord | null {
    const newline = buffer.indexOf('\n', at)
    if (newline < 0 && !isEnd) return null
    const end = newline < 0 ? buffer.length : newline
    const plain = buffer.slice(at, buffer[end - 1] === '\r' && end > at ? end - 1 : end)
    const after = newline < 0 ? end : end + 1
    if (plain.length > MAX_ROW_LENGTH) return { ...tooLong(line, plain), next: after, lines: 1 }
    if (!plain.includes('"')) {
      return {
        line,
        values: plain.split(delimiter),
        raw: clipped(plain),
        problem: null,
        next: after,
        lines: 1,
      }
    }
    const reach = openQuotes > MAX_OPEN_QUOTES ? SHORT_REACH : MAX_ROW_LENGTH
    const quoted = readQuoted(buffer, at, delimiter, reach)
    const isEnough = buffer.length - at > reach || isEnd
    // A record that ends exactly at the end of the buffer may continue in the next chunk.
    const isCut = quoted === null || (quoted.next >= buffer.length && !buffer.endsWith('\n'))
    if (isCut && !isEnough) return null
    if (quoted !== null) {
      const raw = buffer.slice(at, quoted.next).replace(/\r?\n$/, '')
      const isRight = columns === null || quoted.values.length === columns
      if (!raw.includes('\n') || isRight) {
        const lines = raw.includes('\n') ? raw.split('\n').length : 1
        return { line, values: quoted.values, raw: clipped(raw), problem: null, next: quoted.next, lines }
      }
    }
    if (quoted === null) openQuotes += 1
    const problem = 'A quote on this line is not closed, or is closed in the wrong place.'
    return { line, values: [], raw: clipped(plain), problem, next: after, lines: 1 }
  }
}

function tooLong(line: number, text: string): CsvRecord {
  const problem = `The row is longer than ${MAX_ROW_LENGTH.toLocaleString('en')} characters.`
  return { line, values: [], raw: clipped(text), problem }
}

function clipped(raw: string): string {
  return raw.length > MAX_RAW_LENGTH ? raw.slice(0, MAX_RAW_LENGTH) : raw
}

/** Reads one record that has quotes; null if a quote isn't closed within reach. */
export function readQuoted(
  text: string,
  from: number,
  delimiter: string,
  reach: number,
): { values: string[]; next: number } | null {
  const values: string[] = []
  let at = from
  for (;;) {
    const start = delimiter === '\t' ? at : skipSpaces(text, at)
    if (text[start] === '"') {
      const field = readField(text, start + 1, { delimiter, limit: from + reach })
      if (field === null) return null
      values.push(field.value)
      at = field.next
    } else {
      const end = endOfPlain(text, at, delimiter)
      values.push(text.slice(at, end))
      at = end
    }
    if (text[at] === delimiter) {
      at += 1
      continue
    }
    if (text[at] === '\r') at += 1
    return { values, next: at >= text.length ? text.length : at + 1 }
  }
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at += 1
  return at
}

function endOfPlain(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === delimiter || sign === '\n' || (sign === '\r' && text[at + 1] === '\n')) return at
  }
  return text.length
}

/** Reads a quoted value, starting after its opening quote. A quote not followed by a separator is part of the text: 17" wheels. */
function readField(
  text: string,
  from: number,
  { delimiter, limit }: { delimiter: string; limit: number },
): { value: string; next: number } | null {
  const parts: string[] = []
  let at = from
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0 || quote > limit) return null
    const follows = text[quote + 1]
    if (follows === '"') {
      parts.push(text.slice(at, quote + 1))
      at = quote + 2
      continue
    }
    const after = delimiter === '\t' ? quote + 1 : skipSpaces(text, quote + 1)
    const sign = text[after]
    const isEnd = sign === undefined || sign === delimiter || sign === '\n'
    if (isEnd || (sign === '\r' && (text[after + 1] ?? '\n') === '\n')) {
      return { value: parts.join('') + text.slice(at, quote), next: after }
    }
    const before = text[quote - 1]
    // A later line opens a value with a quote, so the first quote was never closed.
    if ((before === delimiter || before === '\n') && text.slice(from, quote).includes('\n')) return null
    parts.push(text.slice(at, quote + 1))
    at = quote + 1
  }
}
