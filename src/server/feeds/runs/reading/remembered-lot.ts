import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { MappingChoice } from './choose-mapping.ts'

/** How many of the latest runs are searched. */
const MAX_RUNS = 500

/**
 * The lot chosen for the last applied file with the same mapping; null if none was chosen or the lot was deleted. So users have
 * to choose the lot only once for a provider that sends no dealer IDs.
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
    from (select * from feed_runs order by created_at desc, id desc limit ${sql.lit(MAX_RUNS)}) r
    left join lots l on l.customer_id = r.customer_id and l.id = r.lot_id
    where r.status = 'applied' and ${isSame}
    order by r.created_at desc, r.id desc limit 1`.execute(db)
  return rows[0]?.lotId ?? null
}
