import { createHash } from 'node:crypto'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ActivityImport } from '#contract/carbon/activity/activity-imports.ts'
import {
  type ImportMapping,
  PERIOD_QUESTIONS,
  QUESTIONS_OF_A_LAYOUT,
} from '#contract/carbon/activity/import-mapping.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { saveReady } from '../records/save-records.ts'
import { recalculateStale } from '#server/carbon/calculation/recalculate.ts'
import type { CheckedImport, CheckedLine } from './check-import.ts'
import { withoutEmpty } from './filled-columns.ts'
import { fieldsOf } from './import-lines.ts'
import type { ReadLine } from './read-line.ts'
import { describeProblem } from './read-lines.ts'
import type { SheetColumns } from './sheet-columns.ts'

/** The most imports in the list. */
const MOST_LISTED = 100

/**
 * Saves the ready records, stores every line of the file with what became of it, and remembers the column mapping.
 * @returns the ID of the import; null if every line was already imported.
 */
export async function saveImport(
  db: Database,
  {
    name,
    sheet,
    inventory,
    columns,
    found: { lines, checked, counts, mapping, questions },
    isPlain,
  }: {
    name: string
    sheet: string
    inventory: { id: string; organizationId: string }
    columns: SheetColumns
    found: CheckedImport
    /** Its headings mean one thing only, and many providers have them: nothing about how this one writes is remembered. */
    isPlain: boolean
  },
): Promise<string | null> {
  const { organizationId } = inventory
  // What an answer left out is kept: a later credit may be for it.
  const hasLeft = lines.some(({ leftBill }) => leftBill !== undefined)
  if (counts.ready + counts.refused + counts.open === 0 && !hasLeft) return null
  const { id } = await db
    .insertInto('activityImports')
    .values({
      organizationId,
      inventoryId: inventory.id,
      fileName: name,
      sheet: sheet.slice(0, 200),
      titles: [...columns.titles],
      fields: fieldsOf(columns.titles, mapping),
      above: [...columns.above],
      lines: lines.length,
      saved: counts.ready,
      known: counts.known,
      refused: counts.refused + counts.open,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await saveLines(db, { id, organizationId, columns, found: { lines, checked } })
  if (counts.ready > 0) {
    const isOfSource = mapping.columns.source === undefined
    // Which days periods have is kept as it was confirmed, also if the file itself suggested it.
    const settled = Object.fromEntries(
      questions.flatMap((one) =>
        PERIOD_QUESTIONS.includes(one.id) && one.answer !== null ? [[one.id, one.answer]] : [],
      ),
    )
    const head = rememberedAs(columns, isOfSource ? mapping.sourceType : null)
    await remember(db, {
      organizationId,
      head,
      mapping: withoutEmpty(
        { ...mapping, answers: isPlain ? placesIn(mapping) : { ...settled, ...mapping.answers } },
        columns,
      ),
    })
    await recalculateStale(db, inventory.id)
  }
  return id
}

/** Saves the ready records, and each line of the file with what became of it. */
async function saveLines(
  db: Database,
  {
    id,
    organizationId,
    columns,
    found: { lines, checked },
  }: {
    id: string
    organizationId: string
    columns: SheetColumns
    found: Pick<CheckedImport, 'lines' | 'checked'>
  },
): Promise<void> {
  const results = await saveReady(db, checked)
  const byKey = new Map(lines.map((one) => [one.key, one]))
  const versions = new Map(checked.ready.map(({ row, version }) => [row.key, version]))
  const saved = results.flatMap(({ key, state, id: recordId }) => {
    const read = byKey.get(key)
    if (state !== 'saved' || read === undefined) return []
    const became = {
      record_id: recordId,
      record_version: versions.get(key) ?? 1,
      reasons: null,
      skipped: null,
    }
    return [read, ...(read.others ?? [])].map((one) => ({ ...keptOf(one, columns), ...became }))
  })
  const others = lines.flatMap((read) => {
    if (read.state === 'ready') return []
    const isRejected = read.state === 'refused' || read.state === 'open'
    const became = { ...NO_RECORD, skipped: isRejected ? null : read.state, reasons: reasonsOf(read) }
    const { sourceId = null, ...bill } = read.leftBill ?? {}
    const left = sourceId === null ? {} : { left_source_id: sourceId, left_bill: bill }
    return [read, ...(read.others ?? [])].map((one, at) => ({
      ...keptOf(one, columns),
      ...became,
      ...(at === 0 && left),
    }))
  })
  const notes = columns.notes.map(({ reason, ...note }) => ({
    ...note,
    ...NO_RECORD,
    skipped: 'note',
    reasons: reason,
  }))
  await sql`insert into activity_import_lines (import_id, organization_id, line, place, record_id, record_version, cells, reasons, skipped,
      left_source_id, left_bill)
    select ${id}::bigint, ${organizationId}::bigint, line, place, record_id, record_version, cells, reasons, skipped, left_source_id, left_bill
    from jsonb_to_recordset(${JSON.stringify([...saved, ...others, ...notes])}::jsonb) as x(line integer, place integer,
      record_id bigint, record_version integer, cells text[], reasons text, skipped text,
      left_source_id bigint, left_bill jsonb)`.execute(db)
}

const NO_RECORD = { record_id: null, record_version: 1 }

const reasonsOf = ({ problems, knownId }: CheckedLine): string =>
  [...problems.map(describeProblem), ...(knownId === undefined ? [] : [`It is record ${knownId}.`])].join(' ')

/** A line as it is in the file, with as many cells as there are titles. */
const keptOf = (
  { line, place, raw }: Pick<ReadLine, 'line' | 'place' | 'raw'>,
  { titles }: SheetColumns,
) => ({
  line,
  place,
  cells: titles.map((_, at) => raw[at] ?? ''),
})

/**
 * What a mapping is remembered by: the headings, and the source if no column names it. A bill of electricity and gas has other columns
 * for each of them.
 */
export const rememberedAs = ({ head }: Pick<SheetColumns, 'head'>, sourceType: string | null): string =>
  sourceType === null ? head : createHash('sha256').update(`${head}\n${sourceType}`).digest('hex')

/** Where meters belong doesn't depend on how the provider writes. */
const placesIn = ({ answers }: ImportMapping): ImportMapping['answers'] =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => id.startsWith('meterPlace:')))

