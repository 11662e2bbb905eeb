import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { MappingChoice } from './choose-mapping.ts'

/** So many of the newest runs are looked through. */
const LOOKED_AT = 500

/**
 * The lot that somebody chose for the last file of the same columns that was applied; null where none was chosen, or the
 * lot is gone. A provider whose rows name no dealer is asked about once.
 */
export async function rememberedLot(
  db: Database,
  { id, mapping }: Pick<MappingChoice, 'id' | 'mapping'>,
): Promise<string | null> {
  const isSame =
    id === null
      ? sql`r.mapping_id is null and r.mapping = ${JSON.stringify(mapping)}::jsonb`
      : sql`r.mapping_id = ${id}`
  const { rows } = await sql<{ lotId: string | null }>`
    select l.id as lot_id
    from (select * from feed_runs order by created_at desc, id desc limit ${sql.lit(LOOKED_AT)}) r
    left join lots l on l.customer_id = r.customer_id and l.id = r.lot_id
    where r.status = 'applied' and ${isSame}
    order by r.created_at desc, r.id desc limit 1`.execute(db)
  return rows[0]?.lotId ?? null
}
