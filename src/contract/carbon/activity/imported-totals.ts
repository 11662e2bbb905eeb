import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, optionalLine } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { CellProblem } from './activity-schema.ts'
import { Day } from '../factors/factor-schema.ts'
import { SOURCE_NAMES } from '../inventories/source-names.ts'

/** The most rows in one import. */
export const MAX_IMPORTED = 2_000

const Tonnes = z
  .string('Enter tonnes with a decimal point, such as 12.5.')
  .trim()
  .regex(
    /^\d{1,12}(\.\d{1,9})?$/,
    'Enter tonnes such as 12.5, with at most 12 digits before the decimal point and 9 after it.',
  )
const optional = <T extends z.ZodType>(inner: T) => z.union([inner, z.null()]).optional().default(null)

/** One reported total: the emissions of a source at a facility in a period, in t CO2e. */
export const ImportedRow = z.strictObject({
  /** The client's own ID for the row, returned with the result. */
  key: z.string().max(60),
  facilityId: Id,
  /** A standard or a custom one. A source that isn't assigned at the facility yet is assigned by the import. */
  sourceType: z.string('Choose a source type.').max(60),
  periodStart: Day,
  /** The last day of the period. */
  periodEnd: Day,
  /** For scope 2, location-based. */
  tonnes: Tonnes,
  /** For scope 2, market-based; null: the same. */
  marketTonnes: optional(Tonnes),
  /** Biogenic CO2, outside the scopes. */
  biogenicTonnes: optional(Tonnes),
  /** Where the total was reported. */
  note: optionalLine(500, 'Note'),
})
export type ImportedRow = z.input<typeof ImportedRow>

/** Column titles of a row, on the screen and in a file. */
export const IMPORTED_TITLES = {
  facilityId: 'Facility',
  sourceType: 'Source',
  periodStart: 'From',
  periodEnd: 'To',
  tonnes: 't CO2e',
  marketTonnes: 't CO2e, market',
  biogenicTonnes: 't CO2, biogenic',
  note: 'Note',
} as const

/** The cells of a file with such rows. Nothing is checked or saved. */
export const ImportedSheet = z.object({
  /** With the number of lines that aren't empty. */
  sheets: z.array(z.object({ name: z.string(), lines: z.number().int() })),
  /** The sheet that was read. */
  sheet: z.string(),
  /** From the header row on, if there is one: cells as text. */
  lines: z.array(z.array(z.string())),
  /** A workbook: numbers use a decimal point and dates are written 2025-01-31, whatever its language. */
  isWorkbook: z.boolean(),
})
export type ImportedSheet = z.infer<typeof ImportedSheet>

export const ImportedTotal = z.object({
  id: z.string(),
  batchId: z.string(),
  sourceId: z.string(),
  sourceType: z.string(),
  ...SOURCE_NAMES,
  scope: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  /** kg CO2e. */
  kg: z.string(),
  marketKg: z.string().nullable(),
  biogenicKg: z.string(),
  /** What still counts of `kg`: days that have a record don't. */
  countedKg: z.string(),
  note: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
})
export type ImportedTotal = z.infer<typeof ImportedTotal>

const Batch = z.strictObject({ inventoryId: Id, batchId: Id })

/** Imported totals are part of every total, and may have assigned new sources. */
const SHOWS_IMPORTED = [
  '/api/carbon/get-imported-totals',
  '/api/carbon/get-totals',
  '/api/carbon/get-open-item-counts',
  '/api/carbon/get-open-items',
  '/api/carbon/get-assignments',
  '/api/carbon/edit-inventory/{id}',
] as const

/** Totals for periods without activity data. They are marked, never count toward coverage, and are replaced by records day by day. */
export const importedTotals = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-imported-totals',
    allow: can(Func.carbonEmission, Opr.list),
    summary: 'Lists the imported totals of an inventory, with how much of each still counts.',
    input: z.strictObject({ inventoryId: Id }),
    output: z.array(ImportedTotal),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/carbon/read-imported-totals',
    kind: 'upload',
    allow: can(Func.carbonEmission, Opr.create),
    summary:
      'Reads a file of totals (XLSX or CSV) and returns its cells from the header row on. Nothing is saved. Send `sheet` before the file.',
    input: z.strictObject({ inventoryId: Id, sheet: z.string().max(200).optional() }),
    output: ImportedSheet,
    writes: false,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-imported-totals',
    allow: can(Func.carbonEmission, Opr.create),
    summary:
      'Imports totals by facility, source and period. Each row is saved, or rejected with the reasons. The saved rows can be removed together.',
    input: z.strictObject({
      inventoryId: Id,
      rows: z
        .array(ImportedRow)
        .min(1, 'Add at least one row.')
        .max(MAX_IMPORTED, `Import at most ${MAX_IMPORTED.toLocaleString('en')} rows at a time.`),
    }),
    output: z.object({
      /** Null: no row was saved. */
      batchId: z.string().nullable(),
      rows: z.array(z.object({ key: z.string(), isKept: z.boolean(), problems: z.array(CellProblem) })),
    }),
    changes: SHOWS_IMPORTED,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/carbon/remove-imported-totals',
    allow: can(Func.carbonEmission, Opr.delete),
    summary: 'Removes one import of totals, with the sources that only it assigned.',
    input: Batch,
    output: z.object({ removed: z.number().int() }),
    changes: SHOWS_IMPORTED,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/carbon/restore-imported-totals',
    allow: can(Func.carbonEmission, Opr.create),
    summary: 'Restores removed totals. Returns 409 if another imported total covers some of the days now.',
    input: Batch,
    output: z.object({ restored: z.number().int() }),
    changes: SHOWS_IMPORTED,
  }),
}
