import { sql } from 'kysely'
import {
  type activityImports,
  ImportRequest,
  type ImportPreview,
  MAX_LINES_SHOWN,
} from '#contract/carbon/activity/activity-imports.ts'
import {
  type ImportMapping,
  MAX_COLUMNS,
  MAX_IMPORT_LINES,
  PERIOD_QUESTIONS,
  QUESTIONS_OF_A_LAYOUT,
} from '#contract/carbon/activity/import-mapping.ts'
import type { Received } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound, refused } from '#server/http/failure.ts'
import { readJsonField } from '#server/http/json-field.ts'
import type { Member } from '#server/http/actor.ts'
import { Download, type Upload } from '#server/http/kinds.ts'
import type { Handlers } from '#server/http/serve.ts'
import { wrongFile } from '#server/spreadsheets/read-spreadsheet.ts'
import type { Sheet } from '#server/spreadsheets/sheet.ts'
import { lockOpenInventoryRow, readOpenInventory } from '#server/carbon/staleness/lock-inventory-row.ts'
import { findInventory } from '../../inventories/find-inventory.ts'
import { type ImportContext, readImportContext } from './import-context.ts'
import { type CheckedImport, type CheckedLine, findUnknown, checkImport, sentenceOf } from './check-import.ts'
import { withEmpty } from './filled-columns.ts'
import { emissionsOf } from './import-emissions.ts'
import { fieldsOf, readOrigins, writeLines } from './import-lines.ts'
import { readAmount } from './read-amount.ts'
import { currencyColumn } from './read-cost.ts'
import { checkLayout } from './layout.ts'
import { DEFAULT_UNIT } from './read-quantity.ts'
import { isOutdated, withoutRecords, withSeen } from './seen-records.ts'
import { saveImport, readImports, rememberedAs } from './save-import.ts'
import { type Proposal, proposeMapping } from './propose-mapping.ts'
import { chooseSheet, readSheetFile } from '../../factors/read-sheet-file.ts'
import { hasTable, readColumns, type SheetColumns } from './sheet-columns.ts'
import { undoImport } from './undo-import.ts'

/** Activity data files. A file is uploaded twice, to preview and to import it; nothing is stored in between. */
export const activityImportHandlers: Handlers<typeof activityImports> = {
  async list({ db, input: { inventoryId } }) {
    await findInventory(db, inventoryId)
    return readImports(db, sql`i.inventory_id = ${inventoryId}`)
  },

  read: readImport,
  add: addImport,
  undo: ({ db, input: { id } }) => undoImport(db, id),

  origin: ({ db, input: { recordId } }) => readOrigins(db, recordId),
  lines: ({ inTenant, input: { id } }) => inTenant((db) => downloadLines(db, id, 'all')),
  refused: ({ inTenant, input: { id } }) => inTenant((db) => downloadLines(db, id, 'rejected')),
}

async function downloadLines(db: Database, id: string, which: 'all' | 'rejected'): Promise<Download> {
  const [found] = await readImports(db, sql`i.id = ${id}`)
  if (found === undefined) throw notFound('Import')
  return new Download({
    name: `${found.fileName.replace(/\.\w+$/, '')} ${which === 'all' ? 'lines' : 'not imported'}.csv`,
    type: 'text/csv; charset=utf-8',
    body: await writeLines(db, id, which),
  })
}

type UploadedSheet = {
  actor: Pick<Member, 'may' | 'customerId'>
  inTenant: <T>(work: (db: Database) => Promise<T>) => Promise<T>
  input: Received<typeof activityImports.add>
  files: Upload
}

