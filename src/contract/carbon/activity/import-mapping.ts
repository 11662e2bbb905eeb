import { z } from 'zod'
import { Id, line } from '#contract/fields.ts'
import { CALORIFIC_BASES } from '../factors/unit-table.ts'

/** The most lines in one file. They are imported in one transaction. */
export const MAX_IMPORT_LINES = 20_000
/** The most columns that are read from a sheet. */
export const MAX_COLUMNS = 100

/** What a column of a file can contain. */
export const IMPORT_FIELDS = [
  'facility',
  'source',
  'periodStart',
  'periodEnd',
  'readDate',
  'year',
  'time',
  'quantity',
  'unit',
  'calorificBasis',
  'meterFrom',
  'meterTo',
  'multiplier',
  'cost',
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
  readDate: 'Read date',
  year: 'Year',
  time: 'Time',
  quantity: 'Quantity',
  unit: 'Unit',
  calorificBasis: 'Calorific value',
  meterFrom: 'Start reading',
  meterTo: 'End reading',
  multiplier: 'Multiplier',
  cost: 'Cost',
  priceYear: 'Price year',
  factor: 'Factor',
  quality: 'Quality',
  reference: 'Bill number',
  comment: 'Note',
}

const DECIMALS = ['.', ','] as const
export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const

/** How the file writes numbers and dates. */
export const FileFormat = z.strictObject({ decimal: z.enum(DECIMALS), order: z.enum(DATE_ORDERS) })
export type FileFormat = z.infer<typeof FileFormat>

/**
 * Questions about how files of a layout are written, whose answers are remembered for the next one. Answers to all others, which are
 * about lines, days and bills of one file, are asked again. What follows a colon is left out.
 */
export const QUESTIONS_OF_A_LAYOUT: readonly string[] = [
  'layout',
  'quantity',
  'unit',
  'decimal',
  'order',
  'cost',
  'period',
  'date',
  'stamp',
  'utc',
  'endDay',
  'register',
  'calorificBasis',
  'column',
  'product',
  'meterPlace',
]

/** Those of them whose answers say which days a period has. */
export const PERIOD_QUESTIONS: readonly string[] = ['endDay', 'stamp', 'date', 'utc']

const words = z.record(line(200), line(60))

/** How lines are mapped to records. */
export const ImportMapping = z.strictObject({
  /** The column index of each field, from 0. */
  columns: z.partialRecord(
    z.enum(IMPORT_FIELDS),
    z
      .number()
      .int()
      .min(0)
      .max(MAX_COLUMNS - 1),
  ),
  /** Columns that are added to the quantity, such as the off-peak use beside the on-peak use. */
  addends: z
    .array(
      z
        .number()
        .int()
        .min(0)
        .max(MAX_COLUMNS - 1),
    )
    .max(20)
    .optional()
    .default([]),
  format: FileFormat,
  /** The answers to the questions about the file, by question. They take precedence over `columns` and `format`. */
  answers: z.record(line(300), line(200)).optional().default({}),
  /** Defaults for lines that don't name one: facility ID and source type ID. */
  facilityId: z.union([Id, z.null()]),
  sourceType: z.union([line(60), z.null()]),
  /** The default for fuel energy if the line doesn't give it. */
  calorificBasis: z.union([z.enum(CALORIFIC_BASES), z.null()]),
  /** The file's names for facilities, with the facility each one means. */
  facilities: words,
  /** The file's names for sources, with the source type each one means. */
  sources: words,
  /** Leave out lines that are unusual. */
  leavesWarned: z.boolean(),
})
export type ImportMapping = z.infer<typeof ImportMapping>
