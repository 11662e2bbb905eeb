import { sql } from 'kysely'
import { FeeCap, MandatoryFee } from '#contract/customers/details/fees.ts'
import { OwnProfiles, type PriceLaw } from '#contract/customers/details/price-laws.ts'
import { explainPrice } from '#contract/pricing/totals/explain-price.ts'
import type { PricedVehicle } from '#contract/pricing/totals/price-explanation.ts'
import { laterMinutesOf } from '#contract/pricing/rules/rule-conditions.ts'
import {
  SpecialPrice,
  type VehiclePrice,
  type vehiclePrices,
} from '#contract/pricing/totals/vehicle-price.ts'
import { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict, notFound, refused, stale } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { keepingTime, simulateTime } from '../rules/simulated-time.ts'
import { coveredRules, linesShownTo } from '../rules/cost-rules.ts'
import { matchedRules, readActiveRules, toPriceRule } from '../rules/rule-rows.ts'
import { useCustomerTimeZone } from '#server/customers/index.ts'
import { instant } from '#server/lists/json-text.ts'
import { lockVehicle, requirePriceConfirmation, readVehicle } from '#server/vehicles/index.ts'
import { storePricesNow } from '../stored/store-prices.ts'

/** Explains the price of a vehicle. */
export const vehiclePriceHandlers: Omit<Handlers<typeof vehiclePrices>, 'places' | 'documents'> = {
  async get({ db, actor, input }) {
    const explained = await readExplanation(db, actor, input.id, input)
    const nextChange = await readNextChange(db, actor, { ...explained, asIf: input })
    return shownTo(db, actor, { ...explained.price, nextChange })
  },

  async setSpecial({ db, actor, input: { id, version, cents, until, reason, confirmPrices } }) {
    const vehicle = await lockVehicle(db, actor, { id })
    const { price, minute } = await readExplanation(db, actor, id)
    if (isUnseen(price, version)) throw stale('The special price', await shownTo(db, actor, price))
    if (until !== null && until <= minute) {
      throw refused('Some fields are invalid.', { until: "The end must be later than the lot's time now." })
    }
    if (price.base?.field !== 'price') throw conflict('Enter a price for this vehicle first.')
    if (!confirmPrices) {
      const title = [vehicle.year, vehicle.make, vehicle.model].filter(Boolean).join(' ') || 'Vehicle'
      await requirePriceConfirmation(db, actor.customerId, [
        { title, beforeCents: price.sellingCents, afterCents: cents },
      ])
    }
    await sql`insert into vehicle_special_prices (vehicle_id, organization_id, cents, until_minute, reason)
        values (${id}, ${vehicle.organizationId}, ${cents}, ${until}, ${reason})
        on conflict (customer_id, vehicle_id) do update set cents = excluded.cents, until_minute = excluded.until_minute,
          reason = excluded.reason, version = default, set_at = excluded.set_at, set_by = excluded.set_by`.execute(
      db,
    )
    await storePricesNow(db, actor, [id])
    return shownTo(db, actor, (await readExplanation(db, actor, id)).price)
  },

  async endSpecial({ db, actor, input: { id, version } }) {
    await lockVehicle(db, actor, { id })
    const { price } = await readExplanation(db, actor, id)
    if (price.special === null) throw notFound('Special price')
    if (isUnseen(price, version)) throw stale('The special price', await shownTo(db, actor, price))
    await db
      .deleteFrom('vehicleSpecialPrices')
      .where('customerId', '=', actor.customerId)
      .where('vehicleId', '=', id)
      .execute()
    await storePricesNow(db, actor, [id])
    return shownTo(db, actor, (await readExplanation(db, actor, id)).price)
  },
}

/**
 * The next change of the total price, also by a rule whose condition doesn't hold yet, such as one on days in stock. A rule's
 * condition is evaluated by the database, at each minute at which it may begin or end. `before`: later ones don't matter.
 */
