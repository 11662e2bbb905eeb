import { z } from 'zod'
import { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { FeedMapping, FeedTarget, FieldMapping } from './mapping.ts'
import type { MappedRow } from './map-row.ts'
import { FEED_ENCODINGS, FEED_FORMATS } from '../formats/feed-shape.ts'

const target = FeedTarget
const Cell = z.union([z.string(), z.array(z.string())])

/** One row of a sample as it was read: what `mapRow` takes. */
export const SampleRow = z.object({
  line: z.number().int(),
  raw: z.string(),
  cells: z.record(z.string(), Cell),
  problems: z.array(z.object({ kind: z.enum(['refusal', 'count']), sentence: z.string() })),
})

/** One row of a sample as a vehicle: what `mapRow` made of it. */
export const SampleResult = z.object({
  line: z.number().int(),
  /** By the names of the fields: text, whole numbers, cents, lists. */
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])),
  dealer: z.string().nullable(),
  warnings: z.array(z.object({ target: target.nullable(), sentence: z.string() })),
  refusals: z.array(z.string()),
  unmapped: z.array(z.object({ field: target, value: z.string() })),
})
export type SampleResult = z.infer<typeof SampleResult>

/** A row of a sample with what a mapping made of it. */
export function sampleResult(line: number, { values, ...mapped }: MappedRow): SampleResult {
  const there = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return { line, ...mapped, values: Object.fromEntries(there) }
}

/** What a sample of a feed is, and what a mapping makes of it. */
export const TriedMapping = z.object({
  /** What distances are counted in, and what days in stock are counted from. */
  unit: z.enum(['mi', 'km']),
  today: z.string(),
  /** The fields that the customer made for itself. */
  own: z.array(CustomField),
  format: z.enum(FEED_FORMATS),
  encoding: z.enum(FEED_ENCODINGS),
  delimiter: z.string().nullable(),
  hasHeader: z.boolean(),
  path: z.string().nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      /** What rules call it. */
      ruleName: z.string(),
      /** Three of its values. */
      samples: z.array(z.string()),
      /** The share of rows that fill it. */
      filled: z.number(),
    }),
  ),
  /** The first rows, for trying other expressions on. */
  rows: z.array(SampleRow),
  /** How many rows of the sample were read, and whether that is all of the file. */
  rowCount: z.number().int(),
  isWhole: z.boolean(),
  /** Why the file cannot be read to its end. */
  refusal: z.string().nullable(),
  preset: z.object({ key: z.string(), title: z.string(), fit: z.number() }).nullable(),
  /** What names and values propose, whatever mapping was sent. */
  matches: z.array(z.object({ target, mapping: FieldMapping, confidence: z.number(), reason: z.string() })),
  /** The mapping that the results are of: the one that was sent, or the proposed one. */
  mapping: FeedMapping,
  unused: z.array(z.string()),
  /** Five rows as vehicles: refused ones and those with warnings among them. */
  results: z.array(SampleResult),
  accepted: z.number().int(),
  refused: z.array(z.object({ sentence: z.string(), count: z.number().int() })),
  /** For each field the share of accepted rows that fill it. */
  filled: z.array(z.object({ target, share: z.number() })),
  /** What is wrong with the mapping itself. */
  problems: z.array(z.object({ target: z.union([FeedTarget, z.literal('leaveOut')]), sentence: z.string() })),
})
export type TriedMapping = z.infer<typeof TriedMapping>