async function remember(
  db: Database,
  { organizationId, head, mapping }: { organizationId: string; head: string; mapping: ImportMapping },
): Promise<void> {
  const lasting = Object.entries(mapping.answers).filter(
    ([id, answer]) =>
      QUESTIONS_OF_A_LAYOUT.includes(id.split(':')[0] ?? '') ||
      // Costs that were left out once are left out again; but a sign may be missing once.
      (id === 'currency' && answer === 'other'),
  )
  // Which lines are unusual is seen in each file.
  const text = JSON.stringify({ ...mapping, answers: Object.fromEntries(lasting), leavesWarned: false })
  await sql`insert into activity_mappings (organization_id, head, mapping) values (${organizationId}, ${head}, ${text}::jsonb)
    on conflict (customer_id, organization_id, head) do update set mapping = excluded.mapping, updated_at = app_now(),
      updated_by = excluded.updated_by
    where activity_mappings.mapping <> excluded.mapping`.execute(db)
}

/** How many sources of an import are named. */
const MOST_SOURCES = 3

/** Newest first. */
export async function readImports(db: Database, condition: RawBuilder<SqlBool>): Promise<ActivityImport[]> {
  const { rows } = await sql<ActivityImport>`
    select i.id::text, i.file_name, i.sheet, i.lines, i.saved, i.known, i.refused, ${instant(sql`i.created_at`)} as created_at,
      i.created_by, ${instant(sql`i.undone_at`)} as undone_at, i.undone_by, (
        -- Of a day in intervals, several lines are one record.
        select count(distinct l.record_id)::int from activity_import_lines l cross join lateral (
          -- One by one, by the key: the planner can't estimate the number of rows that were just inserted.
          select from activity_records r where r.customer_id = l.customer_id and r.id = l.record_id and r.version >= l.record_version
            and r.replaced_at is null and r.status = 'draft' and (r.version = l.record_version or exists (
              -- A later correction was undone.
              select from activity_imports u where u.inventory_id = i.inventory_id and u.undone_at = r.created_at)) limit 1) same
        where l.customer_id = i.customer_id and l.import_id = i.id) as untouched,
      coalesce((select json_agg(json_build_object('facilityName', f.name, 'sourceType', s.source_type, 'sourceName', s.name,
          'sourceLabel', s.label) order by f.name, s.id)
        from (select o.* from emission_sources o where o.customer_id = i.customer_id and o.id = any(own.ids)
          order by o.id limit ${MOST_SOURCES}) s join facilities f on f.customer_id = s.customer_id and f.id = s.facility_id), '[]') as sources,
      cardinality(own.ids) as source_count
    from activity_imports i cross join lateral (
      select array(select distinct r.source_id from activity_import_lines l
        join activity_records r on r.customer_id = l.customer_id and r.id = l.record_id and r.version = l.record_version
        where l.customer_id = i.customer_id and l.import_id = i.id) as ids) own
    where ${condition} order by i.id desc limit ${MOST_LISTED}`.execute(db)
  return rows
}
