import { z } from 'zod'
import { findSourceType } from './source-types.ts'

/** What tells sources apart, next to their `sourceType`. */
export const SOURCE_NAMES = {
  /** The name of a custom source; null for a standard one, whose name follows from its type. */
  sourceName: z.string().nullable(),
  /** The meter, account or asset; null if there is none. */
  sourceLabel: z.string().nullable(),
}

type Named = { sourceType: string; sourceName: string | null; sourceLabel: string | null }

/** "Electricity", "Boiler 2", or with its meter "Electricity (meter 4711)". */
export function sourceTitle({ sourceType, sourceName, sourceLabel }: Named): string {
  const name = sourceName ?? findSourceType(sourceType)?.title ?? sourceType
  return sourceLabel === null ? name : `${name} (${sourceLabel})`
}

const PREFIX = 'own-'

/** The source type of a custom source: `own-12`. */
export const customSourceType = (id: string): string => `${PREFIX}${id}`

/** The ID of a custom source by its source type; null for a standard one. */
export function customSourceId(sourceType: string): string | null {
  return /^own-[1-9]\d{0,17}$/.test(sourceType) ? sourceType.slice(PREFIX.length) : null
}
