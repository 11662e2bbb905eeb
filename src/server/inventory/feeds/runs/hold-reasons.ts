import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

/** More than this share of a source's vehicles missing asks for a look. */
const MOST_MISSING = 0.3

/** Why somebody has to look at a run before it is applied: a sentence for each reason. */
export async function holdReasons(
  db: Database,
  of: {
    sourceId: string
    lotIds: readonly string[]
    rows: number
    missing: { offered: number; missing: number } | null
  },
): Promise<string[]> {
  const held: string[] = []
  const { offered, missing } = of.missing ?? { offered: 0, missing: 0 }
  if (missing > offered * MOST_MISSING) {
    const share = Math.round((missing / offered) * 100)
    held.push(`${missing} of the ${offered} vehicles of this feed source are missing: ${share} %.`)
  }
  const { rows } = await sql<{ last: number | null; stock: number }>`
    select (select last_row_count from feed_sources where id = ${of.sourceId}) as last,
      (select count(*)::int from vehicles v where v.lot_id = any(${[...of.lotIds]}::bigint[])
        and v.status not in ('sold', 'archived', 'wholesale', 'removed')) as stock`.execute(db)
  const { last, stock } = rows[0] ?? { last: null, stock: 0 }
  const usual = last ?? stock
  if (of.rows * 2 < usual) {
    held.push(
      last === null
        ? `The file has ${of.rows} rows, and ${stock} vehicles stand on its lots.`
        : `The file has ${of.rows} rows; the last one that was applied had ${last}.`,
    )
  }
  return held
}
