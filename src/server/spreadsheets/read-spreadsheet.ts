import { Worker } from 'node:worker_threads'
import { refused } from '#server/http/failure.ts'
import { makeThreadShare } from '#server/threads/fair-share.ts'
import { type Sheet, SHEET_LIMITS } from './sheet.ts'
import type { SheetMessage } from './spreadsheet-worker.ts'

const threads = makeThreadShare()

type Limits = { milliseconds: number; heapMegabytes: number }
/**
 * `keepsWords`: figures of workbooks keep the words of their format, such as units and currencies. `isLongList`: 100,000 lines with few
 * cells each.
 */
type ReadOptions = {
  customerId: string
  maxBytes: number
  limits?: Limits
  keepsWords?: boolean
  isLongList?: boolean
}

/**
 * Reads all sheets of a workbook (XLSX), or the one sheet of a CSV file, in a thread with limited memory and time.
 * @throws Failure 400 if the file is empty, too large, of another type, or exceeds `SHEET_LIMITS`; 429 if several files of
 * the customer are already being read
 */
export async function readSpreadsheet(
  stream: AsyncIterable<Uint8Array>,
  { customerId, maxBytes, limits = SHEET_LIMITS, keepsWords = false, isLongList = false }: ReadOptions,
): Promise<Sheet[]> {
  const bytes = await readBytes(stream, maxBytes)
  if (bytes.length === 0) throw wrongFile('The file is empty.')
  return threads(customerId, () => readInThread({ bytes, keepsWords, isLongList }, limits))
}

/** An error about the file itself. */
export const wrongFile = (sentence: string) => refused(sentence, { files: sentence })

async function readBytes(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of stream) {
    size += part.length
    if (size > maxBytes) throw wrongFile(`The file is too large. The limit is ${maxBytes / 1_000_000} MB.`)
    parts.push(part)
  }
  // A separate buffer, which can be transferred to the thread without another copy.
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

async function readInThread(
  work: { bytes: Uint8Array<ArrayBuffer>; keepsWords: boolean; isLongList: boolean },
  limits: Limits,
): Promise<Sheet[]> {
  const { milliseconds, heapMegabytes } = limits
  const worker = new Worker(new URL('./spreadsheet-worker.ts', import.meta.url), {
    workerData: work,
    transferList: [work.bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  })
  // It must not block the shutdown.
  worker.unref()
  const reading = new Promise<Sheet[]>((resolve, reject) => {
    const sheets: (Sheet & { lines: (readonly string[])[] })[] = []
    const timer = setTimeout(
      () => reject(wrongFile("Reading this file takes too long. Remove sheets you don't need, or split it.")),
      milliseconds,
    )
    worker.on('message', (message: SheetMessage) => {
      if (message.kind === 'sheet') sheets.push({ ...message.sheet, lines: [] })
      if (message.kind === 'lines') for (const line of message.lines) sheets.at(-1)?.lines.push(line)
      if (message.kind === 'refused') reject(wrongFile(message.sentence))
      if (message.kind === 'end') resolve(sheets)
      worker.postMessage('next', [])
    })
    worker.on('error', (error: unknown) => reject(isOutOfMemory(error) ? wrongFile(TOO_MUCH_MEMORY) : error))
    worker.on('exit', () => {
      clearTimeout(timer)
      reject(new Error('The file could not be read. Try again.'))
    })
  })
  try {
    return await reading
  } finally {
    await worker.terminate()
  }
}

const TOO_MUCH_MEMORY =
  "Reading this file takes too much memory. Remove sheets and columns you don't need, or split it."

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