/** Returns what each line of a file would become; nothing is saved. @throws Failure 400 for the file, 404 and 409 for the inventory. */
export async function readImport({
  actor,
  inTenant,
  input: { inventoryId, asked: requested },
  files,
}: UploadedSheet): Promise<ImportPreview> {
  await inTenant((db) => readOpenInventory(db, inventoryId))
  const request = readJsonField(ImportRequest, requested, 'asked')
  const { tables } = await readSheetFile(files, actor.customerId)
  return inTenant(async (db): Promise<ImportPreview> => {
    const inventory = await readOpenInventory(db, inventoryId)
    const sheets = namesOf(tables)
    const table = chooseSheet(tables, request.sheet ?? sheets[0] ?? null)
    const columns = takeColumns(table)
    const context = await readImportContext(db, inventoryId, columns)
    const proposal = proposeMapping(columns, context, request)
    const remembered =
      request.mapping === null
        ? await recall(db, inventory.organizationId, { columns, sourceType: proposal.mapping.sourceType })
        : null
    const mapping = request.mapping ?? withRemembered(proposal, remembered)
    const asked = { inventory, columns, mapping, context, proposal }
    const read = await checkImport(db, actor, { ...asked, isPreview: true })
    const found = isOutdated(read)
      ? await checkImport(db, actor, { ...asked, mapping: withoutRecords(mapping), isPreview: true })
      : read
    const unused = unusedOf(columns, found.mapping)
    const { byKey, ...sums } = await emissionsOf(db, inventoryId, found)
    const { isPlain: _isPlain, ...layout } = layoutOf(found, { sheets, table, columns, context, proposal })
    return {
      sheets: tables.map(({ name, lines }) => ({ name, lines: lines.length })),
      sheet: table.name,
      columns: columns.titles.map((title, place) => ({ title, samples: samplesOf(columns, place) })),
      mapping: await withSeen(db, found.mapping),
      unused,
      above: [...columns.above],
      isRemembered: remembered !== null,
      layout,
      lines: found.lines.length,
      ...found.counts,
      ...sums,
      sentence: sentenceOf(found, columns.lines.length),
      questions: found.questions,
      shown: inOrder(found.lines)
        .slice(0, MAX_LINES_SHOWN)
        .map(({ key, line, state, cells, raw, period, amount, problems }) => {
          const kg = byKey.get(key) ?? null
          const rest = unused.map((place) => raw[place] ?? '')
          return { key, line, state, cells, rest, period, amount, kg, problems }
        }),
      ...findUnknown(found.lines, context),
      facilities: context.facilities.map(({ id, name }) => ({ id, name })),
      sourceTypes: [...context.types],
    }
  })
}

/** Imports a file: valid lines become records. @throws Failure 400 for the file, 404 and 409 for the inventory. */
export async function addImport({
  actor,
  inTenant,
  input: { inventoryId, asked: requested },
  files,
}: UploadedSheet) {
  await inTenant((db) => readOpenInventory(db, inventoryId))
  const request = readJsonField(ImportRequest, requested, 'asked')
  const { mapping } = request
  if (mapping === null) throw refused('Some fields are invalid.', { asked: 'Map the columns first.' })
  const { name, tables } = await readSheetFile(files, actor.customerId)
  return inTenant(async (db) => {
    const inventory = await lockOpenInventoryRow(db, inventoryId)
    const sheets = namesOf(tables)
    const table = chooseSheet(tables, request.sheet ?? sheets[0] ?? null)
    const columns = takeColumns(table)
    const context = await readImportContext(db, inventoryId, columns)
    const proposal = proposeMapping(columns, context, request)
    const asked = { inventory, columns, mapping, context, proposal }
    const found = await checkImport(db, actor, { ...asked, isPreview: false })
    if (isOutdated(found))
      throw conflict(
        'Bills that are already there were changed after you read the file. Read it again, and check the questions about them.',
      )
    const layout = layoutOf(found, { sheets, table, columns, context, proposal })
    if (found.counts.ready > 0 && !layout.isConfirmed)
      throw refused('Some fields are invalid.', {
        asked: `The layout of this file is new. Check in the preview how it is read, then send its “layout” key as the answer “layout”.`,
      })
    const { isPlain } = layout
    const id = await saveImport(db, { name, sheet: table.name, inventory, columns, found, isPlain })
    const [saved] = id === null ? [] : await readImports(db, sql`i.id = ${id}`)
    const { ready, known, left, open, refused: rejected } = found.counts
    return {
      import: saved ?? null,
      lines: found.lines.length,
      saved: ready,
      known,
      left,
      open,
      refused: rejected,
      sentence: sentenceOf(found, columns.lines.length),
    }
  })
}

function layoutOf(
  { mapping, lines, questions }: CheckedImport,
  {
    sheets,
    table,
    columns,
    context: { units },
    proposal: { quantity, evidence },
  }: {
    sheets: readonly string[]
    table: Sheet
    columns: SheetColumns
    context: ImportContext
    proposal: Proposal
  },
): ReturnType<typeof checkLayout> {
  const unused = unusedOf(columns, mapping)
  const numeric = evidence.filter(({ place, isNumeric }) => isNumeric && unused.includes(place))
  const areParts = columns.lines.every(({ cells }) => isSum(cells, { mapping, numeric }))
  const otherUses = numeric.flatMap(({ place, unit }) => (unit !== null || areParts ? [place] : []))
  return checkLayout(columns, mapping, {
    units,
    unused,
    sheet: table.name,
    sheets,
    guessed: questions.flatMap(({ id, answer }) =>
      id.startsWith(DEFAULT_UNIT) || PERIOD_QUESTIONS.includes(id) ? [`${id} ${answer ?? ''}`] : [],
    ),
    figures: [...quantity.choices.flatMap(({ value }) => value.split('+').map(Number)), ...otherUses],
    notes: lines.filter(({ isNote }) => isNote).map(({ raw }) => raw.filter((cell) => cell !== '').join(' ')),
  })
}