async function readNextChange(
  db: Database,
  actor: Member,
  { vehicle, price, minute, asIf, before = null }: Explained & { asIf: AsIf; before?: string | null },
): Promise<VehiclePrice['nextChange']> {
  const rules = await readActiveRules(db, actor.customerId)
  const day = { today: minute.slice(0, 10), inStockOn: vehicle.inStockOn }
  const minutes = rules.flatMap((rule) => laterMinutesOf(rule, day))
  const known = price.nextChange
  if (minutes.length === 0) return known
  // The known one was calculated with the rules that match now.
  const candidates = [...new Set([...minutes, ...(known === null ? [] : [known.minute])])]
    .toSorted()
    .filter((one) => (known === null || one <= known.minute) && (before === null || one < before))
  return keepingTime(db, async () => {
    for (const one of candidates.slice(0, MOST_LATER_MINUTES)) {
      const later = await readExplanation(db, actor, vehicle.id, { ...asIf, minute: one })
      const { totalCents } = later.price
      if (totalCents !== null && totalCents !== price.totalCents) return { minute: one, totalCents }
    }
    return candidates.length > MOST_LATER_MINUTES ? known : null
  })
}

/**
 * The first minute before another one, in the lot's time zone, at which a vehicle is known to have another total price or to lose
 * an offer: by a rule, a fee, a law or its special price. Null if none is known. @throws Failure 404
 */
export async function readPriceEnd(
  db: Database,
  actor: Member,
  { id, before }: { id: string; before: string },
): Promise<string | null> {
  const asIf = { minute: null }
  const explained = await readExplanation(db, actor, id, asIf)
  const next = await readNextChange(db, actor, { ...explained, asIf, before })
  const ends = [next?.minute ?? null, ...explained.price.offers.map(({ until }) => until)]
  return ends.flatMap((end) => (end !== null && end < before ? end : [])).toSorted()[0] ?? null
}

/** Whether someone set another special price than the caller knows. Setting one in place of an ended one loses nothing. */
const isUnseen = ({ special }: VehiclePrice, version: number | null | undefined): boolean =>
  version !== undefined && special !== null && special.version !== version

/** The explanation as this user may read it: nothing tells how a rule on costs is calculated if they don't see costs. */
async function shownTo(db: Database, actor: Member, price: VehiclePrice): Promise<VehiclePrice> {
  const covered = coveredRules(actor, await readActiveRules(db, actor.customerId))
  const linesOf = await linesShownTo(db, actor)
  const isOpen = ({ ruleId }: { ruleId: string }) => !covered.has(ruleId)
  // That a minimum price on costs can't be calculated tells that the cost is missing.
  const isTold = ({ reason }: { reason: string }) => covered.size === 0 || reason !== 'floor'
  return {
    ...price,
    ruleLines: linesOf(price.ruleLines),
    offers: price.offers.map((offer) => (isOpen(offer) ? offer : { ...offer, name: offer.label ?? 'Offer' })),
    skippedRules: price.skippedRules
      .filter((one) => isOpen(one) && isTold(one))
      .map((one) => (one.by === null || isOpen(one.by) ? one : { ...one, by: null })),
  }
}

/** Another minute in the lot's time zone than now, and another price than the vehicle's own. */
type AsIf = { minute: string | null; priceCents?: number | undefined }

type Explained = { vehicle: VehicleRecord; price: VehiclePrice; minute: string }

/** The most later minutes that are evaluated for one vehicle. */
const MOST_LATER_MINUTES = 12

/** @throws Failure 404 */
async function readExplanation(
  db: Database,
  actor: Member,
  id: string,
  { minute, priceCents }: AsIf = { minute: null },
): Promise<Explained> {
  const saved = VehicleRecord.parse(JSON.parse((await readVehicle(db, actor, id)).text))
  const { price: _price, ...provenance } = saved.provenance
  const vehicle = priceCents === undefined ? saved : { ...saved, priceCents, provenance }
  const { costs, zone, special, ...setting } = await readSetting(db, actor, id, { minute, priceCents })
  const priced: PricedVehicle = {
    ...setting,
    priceCents: vehicle.priceCents,
    msrpCents: vehicle.msrpCents,
    condition: vehicle.condition,
    lotId: vehicle.lotId,
    amounts: { ...vehicle, ...costs, special },
  }
  const price = explainPrice(priced, {
    currency: vehicle.currency,
    at: clock.date().toISOString(),
    zone,
    simulatedMinute: minute,
    special,
    costCents: vehicle.costCents,
    marketPriceCents: vehicle.marketPriceCents,
    description: vehicle.description,
    provenance: vehicle.provenance,
  })
  return { vehicle, price, minute: priced.minute }
}

