import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, optionalLine } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { CellProblem } from './activity-schema.ts'
import { Day } from '../factors/factor-schema.ts'

/** The most rows that are brought in at once. */
export const MAX_IMPORTED = 2_000

const Tonnes = z
  .string('Write the tonnes in digits, with a point: 12.5.')
  .trim()
  .regex(/^\d{1,12}(\.\d{1,9})?$/, 'Write the tonnes in digits, with a point: 12.5.')
const optional = <T extends z.ZodType>(inner: T) => z.union([inner, z.null()]).optional().default(null)

/** One figure of a report: what a source came to at a facility in a period, in t CO2e. */
export const ImportedRow = z.strictObject({
  /** The screen's own name for the row; it comes back. */
  key: z.string().max(60),
  facilityId: Id,
  /** Of the catalogue. What is not assigned at the facility yet is assigned with it. */
  sourceType: z.string('Choose a kind of source.').max(60),
  periodStart: Day,
  /** The last day of the period. */
  periodEnd: Day,
  /** In scope 2 by the location. */
  tonnes: Tonnes,
  /** Of scope 2, by what was bought; null: the same. */
  marketTonnes: optional(Tonnes),
  /** CO2 of plants, beside the scopes. */
  biogenicTonnes: optional(Tonnes),
  /** Where it was reported. */
  note: optionalLine(500, 'Note'),
})
export type ImportedRow = z.input<typeof ImportedRow>

/** What stands above the columns of a row, on the screen and in a file. */
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

/** A table of such rows as it stands in a file; nothing of it is judged or kept. */
export const ImportedSheet = z.object({
  /** With the number of their lines that hold something. */
  sheets: z.array(z.object({ name: z.string(), lines: z.number().int() })),
  /** Which of them was read. */
  sheet: z.string(),
  /** From its head on, where it has one: cells as text. */
  lines: z.array(z.array(z.string())),
  /** A workbook: numbers have a point, days are written 2025-01-31, in whatever language it was made. */
  isWorkbook: z.boolean(),
})
export type ImportedSheet = z.infer<typeof ImportedSheet>

export const ImportedTotal = z.object({
  id: z.string(),
  batchId: z.string(),
  sourceId: z.string(),
  sourceType: z.string(),
  scope: z.string(),
  facilityId: z.string(),
  facilityName: z.string(),
  periodStart: z.string(),
  periodEnd: z.string(),
  /** kg CO2e. */
  kg: z.string(),
  marketKg: z.string().nullable(),
  biogenicKg: z.string(),
  /** What still counts of `kg`: days on which a record stands do not. */
  countedKg: z.string(),
  note: z.string().nullable(),
  createdAt: z.string(),
  createdBy: z.string().nullable(),
})
export type ImportedTotal = z.infer<typeof ImportedTotal>

const Batch = z.strictObject({ inventoryId: Id, batchId: Id })

/** Totals of years before there was activity: marked, never covered, and replaced by records, day by day. */
export const importedTotals = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-imported-totals',
    allow: can(Func.carbonEmission, Opr.list),
    summary: 'The imported totals of an inventory, with what still counts of each.',
    input: z.strictObject({ inventoryId: Id }),
    output: z.array(ImportedTotal),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/carbon/read-imported-totals',
    kind: 'upload',
    allow: can(Func.carbonEmission, Opr.create),
    summary:
      'Reads a file of totals (XLSX or CSV) and tells its cells, from the head on; nothing is kept. `sheet` stands before the file.',
    input: z.strictObject({ inventoryId: Id, sheet: z.string().max(200).optional() }),
    output: ImportedSheet,
    writes: false,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-imported-totals',
    allow: can(Func.carbonEmission, Opr.create),
    summary:
      'Brings in totals by facility, source and period: each is kept, or refused with its reasons. Kept ones can be taken back together.',
    input: z.strictObject({
      inventoryId: Id,
      rows: z
        .array(ImportedRow)
        .min(1, 'Send at least one row.')
        .max(MAX_IMPORTED, `At most ${MAX_IMPORTED.toLocaleString('en')} rows at once.`),
    }),
    output: z.object({
      /** Null: none was kept. */
      batchId: z.string().nullable(),
      rows: z.array(z.object({ key: z.string(), isKept: z.boolean(), problems: z.array(CellProblem) })),
    }),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/carbon/remove-imported-totals',
    allow: can(Func.carbonEmission, Opr.delete),
    summary: 'Takes out what was brought in together, with the sources that were assigned by it alone.',
    input: Batch,
    output: z.object({ removed: z.number().int() }),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/carbon/restore-imported-totals',
    allow: can(Func.carbonEmission, Opr.create),
    summary: 'Brings back what was taken out. Days that have another imported total meanwhile answer 409.',
    input: Batch,
    output: z.object({ restored: z.number().int() }),
  }),
}
