import { conflict } from '#server/http/failure.ts'
import { makeReportThread } from './report-thread.ts'
import type { ReportContent } from './report.ts'

/** Longer reports are only available as workbooks. */
const MAX_ROWS = 2_000

const run = makeReportThread({
  worker: new URL('./pdf-worker.ts', import.meta.url),
  // The fonts and 2,000 rows need about 150.
  heapMb: 512,
  busy: 'Too many PDFs of your company are being created. Wait a moment and try again.',
  tooLarge: 'This is too large for a PDF: it takes too much time or memory.',
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
  return run(customerId, content)
}
