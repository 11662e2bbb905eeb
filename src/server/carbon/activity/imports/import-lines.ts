import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import type { RecordOrigin } from '#contract/carbon/activity/activity-imports.ts'
import { IMPORT_FIELDS, type ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { instant } from '#server/lists/json-text.ts'

/** The most lines of a file that are listed for one record: a day has at most 96 quarter hours, and 100 in autumn. */
const MOST_LISTED = 100

const SKIPPED = { known: 'Already imported', left: 'Left out', note: 'Note' } as const

const statusOf = ({
  recordId,
  skipped,
}: {
  recordId: string | null
  skipped: keyof typeof SKIPPED | null
}): string => {
  if (recordId !== null) return 'Imported'
  return skipped === null ? 'Rejected' : SKIPPED[skipped]
}

/** The field that each column became, '' for a column that no field takes. */
export const fieldsOf = (
  titles: readonly string[],
  { columns, addends }: Pick<ImportMapping, 'columns' | 'addends'>,
): string[] =>
  titles.map(
    (_title, at) =>
      IMPORT_FIELDS.find((field) => columns[field] === at) ?? (addends.includes(at) ? 'quantity' : ''),
  )

type StoredLine = Omit<RecordOrigin, 'columns'> & {
  titles: string[]
  fields: string[] | null
  cells: string[] | null
}

/** The lines of files that a record comes from, newest import first, with every column as it was. @throws Failure 404 */
export async function readOrigins(db: Database, recordId: string): Promise<RecordOrigin[]> {
  const { rows: records } = await sql`select from activity_records where id = ${recordId} limit 1`.execute(db)
  if (records.length === 0) throw notFound('Record')
  const { rows } = await sql<StoredLine>`
    select i.id::text as import_id, i.file_name, i.sheet, l.line, l.record_version as version,
      ${instant(sql`i.created_at`)} as imported_at, i.created_by as imported_by, i.undone_at is not null as is_undone, i.above,
      i.titles, i.fields, l.cells
    from activity_import_lines l join activity_imports i on i.customer_id = l.customer_id and i.id = l.import_id
    where l.record_id = ${recordId} order by i.id desc, l.line, l.place limit ${MOST_LISTED}`.execute(db)
  return rows.map(({ titles, fields, cells, ...line }) => ({
    ...line,
    columns: titles.map((title, at) => ({
      title,
      value: cells?.[at] ?? '',
      field: IMPORT_FIELDS.find((one) => one === fields?.[at]) ?? null,
      isUnused: fields?.[at] === '',
    })),
  }))
}

/**
 * The lines of an import as a CSV file with every column as it was: all of them with what became of each, or the rejected ones
 * with their reasons. Files imported before every line was kept lack those that were left out.
 */
export async function writeLines(db: Database, id: string, which: 'all' | 'rejected'): Promise<Buffer> {
  const { rows } = await sql<{
    titles: string[]
  }>`select titles from activity_imports where id = ${id}`.execute(db)
  const { rows: lines } = await sql<{
    line: number
    cells: string[] | null
    reasons: string | null
    recordId: string | null
    skipped: keyof typeof SKIPPED | null
  }>`
    select line, cells, reasons, record_id::text, skipped from activity_import_lines
    where import_id = ${id} and (${which === 'all'} or (record_id is null and skipped is null)) order by line, place`.execute(
    db,
  )
  const titles = rows[0]?.titles ?? []
  // Headings of months become lines, so the line of the headings has more cells than there are titles.
  const width = Math.max(titles.length, ...lines.map(({ cells }) => cells?.length ?? 0))
  const filled = (cells: readonly string[]) => Array.from({ length: width }, (_, at) => cells[at] ?? '')
  const table = [
    [...filled(titles), 'Line', ...(which === 'all' ? ['Status', 'Record'] : []), 'Reason'],
    ...lines.map(({ line, cells, reasons, recordId, skipped }) => [
      ...filled(cells ?? []),
      line,
      ...(which === 'all' ? [statusOf({ recordId, skipped }), recordId ?? ''] : []),
      reasons ?? '',
    ]),
  ]
  // Formulas are escaped, so that a spreadsheet doesn't run text from the file. Numbers stay numbers.
  const text = stringify(table, { record_delimiter: '\r\n', escape_formulas: true })
  return Buffer.from(`\uFEFF${text}`)
}
