import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ActivityImport } from '#contract/carbon/activity/activity-imports.ts'
import type { ImportMapping } from '#contract/carbon/activity/import-mapping.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { instant } from '#server/lists/json-text.ts'
import { writeReady } from '../records/save-records.ts'
import { recalculateStale } from '#server/carbon/calculation/recalculate.ts'
import type { JudgedImport } from './judge-import.ts'
import { problemWords } from './read-lines.ts'
import type { SheetColumns } from './sheet-columns.ts'

/** The most imports that are listed. */
const MOST_LISTED = 100

/**
 * Writes what is ready, keeps what was refused with the reasons, and remembers how the columns were matched.
 * @returns the number of the import; null where there was nothing to keep, since all of it was there.
 */
export async function saveImport(
  db: Database,
  {
    name,
    sheet,
    inventory,
    columns,
    mapping,
    found: { lines, judged, counts },
  }: {
    name: string
    sheet: string
    inventory: { id: string; organizationId: string }
    columns: SheetColumns
    mapping: ImportMapping
    found: JudgedImport
  },
): Promise<string | null> {
  const { organizationId } = inventory
  if (counts.ready + counts.refused === 0) return null
  const { id } = await db
    .insertInto('activityImports')
    .values({
      organizationId,
      inventoryId: inventory.id,
      fileName: name,
      sheet: sheet.slice(0, 200),
      titles: [...columns.titles],
      lines: lines.length,
      saved: counts.ready,
      known: counts.known,
      refused: counts.refused,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const told = await writeReady(db, judged)
  const kept = [
    ...told.flatMap(({ key, state, id: recordId }) =>
      state === 'saved' ? [{ line: Number(key), record_id: recordId, cells: null, reasons: null }] : [],
    ),
    ...lines.flatMap(({ line, state, raw, problems }) =>
      state === 'refused'
        ? [
            {
              line,
              record_id: null,
              cells: widen(raw, columns),
              reasons: problems.map(problemWords).join(' '),
            },
          ]
        : [],
    ),
  ]
  await sql`insert into activity_import_lines (import_id, organization_id, line, record_id, cells, reasons)
    select ${id}::bigint, ${organizationId}::bigint, line, record_id, cells, reasons
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as x(line integer, record_id bigint, cells text[], reasons text)`.execute(
    db,
  )
  if (counts.ready > 0) {
    await remember(db, { organizationId, head: columns.head, mapping })
    await recalculateStale(db, inventory.id)
  }
  return id
}

/** As many cells as there are titles. */
const widen = (raw: readonly string[], { titles }: SheetColumns): string[] =>
  titles.map((_, place) => raw[place] ?? '')

async function remember(
  db: Database,
  { organizationId, head, mapping }: { organizationId: string; head: string; mapping: ImportMapping },
): Promise<void> {
  const text = JSON.stringify(mapping)
  await sql`insert into activity_mappings (organization_id, head, mapping) values (${organizationId}, ${head}, ${text}::jsonb)
    on conflict (customer_id, organization_id, head) do update set mapping = excluded.mapping, updated_at = app_now(),
      updated_by = excluded.updated_by
    where activity_mappings.mapping <> excluded.mapping`.execute(db)
}

/** The newest first. */
export async function readImports(db: Database, condition: RawBuilder<SqlBool>): Promise<ActivityImport[]> {
  const { rows } = await sql<ActivityImport>`
    select i.id::text, i.file_name, i.sheet, i.lines, i.saved, i.known, i.refused, ${instant(sql`i.created_at`)} as created_at,
      i.created_by, ${instant(sql`i.undone_at`)} as undone_at, i.undone_by, (
        select count(*)::int from activity_import_lines l cross join lateral (
          -- One by one, by the key: of rows that came in just now no plan knows how many they are.
          select from activity_records r where r.customer_id = l.customer_id and r.id = l.record_id and r.version = 1
            and r.replaced_at is null and r.status = 'draft' limit 1) same
        where l.customer_id = i.customer_id and l.import_id = i.id) as untouched
    from activity_imports i where ${condition} order by i.id desc limit ${MOST_LISTED}`.execute(db)
  return rows
}
