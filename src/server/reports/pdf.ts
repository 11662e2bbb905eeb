import { Worker } from 'node:worker_threads'
import { conflict } from '#server/http/failure.ts'
import type { ReportContent } from './report.ts'

/** Longer reports are only available as workbooks. */
const MAX_ROWS = 2_000
const TIMEOUT_MS = 60_000

let before: Promise<unknown> = Promise.resolve()

/**
 * Lays out a report as a PDF in a separate thread.
 * @throws Failure 409 if it has too many rows.
 */
export function pdfOf(content: ReportContent): Promise<Buffer> {
  const rows = content.groups.reduce((sum, group) => sum + group.rows.length, 0)
  if (rows > MAX_ROWS) {
    throw conflict(`A PDF can have at most ${MAX_ROWS.toLocaleString('en-US')} rows. Use Excel instead.`)
  }
  // One at a time: each fully uses a processor.
  const made = before.then(() => layOut(content))
  before = made.catch(() => {})
  return made
}

function layOut(content: ReportContent): Promise<Buffer> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), { workerData: content })
  return new Promise<Buffer>((done, fail) => {
    const settle = (): void => {
      clearTimeout(timer)
      void worker.terminate()
    }
    const timer = setTimeout(() => {
      settle()
      fail(new Error('The document took too long.'))
    }, TIMEOUT_MS)
    worker.once('message', (bytes: Uint8Array) => {
      settle()
      done(Buffer.from(bytes))
    })
    worker.once('error', (error) => {
      settle()
      fail(error)
    })
    worker.once('exit', () => {
      settle()
      fail(new Error('The document was not made.'))
    })
  })
}
