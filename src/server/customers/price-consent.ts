import type { SettingChange } from '#contract/pricing/rules/rule-requests.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'

/**
 * What a change of details or lots requires because it moves the totals that buyers see; pricing decides. Called before
 * anything is written.
 * @throws Failure 409 on `approval`, or on `confirmPrices` unless the user confirmed it
 */
export type PriceConsent = (
  db: Database,
  actor: Member,
  change: SettingChange,
  confirmPrices: boolean,
) => Promise<void>
