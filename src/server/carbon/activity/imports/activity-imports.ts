import { stringify } from 'csv-stringify/sync'
import { sql } from 'kysely'
import {
  type ActivityImport,
  type activityImports,
  ImportRequest,
  type ImportPreview,
  MAX_LINES_SHOWN,
} from '#contract/carbon/activity/activity-imports.ts'
import { type ImportMapping, MAX_IMPORT_LINES } from '#contract/carbon/activity/import-mapping.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound, refused } from '#server/http/failure.ts'
import { readJsonField } from '#server/http/json-field.ts'
import type { Member } from '#server/http/actor.ts'
import { Download, type Upload } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'
import { holdOpenInventory, readOpenInventory } from '#server/carbon/inventories/hold-inventory.ts'
import { findInventory } from '../records/open-inventory.ts'
import { readImportContext } from './import-context.ts'
import { findUnknown, judgeImport, sentenceOf } from './judge-import.ts'
import { saveImport, readImports } from './keep-import.ts'
import { proposeMapping } from './propose-mapping.ts'
import { chooseSheet, readSheetFile } from './read-sheet-file.ts'
import { readColumns, type SheetColumns } from './sheet-columns.ts'
import { undoImport } from './undo-import.ts'

/** Files of activity: read twice, once to tell what they would bring and once to bring it. Nothing waits in between. */
export const activityImportHandlers: Handlers<typeof activityImports> = {
  async list({ db, input: { inventoryId } }) {
    await findInventory(db, inventoryId)
    return readImports(db, sql`i.inventory_id = ${inventoryId}`)
  },

  read: readImport,
  add: addImport,
  undo: ({ db, input: { id } }) => undoImport(db, id),

  refused: ({ inTenant, input: { id } }) =>
    inTenant(async (db) => {
      const [found] = await readImports(db, sql`i.id = ${id}`)
      if (found === undefined) throw notFound('Import')
      return new Download({
        name: `${found.fileName.replace(/\.\w+$/, '')} refused.csv`,
        type: 'text/csv; charset=utf-8',
        body: await writeRefused(db, found),
      })
    }),
}

type UploadedSheet = {
  actor: Pick<Member, 'may' | 'customerId'>
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>
  input: Received<typeof activityImports.add>
  files: Upload
}

/** Tells what each line of a file would become; nothing is kept. @throws Failure 400 of the file, 404 and 409 of the inventory. */
export async function readImport({
  actor,
  inTenant,
  input: { inventoryId, asked },
  files,
}: UploadedSheet): Promise<ImportPreview> {
  await inTenant((db) => readOpenInventory(db, inventoryId))
  const said = readJsonField(ImportRequest, asked, 'asked')
  const { tables } = await readSheetFile(files, actor.customerId)
  return inTenant(async (db): Promise<ImportPreview> => {
    const inventory = await readOpenInventory(db, inventoryId)
    const table = chooseSheet(tables, said.sheet)
    const columns = takeColumns(table)
    const context = await readImportContext(db, inventoryId)
    const guessed = proposeMapping(columns, context, said)
    const remembered = said.mapping === null ? await recall(db, inventory.organizationId, columns) : null
    const mapping = said.mapping ?? withRemembered(guessed, remembered)
    const found = await judgeImport(db, actor, { inventory, columns, mapping, context })
    const told = found.lines.filter(({ problems }) => problems.length > 0)
    const right = found.lines.filter(({ problems }) => problems.length === 0)
    return {
      sheets: tables.map(({ name, lines }) => ({ name, lines: lines.length })),
      sheet: table.name,
      columns: columns.titles.map((title, place) => ({ title, samples: samplesOf(columns, place) })),
      mapping,
      isRemembered: remembered !== null,
      lines: found.lines.length,
      ...found.counts,
      sentence: sentenceOf(found),
      shown: [...told, ...right]
        .slice(0, MAX_LINES_SHOWN)
        .map(({ line, state, cells, problems }) => ({ line, state, cells, problems })),
      ...findUnknown(found.lines, context),
      facilities: context.facilities.map(({ id, name }) => ({ id, name })),
      sourceTypes: [...context.types],
    }
  })
}

