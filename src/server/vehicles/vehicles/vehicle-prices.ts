import type { RawBuilder } from 'kysely'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/** A bulk change: the columns that it writes, and SQL for a JSON object of them, of a row of `vehicles x`. */
export type BulkChange = Readonly<{ columns: readonly string[]; values: RawBuilder<unknown> }>

/** By vehicle: its own price and its selling price, in cents. */
export type SellingPrices = ReadonlyMap<string, Readonly<{ ownCents: number; sellingCents: number }>>

/** What another price of its own does to a vehicle. Amounts are integer cents; 0: no price. `own`, `selling`, `total`: before and after. */
export type PriceEffect = Readonly<{
  vehicleId: string
  own: BeforeAfter
  /** After the price rules. */
  selling: BeforeAfter
  /** What buyers pay with the fees that the lot's price law includes. */
  total: BeforeAfter
}>
export type BeforeAfter = Readonly<{ beforeCents: number; afterCents: number }>

/** Whether what buyers pay moves the other way than the vehicle's own price. */
export const movesOpposite = ({ own, total }: PriceEffect): boolean =>
  (own.afterCents - own.beforeCents) * (total.afterCents - total.beforeCents) < 0

/** What happens to prices when vehicles change. `pricing` makes it; vehicles only say when. */
export type VehiclePrices = Readonly<{
  /**
   * The selling prices of vehicles in cents, to compare after a user's change of any of their fields, which can move a price
   * as much as a typed one. Vehicles without a price are missing.
   */
  readSellingPrices: (db: Database, actor: Member, ids: readonly string[]) => Promise<SellingPrices>
  /**
   * Requires the user's confirmation if a change moved selling prices beyond the customer's limits, or raised one whose own
   * price it lowered. Called after the change
   * was written: the failure undoes it. @throws Failure 409 on `confirmPrices`
   */
  requireUsualSellingPrices: (db: Database, actor: Member, before: SellingPrices) => Promise<void>
  /**
   * The same for a bulk change, after its job was added: the failure removes it. Above the customer's limit it needs the approval
   * of a second user, whatever was confirmed. @throws Failure 409 on `approval` or `confirmPrices`
   */
  requireBulkConfirmation: (
    db: Database,
    actor: Member,
    of: { jobId: string; change: BulkChange },
    confirmPrices: boolean,
  ) => Promise<void>
  /** What other prices of their own, by ID, would do to vehicles, if users set them now. */
  readPriceEffects: (
    db: Database,
    actor: Member,
    prices: ReadonlyMap<string, BeforeAfter>,
  ) => Promise<readonly PriceEffect[]>
  /**
   * Requires the user's confirmation for new prices beyond the customer's limits, and if a total for buyers moves the other way
   * than the price; and approval like a bulk change. @throws Failure 409 on `approval` or `confirmPrices`
   */
  requireEffectConfirmation: (
    db: Database,
    actor: Member,
    effects: readonly PriceEffect[],
    confirmPrices: boolean,
  ) => Promise<void>
  /** Calculates and stores the prices of vehicles that this transaction changed, so that the response already has them. */
  storePricesNow: (db: Database, actor: Pick<Member, 'customerId'>, ids: readonly string[]) => Promise<void>
}>
