import { parseCsv } from 'hucre/csv'
import { MOST_EDITION_BYTES } from '#contract/carbon/factor-editions.ts'
import { refused } from '#server/http/failure.ts'

/** The cells of one sheet as text, line by line; the first line is 1. */
export type Table = {
  name: string
  lines: readonly (readonly string[])[]
  /** Of a CSV file: numbers and days are as somebody wrote them. */
  isText?: true
}

const ZIP = Buffer.from('504b0304', 'hex')

/**
 * Every sheet of a workbook, or the one table of a CSV file (comma, semicolon or tab; UTF-8, else cp1252).
 * @throws Failure 400 where the file is empty, too large or neither.
 */
export async function readTables(stream: AsyncIterable<Uint8Array>): Promise<Table[]> {
  const bytes = await readBytes(stream)
  if (bytes.length === 0) throw wrongFile('The file is empty.')
  if (!bytes.subarray(0, 4).equals(ZIP)) return [{ name: 'CSV', lines: readCsv(bytes), isText: true }]
  // Loaded with the first workbook.
  const { readXlsx } = await import('hucre/xlsx')
  const book = await readXlsx(bytes).catch(() => {
    throw wrongFile('This workbook cannot be read. Save it as XLSX or CSV again.')
  })
  return book.sheets.map(({ name, rows }) => ({ name, lines: rows.map((cells) => cells.map(showCell)) }))
}

export const wrongFile = (sentence: string) => refused(sentence, { files: sentence })

async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > MOST_EDITION_BYTES)
      throw wrongFile(`The file is too large: at most ${MOST_EDITION_BYTES / 1_000_000} MB.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function readCsv(bytes: Buffer): string[][] {
  const zero = bytes.indexOf(0)
  if (zero >= 0) throw wrongFile(`This is neither CSV nor a workbook (XLSX): byte ${zero + 1} is zero.`)
  const text = decode(bytes)
  const head = text.slice(0, 4000)
  const delimiter = [',', ';', '\t'].toSorted((one, other) => count(head, other) - count(head, one))[0] ?? ','
  return parseCsv(text, { typeInference: false, delimiter }).map((cells) => cells.map(showCell))
}

const count = (text: string, sign: string): number => text.split(sign).length - 1

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Numbers as digits without an exponent: figures are read as decimals afterwards. */
function showCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return typeof cell === 'string' || typeof cell === 'number' || typeof cell === 'boolean'
    ? String(cell).trim()
    : ''
}
