import { conflict } from '#server/http/failure.ts'
import { makeReportThread } from './report-thread.ts'
import type { ReportContent } from './report.ts'

/** Of the rows: more than the largest questionnaire of the largest group has answers. */
const MAX_CELLS = 1_000_000

const run = makeReportThread({
  worker: new URL('./workbook-worker.ts', import.meta.url),
  heapMb: 1_024,
  busy: 'Too many workbooks of your company are being created. Wait a moment and try again.',
  tooLarge: 'This is too large for a workbook: it takes too much time or memory.',
})

/**
 * A report as a workbook, written in a separate thread with limited memory and time.
 * @throws Failure 409 if it is too large, 429 if too many of the customer's workbooks are waiting
 */
export async function workbookOf(content: ReportContent, customerId: string): Promise<Buffer> {
  const rows = content.groups.reduce((sum, group) => sum + group.rows.length, 0)
  if (rows * content.columns.length > MAX_CELLS) {
    throw conflict(
      `This has more than ${MAX_CELLS.toLocaleString('en-US')} cells, which is too large for a workbook.`,
    )
  }
  return run(customerId, content)
}
