import { expect, test } from 'vitest'
import type { ReportContent } from './report.ts'
import { workbookOf } from './workbook.ts'

/** A report with this many rows of 20 cells. */
const report = (rows: number): ReportContent => ({
  title: 'Answers',
  facts: [],
  figures: [],
  signature: null,
  columns: Array.from({ length: 20 }, (_, at) => ({
    title: `Column ${at}`,
    kind: 'text' as const,
    share: 0.05,
  })),
  groups: [
    { title: 'All', rows: Array.from({ length: rows }, () => Array.from({ length: 20 }, () => 'answer')) },
  ],
})

test('other work continues while a large workbook is written', async () => {
  const waits: number[] = []
  let last = performance.now()
  const timer = setInterval(() => {
    waits.push(performance.now() - last)
    last = performance.now()
  }, 1)
  const bytes = await workbookOf(report(5_000), '1')
  clearInterval(timer)
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  // Written on this thread, there are about thirty.
  expect(waits.length).toBeGreaterThan(100)
})

test('a workbook that is too large is refused before it is written', async () => {
  await expect(workbookOf(report(50_001), '1')).rejects.toMatchObject({ status: 409 })
})
