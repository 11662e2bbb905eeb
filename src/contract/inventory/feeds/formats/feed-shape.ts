import { z } from 'zod'

export const FEED_FORMATS = ['csv', 'xml', 'json'] as const
export const FEED_DELIMITERS = [',', '\t', '|', ';'] as const
export const FEED_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

/** How the file of a provider is built. `auto`: the reader finds it out from the first part of the file. */
export const FeedShape = z.strictObject({
  format: z.enum(['auto', ...FEED_FORMATS], 'Choose CSV, XML, JSON or auto.').default('auto'),
  encoding: z.enum(['auto', ...FEED_ENCODINGS], 'Choose an encoding or auto.').default('auto'),
  /** Of CSV: between two values. */
  delimiter: z.enum(['auto', ...FEED_DELIMITERS], 'Choose a separator or auto.').default('auto'),
  /** Of CSV: whether its first line names the columns. Without it they are `Column 1`, `Column 2` ... */
  header: z.enum(['auto', 'yes', 'no'], 'Say whether the first line names the columns.').default('auto'),
  /** Of XML, `listings/listing`; of JSON, `data.vehicles`. Null: the reader looks for it. */
  path: z.string().trim().min(1).max(200).nullable().default(null),
})
export type FeedShape = z.infer<typeof FeedShape>

/** Nothing is said of the file. */
export const ANY_SHAPE: FeedShape = FeedShape.parse({})
