import type { LeadReport, leadResponses, ResponseFigures } from '#contract/leads/inbox/lead-responses.ts'
import type { FieldKind } from '#contract/lists/list.ts'
import { Download } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { readLeadReport } from '#server/leads/index.ts'
import type { Cell } from './cells.ts'
import { csvOf } from './csv.ts'
import { XLSX_TYPE, xlsxOf } from './xlsx.ts'

const HEAD: readonly Readonly<{ title: string; kind: FieldKind }>[] = [
  { title: 'By', kind: 'text' },
  { title: 'Name', kind: 'text' },
  { title: 'Leads', kind: 'integer' },
  { title: 'Answered', kind: 'integer' },
  { title: 'Waiting', kind: 'integer' },
  { title: 'Late', kind: 'integer' },
  { title: 'Escalated', kind: 'integer' },
  { title: 'Sold', kind: 'integer' },
  { title: 'Lost', kind: 'integer' },
  { title: 'Median, minutes', kind: 'decimal' },
  { title: '90th percentile, minutes', kind: 'decimal' },
  { title: 'Answered within 5 minutes', kind: 'decimal' },
  { title: 'Of which deleted', kind: 'integer' },
]

/** The response report as a file: a row for all leads, and for each store, person and source. */
export const leadResponseExport: Pick<Handlers<typeof leadResponses>, 'export'> = {
  async export({ inTenant, actor, input: { format, ...asked } }) {
    const rows = rowsOf(await inTenant((db) => readLeadReport(db, actor, asked)))
    const name = `response-report-${asked.from}-to-${asked.to}.${format}`
    if (format === 'xlsx')
      return new Download({ name, type: XLSX_TYPE, body: xlsxOf('Response report', HEAD, inOneBatch(rows)) })
    const head = HEAD.map(({ title }) => title)
    return new Download({ name, type: 'text/csv; charset=utf-8', body: csvOf(head, inOneBatch(rows)) })
  },
}

async function* inOneBatch(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  yield await Promise.resolve(rows)
}

function rowsOf({ total, byLot, byUser, bySource }: LeadReport): Cell[][] {
  const row = (by: string, name: string, figures: ResponseFigures): Cell[] => [
    by,
    name,
    figures.leads.count,
    figures.answered.count,
    figures.waiting.count,
    figures.late.count,
    figures.escalated.count,
    figures.sold.count,
    figures.lost.count,
    minutes(figures.medianSeconds),
    minutes(figures.p90Seconds),
    figures.shareUnderFive,
    figures.leads.deleted,
  ]
  return [
    row('Total', 'All leads', total),
    ...byLot.map((one) => row('Store', one.name, one)),
    ...byUser.map((one) => row('Person', one.name, one)),
    ...bySource.map((one) => row('Source', one.name, one)),
  ]
}

const minutes = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds / 6) / 10