type Setting = Omit<PricedVehicle, 'priceCents' | 'msrpCents' | 'condition' | 'lotId' | 'amounts'> & {
  zone: string
  special: VehiclePrice['special']
  /** Read separately, because rules need them even if the caller may not see them. */
  costs: { costCents: number | null; invoiceCents: number | null }
}

/** What the lot, the rules and the customer decide about a vehicle's price. */
async function readSetting(
  db: Database,
  { customerId }: Member,
  id: string,
  { minute: simulated, priceCents }: AsIf,
): Promise<Setting> {
  await useCustomerTimeZone(db, customerId)
  const lotZone = await readZone(db, customerId, id)
  const active = await readActiveRules(db, customerId)
  const now = simulated === null ? undefined : await simulateTime(db, simulated, lotZone)
  const { rows } = await sql<{
    region: string | null
    lotLaw: PriceLaw | null
    customerLaw: PriceLaw
    zone: string
    minute: string
    ruleIds: string[]
    costCents: number | null
    invoiceCents: number | null
    special: unknown
    fees: unknown
    feeCaps: unknown
    profiles: unknown
  }>`
    select l.region, l.price_law as lot_law, c.price_law as customer_law, z.zone,
      lot_minute(app_now(), z.zone) as minute, ${matchedRules(active, lotZone, now)} as rule_ids,
      v.cost_cents::float8 as cost_cents, v.invoice_cents::float8 as invoice_cents,
      (select jsonb_build_object('cents', s.cents, 'until', s.until_minute, 'reason', s.reason, 'setAt', ${instant(sql`s.set_at`)}, 'setBy', s.set_by,
        'version', s.version)
        from vehicle_special_prices s where s.customer_id = v.customer_id and s.vehicle_id = v.id) as special, c.fees, c.fee_caps, c.price_profiles as profiles
    from vehicles stored cross join lateral jsonb_populate_record(stored, ${priceCents === undefined ? null : JSON.stringify({ price_cents: priceCents })}::jsonb) v
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    join organizations o on o.customer_id = v.customer_id and o.id = v.organization_id
    join customers c on c.id = v.customer_id
    cross join lateral (select coalesce(l.time_zone, o.time_zone, 'UTC') as zone) z
    where stored.customer_id = ${customerId} and stored.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Vehicle')
  const { fees, feeCaps, ruleIds, costCents, invoiceCents, special, ...setting } = found
  return {
    ...setting,
    minute: simulated ?? setting.minute,
    day: (simulated ?? setting.minute).slice(0, 10),
    rules: active.filter((rule) => ruleIds.includes(rule.id)).map(toPriceRule),
    costs: { costCents, invoiceCents },
    special: SpecialPrice.nullable().parse(special),
    // The database has JSON; parsing checks it against the contract.
    fees: MandatoryFee.array().parse(fees),
    caps: FeeCap.array().parse(feeCaps),
    profiles: OwnProfiles.parse(setting.profiles),
  }
}

/** The time zone of a vehicle's lot. @throws Failure 404 */
async function readZone(db: Database, customerId: string, id: string): Promise<string> {
  const { rows } = await sql<{ zone: string }>`
    select coalesce(l.time_zone, o.time_zone, 'UTC') as zone from vehicles v
    join lots l on l.customer_id = v.customer_id and l.organization_id = v.organization_id and l.id = v.lot_id
    join organizations o on o.customer_id = v.customer_id and o.id = v.organization_id
    where v.customer_id = ${customerId} and v.id = ${id}`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Vehicle')
  return found.zone
}
