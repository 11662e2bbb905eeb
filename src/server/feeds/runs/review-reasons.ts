import { sql } from 'kysely'
import { isInStock } from '#server/vehicles/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** A run needs review if more than this share of the source's vehicles is missing. */
const MAX_MISSING_SHARE = 0.3

const countRows = (rows: number): string => (rows === 1 ? '1 row' : `${rows} rows`)

/** Why a run needs review before it is applied, a message for each reason. */
export async function findReviewReasons(
  db: Database,
  of: {
    sourceId: string
    lotIds: readonly string[]
    rows: number
    missing: { offered: number; missing: number } | null
  },
): Promise<string[]> {
  const reasons: string[] = []
  const { offered, missing } = of.missing ?? { offered: 0, missing: 0 }
  if (missing > offered * MAX_MISSING_SHARE) {
    const share = Math.round((missing / offered) * 100)
    reasons.push(`${missing} of the ${offered} vehicles from this feed source (${share}%) are missing.`)
  }
  const { rows } = await sql<{ last: number | null; stock: number }>`
    select (select last_row_count from feed_sources where id = ${of.sourceId}) as last,
      (select count(*)::int from vehicles v where v.lot_id = any(${[...of.lotIds]}::bigint[])
        and ${isInStock('v')}) as stock`.execute(db)
  const { last, stock } = rows[0] ?? { last: null, stock: 0 }
  const usual = last ?? stock
  if (of.rows * 2 < usual) {
    reasons.push(
      last === null
        ? `The file has only ${countRows(of.rows)}, but its lots have ${stock} vehicles.`
        : `The file has only ${countRows(of.rows)}. The last applied file had ${last}.`,
    )
  }
  return reasons
}
