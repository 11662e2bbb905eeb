import { trimmed } from '#contract/trimmed.ts'
import { z } from 'zod'

export const FEED_FORMATS = ['csv', 'xml', 'json'] as const
export const FEED_DELIMITERS = [',', '\t', '|', ';'] as const
export const FEED_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

/** How a provider's file is built. `auto`: detected from the first part of the file. */
export const FeedShape = z.strictObject({
  format: z.enum(['auto', ...FEED_FORMATS], 'Choose CSV, XML, JSON or auto-detect.').default('auto'),
  encoding: z.enum(['auto', ...FEED_ENCODINGS], 'Choose an encoding or auto-detect.').default('auto'),
  /** CSV only: the character between values. */
  delimiter: z.enum(['auto', ...FEED_DELIMITERS], 'Choose a separator or auto-detect.').default('auto'),
  /** CSV only: whether the first line holds the column names. Without it they are `Column 1`, `Column 2` ... */
  header: z.enum(['auto', 'yes', 'no'], 'Choose whether the first line is a header.').default('auto'),
  /** XML: `listings/listing`; JSON: `data.vehicles`. Null: auto-detect. */
  path: z.string().overwrite(trimmed).min(1).max(200).nullable().default(null),
})
export type FeedShape = z.infer<typeof FeedShape>

/** Everything is auto-detected. */
export const ANY_SHAPE: FeedShape = FeedShape.parse({})
