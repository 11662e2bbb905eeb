import { parseCsv } from 'hucre/csv'
import { boundSheet } from './bound-sheet.ts'
import { figure, type Sheet, SHEET_LIMITS, SheetRefusal } from './sheet.ts'

const HEAD = 4_000
const [QUOTE, RETURN, NEWLINE] = [0x22, 0x0d, 0x0a]

/**
 * Parses a CSV file as one sheet (comma, semicolon or tab; UTF-8, or else cp1252).
 * @throws SheetRefusal if the file is not text, or a line or cell exceeds the limits
 */
export function parseCsvFile(bytes: Buffer): Sheet {
  const zero = bytes.indexOf(0)
  if (zero >= 0)
    throw new SheetRefusal(`This is neither a CSV file nor a workbook (XLSX): byte ${zero + 1} is zero.`)
  const text = decode(bytes)
  const head = text.slice(0, HEAD)
  const delimiter = [',', ';', '\t'].toSorted((one, other) => count(head, other) - count(head, one))[0] ?? ','
  refuseTooMuch(text, delimiter)
  return { ...boundSheet('CSV', parseCsv(text, { typeInference: false, delimiter })), isText: true }
}

const count = (text: string, sign: string): number => text.split(sign).length - 1

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * Stops at the first line or cell that exceeds a limit. The parser keeps the whole file in memory before it returns
 * anything, so a line with millions of cells must not reach it.
 */
function refuseTooMuch(text: string, delimiter: string): void {
  const cut = delimiter.charCodeAt(0)
  let [line, columns, start, closedAt, filled, isFilled, isQuoted] = [1, 1, 0, -2, 0, false, false]
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
    ;[line, columns, start, isFilled] = [line + 1, 1, at + 1, false]
    refuseLines(filled, line)
  }
}

function refuseLines(filled: number, line: number): void {
  if (filled > SHEET_LIMITS.lines)
    throw new SheetRefusal(`The file has more than 20,000 lines, which is the limit. Split the file.`)
  if (line > SHEET_LIMITS.linesWithEmpty)
    throw new SheetRefusal(
      `The file has more than ${figure(SHEET_LIMITS.linesWithEmpty)} lines, including empty ones. Delete those you don't need.`,
    )
}
