import { Worker } from 'node:worker_threads'
import { conflict } from '#server/http/failure.ts'
import { makeThreadShare } from '#server/threads/share-threads.ts'
import type { ReportContent } from './report.ts'

/** Longer reports are only available as workbooks. */
const MAX_ROWS = 2_000
const TIMEOUT_MS = 60_000

/** The fonts and 2,000 rows need about 150. */
const HEAP_MB = 512
/** The most queued documents per customer: participants of an assessment download theirs at the same hour. */
const MOST_WAITING = 50

/** Each fully uses a processor, so a customer has one at a time and doesn't delay the others. */
const threads = makeThreadShare({
  mostWaiting: MOST_WAITING,
  busy: 'Too many PDFs of your company are being created. Wait a moment and try again.',
})

/**
 * Lays out a report as a PDF in a separate thread with limited memory and time.
 * @throws Failure 409 if it is too large, 429 if too many of the customer's documents are waiting
 */
export async function pdfOf(content: ReportContent, customerId: string): Promise<Buffer> {
  const rows = content.groups.reduce((sum, group) => sum + group.rows.length, 0)
  if (rows > MAX_ROWS) {
    throw conflict(`A PDF can have at most ${MAX_ROWS.toLocaleString('en-US')} rows. Use Excel instead.`)
  }
  return threads.run(customerId, () => layOut(content))
}

const tooLarge = () => conflict('This is too large for a PDF: it takes too much time or memory.')

function layOut(content: ReportContent): Promise<Buffer> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: content,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  return new Promise<Buffer>((done, fail) => {
    const settle = (): void => {
      clearTimeout(timer)
      void worker.terminate()
    }
    const timer = setTimeout(() => {
      settle()
      fail(tooLarge())
    }, TIMEOUT_MS)
    worker.once('message', (bytes: Uint8Array) => {
      settle()
      done(Buffer.from(bytes))
    })
    worker.once('error', (error) => {
      settle()
      fail('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error)
    })
    worker.once('exit', () => {
      settle()
      fail(new Error('The document was not made.'))
    })
  })
}
