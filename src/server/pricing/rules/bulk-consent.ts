import { sql, type RawBuilder } from 'kysely'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { type LotZones, useLotTimeZones } from '#server/customers/index.ts'
import { type BulkChange, movesOpposite, type PriceEffect, readPriceLimits } from '#server/vehicles/index.ts'
import { requireBulkConsent } from './rule-consent.ts'
import { type Change, differencesOf, readPrices } from './rule-effects.ts'
import { matchesAny, readActiveRules } from './rule-rows.ts'

/** Vehicles whose prices are compared at once, and the most that are compared. */
const BATCH = 5_000
const MAX_VEHICLES = 100_000

/** The columns that decide about a price besides the conditions of rules. */
const PRICE_COLUMNS: ReadonlySet<string> = new Set([
  'lot_id',
  'organization_id',
  'price_cents',
  'msrp_cents',
  'feed_price_cents',
  'market_price_cents',
  'invoice_cents',
  'cost_cents',
  'in_stock_on',
])

/**
 * Requires approval, and the user's confirmation, if a bulk change to vehicles makes price rules change their selling prices beyond the
 * customer's limits, as when they move to a lot with other rules. Called after the job was added: the failure removes it.
 * @param jobId the job whose rows are the vehicles.
 * @throws Failure 409 on `approval`, or on `confirmPrices` with the largest changes and the totals.
 */
export async function requireBulkConfirmation(
  db: Database,
  actor: Member,
  { jobId, change }: { jobId: string; change: BulkChange },
  confirmPrices: boolean,
): Promise<void> {
  const { customerId } = actor
  const { limits } = await readPriceLimits(db, customerId)
  if (confirmPrices && (limits.approvalAbove ?? null) === null) return
  const zone = await useLotTimeZones(db, customerId)
  const rules = await readActiveRules(db, customerId)
  const isPriced = change.columns.includes('price_cents')
  if (!isPriced && (rules.length === 0 || !decidesAboutPrices(db, change.columns, rules, zone))) return
  const changes: Change[] = []
  let after = '0'
  let isPartial = true
  for (let compared = 0; compared < MAX_VEHICLES; compared += BATCH) {
    // oxlint-disable-next-line no-await-in-loop -- One batch after the other bounds the memory and each statement.
    const ids = await readBatch(db, { customerId, jobId, after })
    isPartial = ids.length > 0
    if (!isPartial) break
    // One by one with the primary key, whatever the planner thinks of rows that were just added. `s.r` is a row of `vehicles`.
    const rows = sql`unnest(${ids}::bigint[]) i (id)
      cross join lateral (select w as r from vehicles w where w.customer_id = ${customerId} and w.id = i.id offset 0) s
      cross join lateral (select (s.r).*) x`
    const pricesOf = (vehicles: RawBuilder<unknown>) => readPrices(db, { customerId, zone, vehicles }, rules)
    // oxlint-disable-next-line no-await-in-loop -- As above.
    const before = await pricesOf(sql`(select x.* from ${rows}) v`)
    // oxlint-disable-next-line no-await-in-loop -- As above.
    const next = await pricesOf(
      sql`(select o.* from ${rows} cross join lateral jsonb_populate_record(s.r, ${change.values}) o) v`,
    )
    changes.push(...differencesOf(before, next))
    after = ids.at(-1) ?? after
  }
  await requireBulkConsent(db, actor, { changes, isPartial }, confirmPrices)
}

/**
 * Requires approval, and the user's confirmation, for new prices of many vehicles: beyond the customer's limits before or after the rules, much in
 * total, or with a total for buyers that moves the other way. @throws Failure 409 on `confirmPrices`
 */
export async function requireEffectConfirmation(
  db: Database,
  actor: Member,
  effects: readonly PriceEffect[],
  confirmPrices: boolean,
): Promise<void> {
  const of = (kind: 'own' | 'selling' | 'total', some: readonly PriceEffect[]) =>
    some.map(({ vehicleId, [kind]: cents }) => ({ vehicleId, ...cents, isLimited: false }))
  const changes = of('selling', effects).filter(({ beforeCents, afterCents }) => beforeCents !== afterCents)
  const opposite = of('total', effects.filter(movesOpposite))
  await requireBulkConsent(
    db,
    actor,
    { changes, own: of('own', effects), opposite, isPartial: false },
    confirmPrices,
  )
}

/** Whether a change of these columns can change a price: the evaluation or the condition of a rule reads one of them. */
function decidesAboutPrices(
  db: Database,
  columns: readonly string[],
  rules: readonly PricingRule[],
  zone: LotZones,
): boolean {
  if (columns.some((column) => PRICE_COLUMNS.has(column))) return true
  const { sql: text } = matchesAny(rules, zone).compile(db)
  return columns.some((column) => new RegExp(String.raw`\bv"?\."?${column}\b`).test(text))
}

/** The IDs of the next vehicles of a job, in their order. */
async function readBatch(
  db: Database,
  { customerId, jobId, after }: { customerId: string; jobId: string; after: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select row_id::text as id from job_rows
    where customer_id = ${customerId} and job_id = ${jobId}::bigint and row_id > ${after}::bigint
    order by row_id limit ${sql.lit(BATCH)}`.execute(db)
  return rows.map(({ id }) => id)
}