/** Whether the use of a line is the sum of other figures in it: of tariffs, or of times of day. */
function isSum(
  cells: readonly string[],
  {
    mapping: { columns, format },
    numeric,
  }: { mapping: ImportMapping; numeric: readonly { place: number }[] },
): boolean {
  const read = (place: number | undefined) => {
    const found = readAmount(cells[place ?? -1] ?? '', { ...format, locale: 'en' })
    return 'value' in found ? Number(found.value) : 0
  }
  const parts = numeric.reduce((sum, { place }) => sum + read(place), 0)
  return numeric.length > 1 && Math.abs(parts - read(columns.quantity)) < 0.01
}

/** The names of the sheets with tables of bills, of which one is read; none if there is no choice. */
const namesOf = (tables: readonly Sheet[]): string[] =>
  tables.length === 1 ? [] : tables.filter(hasTable).map(({ name }) => name)

function takeColumns(table: Sheet): SheetColumns {
  const columns = readColumns(table)
  const { count, width } = columns
  if (width > MAX_COLUMNS)
    throw wrongFile(
      `The sheet has ${width.toLocaleString('en')} columns. At most ${MAX_COLUMNS} can be imported at a time. Remove those you don't need.`,
    )
  if (count > MAX_IMPORT_LINES)
    throw wrongFile(
      `The sheet has ${count.toLocaleString('en')} lines. At most ${MAX_IMPORT_LINES.toLocaleString('en')} can be imported at a time. Split the file.`,
    )
  return columns
}

const SHOWN_FIRST: readonly CheckedLine['state'][] = ['open', 'refused', 'ready', 'left', 'known']

/** Lines that wait or are rejected first, then those with warnings. */
const inOrder = (lines: readonly CheckedLine[]): CheckedLine[] => {
  const rank = ({ state, problems }: CheckedLine) =>
    (problems.length === 0 ? SHOWN_FIRST.length : 0) + SHOWN_FIRST.indexOf(state)
  return lines.toSorted((one, other) => rank(one) - rank(other))
}

const SAMPLES = 3

const samplesOf = ({ lines }: SheetColumns, place: number): string[] =>
  [...new Set(lines.slice(0, 50).flatMap(({ cells }) => cells[place] || []))]
    .slice(0, SAMPLES)
    .map((text) => text.slice(0, 80))

/** The places of columns that have values and that no field takes. */
const unusedOf = (columns: SheetColumns, mapping: ImportMapping): number[] =>
  fieldsOf(columns.titles, mapping).flatMap((field, place) =>
    field === '' &&
    place !== currencyColumn(columns) &&
    columns.lines.some(({ cells }) => (cells[place] ?? '') !== '')
      ? [place]
      : [],
  )

/** The mapping remembered for this kind of file; null if there is none, or it is no longer valid. */
async function recall(
  db: Database,
  organizationId: string,
  { columns, sourceType }: { columns: SheetColumns; sourceType: string | null },
): Promise<ImportMapping | null> {
  const own = rememberedAs(columns, sourceType)
  const rows = await db
    .selectFrom('activityMappings')
    .select(['head', 'mapping'])
    .where('organizationId', '=', organizationId)
    .where('head', 'in', [own, rememberedAs(columns, null)])
    .execute()
  const found = rows.find(({ head }) => head === own) ?? rows[0]
  const read = ImportRequest.shape.mapping.safeParse(found?.mapping ?? null)
  const mapping = read.success ? read.data : null
  const isOfAll = mapping?.columns.source !== undefined || mapping?.sourceType === sourceType
  return isOfAll && mapping !== null ? withEmpty(mapping, columns) : null
}

/**
 * The default facility and source come from the source that is open now, not from the last file. Numbers and dates are read as
 * this file shows, and as the user answered for the last one only if it shows nothing.
 */
function withRemembered(
  { mapping: { facilityId, sourceType, ...guessed }, decimal, orderOf }: Proposal,
  remembered: ImportMapping | null,
): ImportMapping {
  const order = orderOf(remembered?.columns ?? guessed.columns)
  const sure = [
    ...(decimal.certainty === 'sure' ? ['decimal'] : []),
    ...(order.certainty === 'sure' ? ['order'] : []),
  ]
  const known = remembered?.answers ?? {}
  const isConfirmed = known['layout'] !== undefined
  const answers = Object.entries(known).filter(([id]) => {
    const [what = ''] = id.split(':')
    if (what === 'meterPlace') return true
    return isConfirmed && !sure.includes(id) && [...QUESTIONS_OF_A_LAYOUT, 'currency'].includes(what)
  })
  return {
    ...guessed,
    ...remembered,
    format: guessed.format,
    leavesWarned: false,
    answers: Object.fromEntries(answers),
    facilityId,
    sourceType,
  }
}
