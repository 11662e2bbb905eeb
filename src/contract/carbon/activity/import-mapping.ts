import { z } from 'zod'
import { Id, line } from '#contract/fields.ts'
import { CALORIFIC_BASES } from '../factors/unit-table.ts'

/** The most lines of one file: they are brought in together or not at all. */
export const MAX_IMPORT_LINES = 20_000
/** The most columns of a sheet that are looked at. */
export const MAX_COLUMNS = 100

/** What a column of a file may hold. */
export const IMPORT_FIELDS = [
  'facility',
  'source',
  'periodStart',
  'periodEnd',
  'quantity',
  'unit',
  'calorificBasis',
  'meterFrom',
  'meterTo',
  'priceYear',
  'factor',
  'quality',
  'reference',
  'comment',
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

export const IMPORT_FIELD_NAMES: Readonly<Record<ImportField, string>> = {
  facility: 'Facility',
  source: 'Source',
  periodStart: 'From',
  periodEnd: 'To',
  quantity: 'Quantity',
  unit: 'Unit',
  calorificBasis: 'Calorific value',
  meterFrom: 'Reading before',
  meterTo: 'Reading after',
  priceYear: 'Year of the prices',
  factor: 'Factor',
  quality: 'Quality',
  reference: 'Bill number',
  comment: 'Note',
}

const DECIMALS = ['.', ','] as const
export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const

/** How the file writes numbers and days. */
export const FileFormat = z.strictObject({ decimal: z.enum(DECIMALS), order: z.enum(DATE_ORDERS) })
export type FileFormat = z.infer<typeof FileFormat>

const words = z.record(line(200), line(60))

/** How lines become records. */
export const ImportMapping = z.strictObject({
  /** Which column holds a field, counted from 0. */
  columns: z.partialRecord(
    z.enum(IMPORT_FIELDS),
    z
      .number()
      .int()
      .min(0)
      .max(MAX_COLUMNS - 1),
  ),
  format: FileFormat,
  /** Of lines that name none: the number of a facility, the id of a kind of source. */
  facilityId: z.union([Id, z.null()]),
  sourceType: z.union([line(60), z.null()]),
  /** Of energy whose line does not say. */
  calorificBasis: z.union([z.enum(CALORIFIC_BASES), z.null()]),
  /** What the file calls a facility, and which one that is. */
  facilities: words,
  /** What the file calls a source, and which kind that is. */
  sources: words,
  /** Lines that are unusual stay outside. */
  leavesWarned: z.boolean(),
})
export type ImportMapping = z.infer<typeof ImportMapping>
