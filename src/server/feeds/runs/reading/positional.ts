import type { FeedRow } from '#contract/feeds/mappings/source-row.ts'
import { textsOf } from '#contract/feeds/mappings/source-row.ts'
import { columnsOf, type FeedMapping, FeedTarget } from '#contract/feeds/mappings/mapping.ts'
import { valuesContradict } from '#contract/feeds/mappings/guess-values.ts'

const POSITION = /^Column \d+$/

/** Whether a file has no header: its columns are known by their places, which say nothing about another provider's file. */
export const isPositional = (columns: readonly string[]): boolean =>
  columns.length > 0 && columns.every((name) => POSITION.test(name))

/** Whether a mapping finds its columns by their places in a file without a header. */
export const mapsByPosition = ({ fields }: FeedMapping): boolean =>
  Object.values(fields).some(
    (field) => field !== undefined && columnsOf(field).some((name) => POSITION.test(name)),
  )

/** The first column whose values can't be what a mapping reads from them; null if all can. */
export function contradictedColumn(
  { fields }: FeedMapping,
  rows: readonly FeedRow[],
  today: string,
): { target: FeedTarget; column: string } | null {
  for (const [name, field] of Object.entries(fields)) {
    const target = FeedTarget.safeParse(name)
    if (!target.success || field === undefined || field.map !== undefined) continue
    const column = field.source.kind === 'column' ? field.source.column : null
    if (column === null) continue
    const values = rows.flatMap((row) => textsOf(row, column).slice(0, 3))
    if (valuesContradict(target.data, values, today)) return { target: target.data, column }
  }
  return null
}
