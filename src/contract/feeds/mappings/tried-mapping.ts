import { z } from 'zod'
import { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { FeedMapping, FeedTarget, FieldMapping } from './mapping.ts'
import type { MappedRow } from './map-row.ts'
import { FEED_STATUSES } from './feed-status.ts'
import { FEED_ENCODINGS, FEED_FORMATS } from './feed-shape.ts'

const target = FeedTarget
const Cell = z.union([z.string(), z.array(z.string())])

/** One unmapped sample row: the input of `mapRow`. */
export const SampleRow = z.object({
  line: z.number().int(),
  raw: z.string(),
  cells: z.record(z.string(), Cell),
  problems: z.array(z.object({ kind: z.enum(['refusal', 'count', 'leftOut']), sentence: z.string() })),
})

/** One sample row as a vehicle: the output of `mapRow`. */
export const SampleResult = z.object({
  line: z.number().int(),
  /** By field name: text, whole numbers, cents, lists. */
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  dealer: z.string().nullable(),
  /** The status the feed gives it. */
  status: z.enum(FEED_STATUSES).nullable(),
  /** Why the feed leaves the row out. */
  leftOut: z.string().nullable(),
  warnings: z.array(z.object({ target: target.nullable(), sentence: z.string() })),
  refusals: z.array(z.string()),
  unmapped: z.array(z.object({ field: target, value: z.string() })),
})
export type SampleResult = z.infer<typeof SampleResult>

/** The result of mapping a sample row. */
export function sampleResult(line: number, { values, ...mapped }: MappedRow): SampleResult {
  const present = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { line, ...mapped, values: Object.fromEntries(present) }
}

/** A description of a sample file and the results of mapping it. */
export const TriedMapping = z.object({
  /** The distance unit, and the date that days in stock are counted from. */
  unit: z.enum(['mi', 'km']),
  today: z.string(),
  /** The customer's custom fields. */
  own: z.array(CustomField),
  format: z.enum(FEED_FORMATS),
  encoding: z.enum(FEED_ENCODINGS),
  delimiter: z.string().nullable(),
  hasHeader: z.boolean(),
  path: z.string().nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      /** Its name in rules. */
      ruleName: z.string(),
      /** Three sample values. */
      samples: z.array(z.string()),
      /** The share of rows that have a value, from 0 to 1. */
      filled: z.number(),
    }),
  ),
  /** The first rows, for trying out other expressions. */
  rows: z.array(SampleRow),
  /** How many rows were read, and whether that is the whole file. */
  rowCount: z.number().int(),
  isWhole: z.boolean(),
  /** Why the file can't be read to the end. */
  refusal: z.string().nullable(),
  preset: z.object({ key: z.string(), title: z.string(), fit: z.number() }).nullable(),
  /** What column names and values suggest, regardless of the mapping that was sent. */
  matches: z.array(z.object({ target, mapping: FieldMapping, confidence: z.number(), reason: z.string() })),
  /** The mapping behind the results: the one that was sent, or the proposed one. */
  mapping: FeedMapping,
  unused: z.array(z.string()),
  /** Five rows as vehicles, including a rejected one and one with warnings if there are any. */
  results: z.array(SampleResult),
  accepted: z.number().int(),
  /** Rows that the feed itself leaves out, such as those it marks as deleted. */
  leftOut: z.number().int(),
  refused: z.array(z.object({ sentence: z.string(), count: z.number().int() })),
  /** The share of accepted rows that fill each field. */
  filled: z.array(z.object({ target, share: z.number() })),
  /** Errors in the mapping itself. */
  problems: z.array(z.object({ target: z.union([FeedTarget, z.literal('skipRule')]), sentence: z.string() })),
})
export type TriedMapping = z.infer<typeof TriedMapping>
