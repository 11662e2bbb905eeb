import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import type { BeforeAfter, PriceEffect, VehiclePrices } from '#server/vehicles/index.ts'
import { requireBulkConfirmation, requireEffectConfirmation } from '../rules/bulk-consent.ts'
import { requireUsualSellingPrices } from '../rules/rule-consent.ts'
import { readSellingPrices } from '../rules/rule-effects.ts'
import { readCurrentPrices, readPriceSetting } from './recalculate-prices.ts'
import { storePricesNow } from './store-prices.ts'

/** What price rules do when vehicles change. */
export const vehiclePrices: VehiclePrices = {
  readSellingPrices,
  requireUsualSellingPrices,
  requireBulkConfirmation,
  readPriceEffects,
  requireEffectConfirmation,
  storePricesNow,
}

/**
 * What other prices of their own would do to vehicles, if users set them now. Vehicles out of stock or out of reach are missing.
 * @param prices by ID, as many as fit into one query.
 */
async function readPriceEffects(
  db: Database,
  { customerId }: Member,
  prices: ReadonlyMap<string, BeforeAfter>,
): Promise<readonly PriceEffect[]> {
  if (prices.size === 0) return []
  const setting = await readPriceSetting(db, customerId)
  const before = await readCurrentPrices(db, setting, { ids: [...prices.keys()] })
  const asIf = new Map([...prices].map(([id, { afterCents }]) => [id, afterCents]))
  const after = await readCurrentPrices(db, setting, { prices: asIf })
  return [...prices].flatMap(([vehicleId, own]) => {
    const [was, now] = [before.get(vehicleId), after.get(vehicleId)]
    if (was === undefined || now === undefined) return []
    return [
      {
        vehicleId,
        own,
        selling: { beforeCents: was.sellingCents ?? 0, afterCents: now.sellingCents ?? 0 },
        total: { beforeCents: was.totalCents ?? 0, afterCents: now.totalCents ?? 0 },
      },
    ]
  })
}
