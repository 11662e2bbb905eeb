import { PriceLimits } from '#contract/customers/details/price-limits.ts'
import {
  amountText,
  changeSize,
  namePriceChanges,
  needsConfirmation,
  type PriceChange,
} from '#contract/vehicles/vehicles/price-changes.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'

/** The customer's price limits and currency. */
export type CustomerPriceLimits = Readonly<{ limits: PriceLimits; currency: string }>

export async function readPriceLimits(db: Database, customerId: string): Promise<CustomerPriceLimits> {
  const found = await db
    .selectFrom('customers')
    .select(['priceLimits', 'currency'])
    .where('id', '=', customerId)
    .executeTakeFirst()
  if (found === undefined) throw notFound('Customer')
  return { limits: PriceLimits.parse(found.priceLimits), currency: found.currency }
}

/**
 * Requires the user's confirmation for prices beyond the customer's limits. Nothing may be saved before this check.
 * @throws Failure 409 on `confirmPrices` with the largest changes and the totals.
 */
export async function requirePriceConfirmation(
  db: Database,
  customerId: string,
  changes: readonly PriceChange[],
): Promise<void> {
  if (changes.every(({ afterCents }) => afterCents === null)) return
  requireUsualPrices(changes, await readPriceLimits(db, customerId))
}

/** The same with limits that were read before. @throws Failure 409 on `confirmPrices` */
export function requireUsualPrices(changes: readonly PriceChange[], own: CustomerPriceLimits): void {
  const sentence = describeUnusual(changes, own)
  if (sentence === null) return
  const isOne = changes.filter((change) => needsConfirmation(change, own.limits)).length === 1
  throw conflict(`${sentence} Confirm to save.`, {
    confirmPrices: isOne ? 'Confirm this price or correct it.' : 'Confirm these prices or correct them.',
  })
}

/** The prices beyond the limits with their totals, for a message; null if all are usual. */
export function describeUnusual(
  changes: readonly PriceChange[],
  { limits, currency }: CustomerPriceLimits,
): string | null {
  const unusual = changes
    .filter((change) => needsConfirmation(change, limits))
    .toSorted((one, other) => changeSize(other) - changeSize(one))
  if (unusual.length === 0) return null
  const total = (of: 'beforeCents' | 'afterCents') =>
    amountText(
      unusual.reduce((sum, change) => sum + (change[of] ?? 0), 0),
      currency,
    )
  const totals =
    unusual.length === 1 ? '' : ` Total before: ${total('beforeCents')}, after: ${total('afterCents')}.`
  const what = unusual.length === 1 ? 'This price is' : `${unusual.length} prices are`
  return `${what} unusual: ${namePriceChanges(unusual, currency)}.${totals}`
}
