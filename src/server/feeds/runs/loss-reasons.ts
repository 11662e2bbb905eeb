import { z } from 'zod'
import type { CustomField } from '#contract/customers/custom-fields/custom-fields.ts'
import { FeedTarget, targetTitle } from '#contract/feeds/mappings/mapping.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { ImportStats } from './reading/import-stats.ts'

/** A field that fewer vehicles than this lose never holds a run. */
const MIN_LOST = 3
/** The share of the known vehicles that may lose the value of a field at once. */
const MAX_LOST_SHARE = 0.1
/** By how much the share of rows with a value may fall from one file to the next. */
const MAX_FALL = 0.2

const Filled = z.record(z.string(), z.number())

/** How many rows of the last applied file of a source had a value, by field; null if that isn't known. */
export async function lastFill(
  db: Database,
  sourceId: string | null,
): Promise<{ rows: number; filled: Readonly<Record<string, number>> } | null> {
  if (sourceId === null) return null
  const last = await db
    .selectFrom('feedRuns')
    .select(['rowCount', 'filled'])
    .where('sourceId', '=', sourceId)
    .where('status', '=', 'applied')
    .where('filled', 'is not', null)
    .orderBy('appliedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last === undefined || last.rowCount === 0
    ? null
    : { rows: last.rowCount, filled: Filled.parse(last.filled) }
}

type Fill = NonNullable<Awaited<ReturnType<typeof lastFill>>>

/**
 * Why a run needs review before it takes values away: many vehicles lose the value of a field, or far fewer rows have one than in
 * the last file of the source; or no vehicle at all has a price.
 */
export function lossReasons(stats: ImportStats, last: Fill | null, own: readonly CustomField[]): string[] {
  const { rowCount: rows, changedCount, unchangedCount, newCount } = stats.columns()
  if (rows === 0) return []
  const known = changedCount + unchangedCount
  const filled = stats.filled()
  const lost = new Map<string, number>(stats.lost())
  const reasons = Object.entries(filled).flatMap(([name, count]): string[] => {
    const read = FeedTarget.safeParse(name)
    if (!read.success) return []
    const title = targetTitle(read.data, own)
    const vehicles = lost.get(name) ?? 0
    const before = last?.filled[name]
    const fall = last === null || before === undefined ? 0 : before / last.rows - count / rows
    const isMany = vehicles >= MIN_LOST && vehicles > known * MAX_LOST_SHARE
    const isFall = fall > MAX_FALL && fall * rows >= MIN_LOST
    if (!isMany && !isFall) return []
    const shares =
      last === null || before === undefined
        ? ''
        : ` Rows with a value: ${percent(before, last.rows)} in the last file, ${percent(count, rows)} now.`
    const loss = vehicles === 0 ? '' : ` ${vehicles} of ${known} known vehicles lose it.`
    return [`${title} is blank in many rows.${loss}${shares}`]
  })
  const isUnpriced = filled['price'] === 0 && newCount >= MIN_LOST && !lost.has('price')
  return isUnpriced
    ? [...reasons, `No row has a price, so none of the ${newCount} new vehicles is published.`]
    : reasons
}

const percent = (part: number, all: number): string => `${Math.round((part / all) * 100)}%`
