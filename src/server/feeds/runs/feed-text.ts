import { byteSource } from '#server/formats/byte-source.ts'
import { FeedRefusal } from '#server/formats/feed-refusal.ts'
import { unpackFeed } from '#server/formats/unpack-feed.ts'
import { readSpreadsheet } from '#server/spreadsheets/read-spreadsheet.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'

/** The largest workbook: it is read in memory, unlike other files. */
const MAX_WORKBOOK_BYTES = 30_000_000
const ZIP = 0x04034b50
const VIN = /^(?=.*\d)[A-HJ-NPR-Z0-9]{17}$/i

/**
 * The text of a feed file: without compression, and the sheet with vehicles of a workbook (XLSX) as CSV, so that everything after it
 * reads one kind of table.
 * @throws FeedRefusal if a compressed file has no feed, or a workbook has vehicles on several sheets; Failure 400 if the workbook
 * can't be read, 429 while other workbooks of the customer are being read
 */
export async function* feedText(
  stream: AsyncIterable<Uint8Array>,
  customerId: string,
): AsyncGenerator<Uint8Array> {
  const source = byteSource(unpackFeed(stream))
  const start = await source.peek(4)
  if (start.length < 4 || start.readUInt32LE() !== ZIP) {
    yield* partsOf(source)
    return
  }
  const limits = { customerId, maxBytes: MAX_WORKBOOK_BYTES, keepsWords: true }
  const { lines } = sheetOf(await readSpreadsheet(partsOf(source), limits))
  for (const cells of lines) yield Buffer.from(`${cells.map(quoted).join(',')}\n`)
}

async function* partsOf(source: ReturnType<typeof byteSource>): AsyncGenerator<Buffer> {
  for (let part = await source.part(); part !== null; part = await source.part()) yield part
}

/** The sheet with VINs; without any, the first one that isn't empty. */
function sheetOf(sheets: readonly Sheet[]): Sheet {
  const filled = sheets.filter(({ lines }) => lines.some((cells) => cells.some((cell) => cell !== '')))
  const withVins = filled.filter(({ lines }) => lines.some((cells) => cells.some((cell) => VIN.test(cell))))
  const [found, ...others] = withVins.length > 0 ? withVins : filled
  if (found === undefined) throw new FeedRefusal('The workbook is empty.')
  if (withVins.length > 0 && others.length > 0)
    throw new FeedRefusal(
      `The workbook has vehicles on several sheets: ${withVins.map(({ name }) => name).join(', ')}. Save each sheet as a file of its own.`,
    )
  if (found.isCut === true)
    throw new FeedRefusal(`The sheet “${found.name}” has more than 20,000 lines. Save it as CSV.`)
  return found
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
