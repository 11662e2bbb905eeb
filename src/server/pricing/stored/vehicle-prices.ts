import type { VehiclePrices } from '#server/vehicles/index.ts'
import { requireBulkConfirmation } from '../rules/bulk-consent.ts'
import { requireUsualSellingPrices } from '../rules/rule-consent.ts'
import { readSellingPrices } from '../rules/rule-effects.ts'
import { storePricesNow } from './store-prices.ts'

/** What price rules do when vehicles change. */
export const vehiclePrices: VehiclePrices = {
  readSellingPrices,
  requireUsualSellingPrices,
  requireBulkConfirmation,
  storePricesNow,
}
