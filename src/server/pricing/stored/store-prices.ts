import { sql } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { readPriceSetting, recalculateNext, recalculatePrices } from './recalculate-prices.ts'

/**
 * Calculates the prices of vehicles that this transaction changed, so that the response already has them. The background
 * does so again after the commit, with the rules of that time.
 */
export async function storePricesNow(
  db: Database,
  { customerId }: Pick<Member, 'customerId'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ zone: string | null }>`
    select current_setting('app.time_zone', true) as zone`.execute(db)
  const setting = await readPriceSetting(db, customerId)
  await recalculatePrices(db, setting, { ids: [...new Set(ids)] }, { skipsLocked: false, advertises: false })
  // Dates in the response are in the user's time zone again.
  await sql`select set_config('app.time_zone', ${rows[0]?.zone ?? ''}, true)`.execute(db)
}

/** Calculates the prices of all vehicles of the current customer, such as after loading demo data. */
export async function storeAllPrices(db: Database, customerId: string): Promise<void> {
  const setting = await readPriceSetting(db, customerId)
  // Of many changes, none of which is the cause of all prices.
  const options = {
    skipsLocked: false,
    advertises: true,
    causes: { all: [], byVehicle: new Map<string, readonly unknown[]>() },
  }
  for (let after: string | null = '0'; after !== null;) {
    // oxlint-disable-next-line no-await-in-loop -- One connection, and memory for one batch.
    after = await recalculateNext(db, setting, after, options)
  }
  await sql`delete from price_requests where customer_id = ${customerId}`.execute(db)
}