/** Brings a file in: lines that are right become records. @throws Failure 400 of the file, 404 and 409 of the inventory. */
export async function addImport({ actor, inTenant, input: { inventoryId, asked }, files }: UploadedSheet) {
  await inTenant((db) => readOpenInventory(db, inventoryId))
  const said = readJsonField(ImportRequest, asked, 'asked')
  const { mapping } = said
  if (mapping === null) throw refused('Some fields are not right.', { asked: 'Say what the columns hold.' })
  const { name, tables } = await readSheetFile(files, actor.customerId)
  return inTenant(async (db) => {
    const inventory = await holdOpenInventory(db, inventoryId)
    const table = chooseSheet(tables, said.sheet)
    const columns = takeColumns(table)
    const context = await readImportContext(db, inventoryId)
    const found = await judgeImport(db, actor, { inventory, columns, mapping, context })
    const id = await saveImport(db, { name, sheet: table.name, inventory, columns, mapping, found })
    const [kept] = id === null ? [] : await readImports(db, sql`i.id = ${id}`)
    const { ready: saved, known, left, refused: wrong } = found.counts
    return {
      import: kept ?? null,
      lines: found.lines.length,
      saved,
      known,
      left,
      refused: wrong,
      sentence: sentenceOf(found),
    }
  })
}

function takeColumns(table: Sheet): SheetColumns {
  const columns = readColumns(table)
  const count = columns.lines.length
  if (count > MAX_IMPORT_LINES)
    throw wrongFile(
      `The sheet has ${count.toLocaleString('en')} lines: at most ${MAX_IMPORT_LINES.toLocaleString('en')} are brought in at once. Cut the file in two.`,
    )
  return columns
}

const SAMPLES = 3

const samplesOf = ({ lines }: SheetColumns, place: number): string[] =>
  [...new Set(lines.slice(0, 50).flatMap(({ cells }) => cells[place] || []))]
    .slice(0, SAMPLES)
    .map((text) => text.slice(0, 80))

/** How such a file was matched before; null where none was, or where it makes no sense any more. */
async function recall(
  db: Database,
  organizationId: string,
  { head }: SheetColumns,
): Promise<ImportMapping | null> {
  const found = await db
    .selectFrom('activityMappings')
    .select('mapping')
    .where('organizationId', '=', organizationId)
    .where('head', '=', head)
    .executeTakeFirst()
  const read = ImportRequest.shape.mapping.safeParse(found?.mapping ?? null)
  return read.success ? read.data : null
}

/** Whose lines are that name no facility or source is asked of each file anew: it is the source that is open. */
const withRemembered = (
  { facilityId, sourceType, ...guessed }: ImportMapping,
  remembered: ImportMapping | null,
): ImportMapping => ({ ...guessed, ...remembered, facilityId, sourceType })

async function writeRefused(db: Database, { id }: ActivityImport): Promise<Buffer> {
  const { rows } = await sql<{
    titles: string[]
  }>`select titles from activity_imports where id = ${id}`.execute(db)
  const { rows: lines } = await sql<{ line: number; cells: string[]; reasons: string }>`
    select line, cells, reasons from activity_import_lines where import_id = ${id} and record_id is null order by line`.execute(
    db,
  )
  const table = [
    [...(rows[0]?.titles ?? []), 'Line', 'Reason'],
    ...lines.map(({ line, cells, reasons }) => [...cells, line, reasons]),
  ]
  // A text that a spreadsheet would compute is none any more; a number stays one.
  const text = stringify(table, { record_delimiter: '\r\n', escape_formulas: true })
  return Buffer.from(`\uFEFF${text}`)
}
