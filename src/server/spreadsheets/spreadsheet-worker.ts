// Runs in a thread with limited memory and time, so that no file can block the server.
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { parseCsvFile } from './parse-csv-file.ts'
import { parseWorkbook } from './parse-workbook.ts'
import { type Sheet, LONG_LIST, SHEET_LIMITS, SheetRefusal } from './sheet.ts'

/** Messages from the thread. Each is sent only after the previous one was received. */
export type SheetMessage =
  | { kind: 'refused'; sentence: string }
  | { kind: 'sheet'; sheet: Omit<Sheet, 'lines'> }
  | { kind: 'lines'; lines: readonly (readonly string[])[] }
  | { kind: 'end' }

/** What the thread is given. */
const SheetWork = z.object({
  bytes: z.instanceof(Uint8Array),
  keepsWords: z.boolean(),
  isLongList: z.boolean(),
})

const ZIP = Buffer.from('504b0304', 'hex')
/** The receiver is blocked while it copies a message: a few milliseconds for this many cells. */
const CELLS_PER_MESSAGE = 20_000
const CHARACTERS_PER_MESSAGE = 1_000_000

const { bytes, keepsWords, isLongList } = SheetWork.parse(workerData)
const messages = readMessages(Buffer.from(bytes))
const next = (): void =>
  void messages.next().then(({ value }) => {
    if (value !== undefined) parentPort?.postMessage(value, [])
  })
parentPort?.on('message', next)
next()

async function* readMessages(file: Buffer): AsyncGenerator<SheetMessage, undefined> {
  const bounds = isLongList ? LONG_LIST : SHEET_LIMITS
  try {
    const sheets = file.subarray(0, 4).equals(ZIP)
      ? await parseWorkbook(file, { keepsWords, bounds })
      : [parseCsvFile(file, bounds)]
    for (const { lines, ...sheet } of sheets) {
      yield { kind: 'sheet', sheet }
      yield* inParts(lines)
    }
    yield { kind: 'end' }
  } catch (error) {
    if (!(error instanceof SheetRefusal)) throw error
    yield { kind: 'refused', sentence: error.message }
  }
}

function* inParts(lines: Sheet['lines']): Generator<SheetMessage> {
  let [start, cells, characters] = [0, 0, 0]
  for (const [place, line] of lines.entries()) {
    cells += line.length + 1
    for (const cell of line) characters += cell.length
    if (cells < CELLS_PER_MESSAGE && characters < CHARACTERS_PER_MESSAGE) continue
    yield { kind: 'lines', lines: lines.slice(start, place + 1) }
    ;[start, cells, characters] = [place + 1, 0, 0]
  }
  if (start < lines.length) yield { kind: 'lines', lines: lines.slice(start) }
}
