import { KEPT_RAW, LONGEST_ROW } from './feed-refusal.ts'

export type CsvRecord = {
  line: number
  values: string[]
  raw: string
  /** Why it cannot be read as one row. */
  problem: string | null
}

type Found = CsvRecord & { next: number; lines: number }

/** How far a quote may reach once many were left open: else each of them would read a megabyte for nothing. */
const SHORT_REACH = 65_536
const PATIENCE = 100

/**
 * Cuts text into the records of a CSV as it comes. A quote that is never closed, or that closes so late that the number
 * of columns is wrong, spoils its own line alone: reading goes on at the next. A row beyond `LONGEST_ROW` is refused
 * and skipped without being held. `columns`: how many there should be, null while nobody knows.
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
          if (buffer.length - at <= LONGEST_ROW) break
          skipped = buffer.slice(at, at + KEPT_RAW)
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

  function next(at: number, isEnd: boolean, columns: number | null): Found | null {
    const newline = buffer.indexOf('\n', at)
    if (newline < 0 && !isEnd) return null
    const end = newline < 0 ? buffer.length : newline
    const plain = buffer.slice(at, buffer[end - 1] === '\r' && end > at ? end - 1 : end)
    const after = newline < 0 ? end : end + 1
    if (plain.length > LONGEST_ROW) return { ...tooLong(line, plain), next: after, lines: 1 }
    if (!plain.includes('"')) {
      return { line, values: plain.split(delimiter), raw: kept(plain), problem: null, next: after, lines: 1 }
    }
    const reach = openQuotes > PATIENCE ? SHORT_REACH : LONGEST_ROW
    const quoted = readQuoted(buffer, at, delimiter, reach)
    const isEnough = buffer.length - at > reach || isEnd
    // What ends where the text ends so far may go on in the next part.
    const isCut = quoted === null || (quoted.next >= buffer.length && !buffer.endsWith('\n'))
    if (isCut && !isEnough) return null
    if (quoted !== null) {
      const raw = buffer.slice(at, quoted.next).replace(/\r?\n$/, '')
      const isRight = columns === null || quoted.values.length === columns
      if (!raw.includes('\n') || isRight) {
        const lines = raw.includes('\n') ? raw.split('\n').length : 1
        return { line, values: quoted.values, raw: kept(raw), problem: null, next: quoted.next, lines }
      }
    }
    if (quoted === null) openQuotes += 1
    const problem = 'A quote on this line is not closed, or closed in the wrong place.'
    return { line, values: [], raw: kept(plain), problem, next: after, lines: 1 }
  }
}

function tooLong(line: number, text: string): CsvRecord {
  const problem = `The row is longer than ${LONGEST_ROW.toLocaleString('en')} characters.`
  return { line, values: [], raw: kept(text), problem }
}

function kept(raw: string): string {
  return raw.length > KEPT_RAW ? raw.slice(0, KEPT_RAW) : raw
}

/** One record that has quotes; null where one of them is not closed within reach. */
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

/** From behind the opening quote. A quote that nothing ends behind is one of the text: 17" wheels. */
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
    // Lines later a quote opens a value: then the first one was never closed.
    if ((before === delimiter || before === '\n') && text.slice(from, quote).includes('\n')) return null
    parts.push(text.slice(at, quote + 1))
    at = quote + 1
  }
}
