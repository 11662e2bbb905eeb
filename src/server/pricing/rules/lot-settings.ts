import { sql } from 'kysely'
import type { PriceLaw } from '#contract/customers/details/price-laws.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { lotMinutes } from './lot-minutes.ts'

/** What prices depend on besides the vehicle. `zone` and `minute`: the lot's time zone, and its wall clock as rules see it. */
export type LotSetting = Readonly<{
  region: string | null
  lotLaw: PriceLaw | null
  zone: string
  minute: string
}>

/** The lots within reach by ID. Read once, because a group has many vehicles and few lots. */
export async function readLotSettings(
  db: Database,
  customerId: string,
): Promise<ReadonlyMap<string, LotSetting>> {
  const { rows } = await sql<LotSetting & { id: string }>`
    with ${lotMinutes(customerId)}
    select l.id::text, l.region, l.price_law as lot_law, m.zone, m.minute
    from lots l join lot_minutes m on m.lot_id = l.id where l.customer_id = ${customerId} order by l.id`.execute(
    db,
  )
  return new Map(rows.map(({ id, ...lot }) => [id, lot]))
}
