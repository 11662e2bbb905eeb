import { Worker } from 'node:worker_threads'
import { conflict } from '#server/http/failure.ts'
import type { ReportContent } from './report.ts'

/** More rows than these are too many pages for anybody to read; a workbook takes them. */
const MAX_ROWS = 2_000
const TIMEOUT_MS = 60_000

let before: Promise<unknown> = Promise.resolve()

/**
 * Lays a report out as a PDF, beside the thread that answers requests.
 * @throws Failure 409 when it is too long for one.
 */
export function pdfOf(content: ReportContent): Promise<Buffer> {
  const rows = content.groups.reduce((sum, group) => sum + group.rows.length, 0)
  if (rows > MAX_ROWS) {
    throw conflict(
      `A document of more than ${MAX_ROWS.toLocaleString('en-US')} rows is too long. Take the workbook.`,
    )
  }
  // One after the other: each takes a processor for itself.
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
