import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'

const DAY = 86_400_000

/**
 * Fixes the price of one used vehicle for two weeks, with a reason. The other states of a price come with the feeds: most are
 * from them, some were changed by people, and a few of those wait for a decision because their feed has sent another price since.
 */
export async function addDemoSpecialPrice(
  db: Database,
  { customerId, now }: { customerId: string; now: Date },
): Promise<void> {
  const until = `${new Date(now.getTime() + 14 * DAY).toISOString().slice(0, 'yyyy-mm-dd'.length)}T20:00`
  await sql`
    insert into vehicle_special_prices (vehicle_id, organization_id, cents, until_minute, reason)
    select v.id, v.organization_id, v.price_cents - 75000, ${until}, 'Hail damage on the hood, agreed with the sales manager'
    from vehicles v where v.customer_id = ${customerId} and v.status = 'live' and v.condition = 'used' and v.locked = '{}'
      and v.price_cents > 1000000
    order by v.id desc limit 1`.execute(db)
}
