import { sql, type RawBuilder } from 'kysely'
import { isOutOfStock, isPublishedOnLot } from '#server/vehicles/index.ts'
import { z } from 'zod'
import { CustomerDetails } from '#contract/customers/details/details.ts'
import { MandatoryFee } from '#contract/customers/details/fees.ts'
import { OwnProfiles, type OwnProfile, type PriceLaw } from '#contract/customers/details/price-laws.ts'
import {
  currentPrice,
  type CurrentPrice,
  priceAt,
  type PricedVehicle,
} from '#contract/pricing/totals/price-explanation.ts'
import { type PriceQuote, priceQuote } from '#contract/pricing/totals/price-quote.ts'
import type { PriceFacts, PriceRule } from '#contract/pricing/rules/price-rule.ts'
import { timeUseOf } from '#contract/pricing/rules/rule-conditions.ts'
import type { PricingRule } from '#contract/pricing/rules/pricing-rules.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { type LotZones, useLotTimeZones } from '#server/customers/index.ts'
import { type LotSetting, readLotSettings } from '../rules/lot-settings.ts'
import { advertiseOnSite, type SiteSetting } from './advertise-on-site.ts'
import { specialPrice, matchedRules, matchesAny, readActiveRules, toPriceRule } from '../rules/rule-rows.ts'

/** Vehicles that are gone have no price for buyers. */
const isGone = isOutOfStock('v')

/** Vehicles per transaction: short enough that users who save one of them hardly wait. */
export const PRICE_BATCH = 5_000

/** What all prices of a customer depend on; valid within a transaction. */
export type PriceSetting = Readonly<{
  customerId: string
  /** For conditions with dates. */
  zone: LotZones
  rules: readonly PricingRule[]
  priceRules: ReadonlyMap<string, PriceRule>
  /** By ID. */
  lots: ReadonlyMap<string, LotSetting>
  customerLaw: PriceLaw
  currency: string
  /** The public site that shows the prices of published vehicles, and what it shows beside them. */
  site: Pick<SiteSetting, 'domain' | 'disclaimers'> | null
  fees: readonly MandatoryFee[]
  profiles: readonly OwnProfile[]
  /** The next midnight at one of the lots, if a condition depends on the date: then all prices are due. */
  midnight: string | null
  /** A simulated moment, for conditions that depend on the date. */
  now?: Date
}>

/** Reads rules, fees and lots. Sets the customer's time zone for the transaction. */
export async function readPriceSetting(db: Database, customerId: string): Promise<PriceSetting> {
  const zone = await useLotTimeZones(db, customerId)
  const zones = typeof zone === 'string' ? [zone] : [...zone.keys()]
  const rules = await readActiveRules(db, customerId)
  const { rows } = await sql<{
    law: PriceLaw
    currency: string
    domain: string | null
    disclaimers: unknown
    fees: unknown
    profiles: unknown
    midnight: string
  }>`select price_law as law, currency, fees, price_profiles as profiles, disclaimers,
      (select w.domain from white_labels w where w.customer_id = c.id and w.purpose = 'public' and w.verified_at is not null
        order by w.id limit 1) as domain,
      (select min((today(z) + 1)::timestamp at time zone z)::text from unnest(${zones}::text[]) z) as midnight
    from customers c where id = ${customerId}`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The customer does not exist.')
  return {
    customerId,
    zone,
    rules,
    priceRules: new Map(rules.map((rule) => [rule.id, toPriceRule(rule)])),
    lots: await readLotSettings(db, customerId),
    customerLaw: found.law,
    currency: found.currency,
    site:
      found.domain === null
        ? null
        : { domain: found.domain, disclaimers: CustomerDetails.shape.disclaimers.parse(found.disclaimers) },
    fees: MandatoryFee.array().parse(found.fees),
    profiles: OwnProfiles.parse(found.profiles),
    midnight: rules.some(({ condition }) => timeUseOf(condition).usesDates) ? found.midnight : null,
  }
}

/** The vehicles that one of these conditions of rules matches. */
export const Matching = z.array(z.object({ lotIds: z.array(z.string()), condition: z.string() }))
export type Matching = z.output<typeof Matching>

/** Vehicles by ID, or the next ones in stock after an ID. */
type Which = Readonly<{ ids: readonly string[] } | { after: string }>
/** Other prices by ID, as if a user had set them. */
type AsIf = Readonly<{ prices: ReadonlyMap<string, number> }>

type Row = PriceFacts & {
  id: string
  isGone: boolean
  /** Buyers see it on the public site, if there is one. */
  isPublished: boolean
  condition: string
  lotId: string
  ruleIds: string[]
  storedSelling: number | null
  storedTotal: number | null
  storedRules: string[] | null
  storedUntil: string | null
}

/** What is stored of a price, with the boundary as a minute in the lot's time zone. */
type Stored = CurrentPrice & { id: string; zone: string; isChanged: boolean }

type Options = Readonly<{
  /** Rows that another transaction holds are skipped: that transaction requested them again. */
  skipsLocked: boolean
  /** Also notes what the public site shows; otherwise the background does. */
  advertises: boolean
  /** Who or what changed the prices, by vehicle and for all; without them, the user of this transaction. */
  causes?: PriceCauses
}>

/** Causes as `price_cause()` makes them. */
export type PriceCauses = Readonly<{
  all: readonly unknown[]
  byVehicle: ReadonlyMap<string, readonly unknown[]>
}>

/**
 * Evaluates the prices of some vehicles and stores those that differ.
 * @returns the IDs of the vehicles that were read, ascending.
 */
export async function recalculatePrices(
  db: Database,
  setting: PriceSetting,
  which: Which,
  options: Options,
): Promise<string[]> {
  const rows = await readRows(db, setting, which)
  const changed = rows.flatMap((row) => changeOf(row, setting))
  if (changed.length > 0) await storePrices(db, setting, changed, options)
  const { advertises } = options
  const { site, customerId, currency } = setting
  if (advertises && site !== null && rows.length > 0) {
    const quotes = new Map(rows.map((row) => [row.id, shownOnSite(row, setting)]))
    await advertiseOnSite(db, { customerId, currency, ...site }, quotes)
  }
  return rows.map(({ id }) => id)
}

type Prices = Pick<CurrentPrice, 'sellingCents' | 'totalCents'>

/** Of a vehicle: what buyers pay with one setting and with another; null where it has no price. */
type TwoTotals = Readonly<{
  id: string
  before: number | null
  after: number | null
  /** The rules that match it in one of them. */
  ruleIds: readonly string[]
}>

/** What buyers pay for the next vehicles in stock after an ID with one setting, and would with another. Stores nothing. */
export async function compareNextTotals(
  db: Database,
  [one, other]: readonly [PriceSetting, PriceSetting],
  after: string,
): Promise<TwoTotals[]> {
  const rows = await readRows(db, one, { after })
  const others = new Map((await readRows(db, other, { after })).map((row) => [row.id, row]))
  return rows.map((row) => {
    const then = others.get(row.id) ?? row
    const ruleIds = [...row.ruleIds, ...then.ruleIds]
    return { id: row.id, before: totalOf(row, one), after: totalOf(then, other), ruleIds }
  })
}

function totalOf(row: Row, setting: PriceSetting): number | null {
  const lot = setting.lots.get(row.lotId)
  if (lot === undefined || row.isGone || row.priceCents === null) return null
  return priceAt(pricedVehicle(row, lot, setting), lot.minute)?.total.totalCents ?? null
}

/** What buyers pay for vehicles now, or would with other prices. Stores nothing. Vehicles out of stock or out of reach are missing. */
export async function readCurrentPrices(
  db: Database,
  setting: PriceSetting,
  which: Which | AsIf,
): Promise<ReadonlyMap<string, Prices>> {
  const rows = await readRows(db, setting, which)
  return new Map(
    rows.flatMap((row) => {
      const lot = setting.lots.get(row.lotId)
      if (lot === undefined || row.isGone) return []
      const vehicle = pricedVehicle(row, lot, setting)
      const price = row.priceCents === null ? null : priceAt(vehicle, vehicle.minute)
      const totals = price?.total ?? { sellingCents: null, totalCents: null }
      return [[row.id, { sellingCents: totals.sellingCents, totalCents: totals.totalCents }]]
    }),
  )
}

/**
 * The vehicles are chosen first, along their primary key, and each stored price is looked up by its key. As plain joins, the
 * planner reads and sorts all vehicles and prices of the customer for every batch, because it can't know how row-level
 * security and the conditions narrow them.
 */
async function readRows(db: Database, setting: PriceSetting, which: Which | AsIf): Promise<Row[]> {
  const { customerId, zone, rules, now } = setting
  const page = pageOf(customerId, which)
  const { rows } = await sql<Row>`
    with page as materialized (${page})
    select v.id::text, ${isGone} as is_gone, coalesce(${isPublishedOnLot}, false) as is_published, v.condition, v.lot_id::text as lot_id, ${matchedRules(rules, zone, now)} as rule_ids,
      v.price_cents::float8 as price_cents, v.msrp_cents::float8 as msrp_cents, v.feed_price_cents::float8 as feed_price_cents,
      v.market_price_cents::float8 as market_price_cents, v.invoice_cents::float8 as invoice_cents,
      v.cost_cents::float8 as cost_cents, v.in_stock_on::text as in_stock_on, ${specialPrice} as special,
      p.selling_cents::float8 as stored_selling, p.total_cents::float8 as stored_total, p.rule_ids::text[] as stored_rules,
      case when p.valid_until = '-infinity' then 'never' when p.valid_until <= app_now() then 'due'
        else p.valid_until::text end as stored_until
    from page v
    left join lots l on l.customer_id = ${customerId} and l.organization_id = v.organization_id and l.id = v.lot_id
    left join lateral (select * from vehicle_prices where customer_id = ${customerId} and vehicle_id = v.id offset 0) p on true
    order by v.id`.execute(db)
  return rows
}

function pageOf(customerId: string, which: Which | AsIf): RawBuilder<unknown> {
  if ('prices' in which) return pageAsIf(customerId, which.prices)
  return 'ids' in which ? pageOfIds(customerId, which.ids) : pageAfter(customerId, which.after)
}

/** A user who sets a price locks it, and answers what the feed asked. Conditions of rules may name both. */
const pageAsIf = (customerId: string, prices: ReadonlyMap<string, number>): RawBuilder<unknown> =>
  sql`select o.* from unnest(${[...prices.keys()]}::bigint[], ${[...prices.values()]}::bigint[]) chosen (id, cents)
    cross join lateral (select w as r, w.locked from vehicles w where w.customer_id = ${customerId} and w.id = chosen.id offset 0) s
    cross join lateral jsonb_populate_record(s.r, jsonb_build_object('price_cents', chosen.cents, 'asks_price', false,
      'locked', array_append(array_remove(s.locked, 'price'), 'price'))) o`

const pageOfIds = (customerId: string, ids: readonly string[]): RawBuilder<unknown> =>
  sql`select v.* from unnest(${ids}::bigint[]) chosen (id) cross join lateral (
    select * from vehicles where customer_id = ${customerId} and id = chosen.id offset 0) v`

const pageAfter = (customerId: string, after: string): RawBuilder<unknown> =>
  sql`select v.* from vehicles v where v.customer_id = ${customerId} and v.id > ${after} and not ${isGone}
    order by v.id limit ${sql.lit(PRICE_BATCH)}`

/** How many vehicles are looked through for matching ones at first, and at most, in one transaction. */
export const FIRST_WINDOW = 20_000
const MAX_WINDOW = 320_000
/** A window grows at most to this multiple of the one before, because matching vehicles may lie close together. */
const GROWTH = 4

/** How far a calculation of many prices got. `after`: the vehicle after which to continue; null at the end. */
type Progress = Readonly<{ after: string | null; window: number }>

/** Calculates the prices of the next batch of vehicles in stock. @returns the ID after which to continue; null at the end. */
export async function recalculateNext(
  db: Database,
  setting: PriceSetting,
  after: string,
  options: Options,
): Promise<string | null> {
  const done = await recalculatePrices(db, setting, { after }, options)
  return done.length < PRICE_BATCH ? null : (done.at(-1) ?? null)
}

/**
 * Calculates the prices of the next vehicles in stock that match: at most a batch, of the next `window` vehicles. The window
 * that is returned should find about one batch, so that a rule for few vehicles reads many of them at once.
 */
export async function recalculateMatching(
  db: Database,
  setting: PriceSetting,
  { after, window, matching }: { after: string; window: number; matching: Matching },
  options: Options,
): Promise<Progress> {
  const { looked, last, ids } = await findMatching(db, setting, { after, window, matching })
  const batch = ids.slice(0, PRICE_BATCH)
  if (batch.length > 0) await recalculatePrices(db, setting, { ids: batch }, options)
  const isCut = ids.length > batch.length
  const expected = Math.ceil((looked / Math.max(ids.length, 1)) * PRICE_BATCH)
  const next = Math.min(expected, window * GROWTH, MAX_WINDOW)
  if (isCut) return { after: batch.at(-1) ?? null, window: next }
  return { after: looked < window ? null : last, window: Math.max(next, PRICE_BATCH) }
}

/**
 * The matching ones of the next vehicles in stock, in one pass along the primary key. `last`: the last one that was looked at.
 */
async function findMatching(
  db: Database,
  { customerId, zone }: PriceSetting,
  { after, window, matching }: { after: string; window: number; matching: Matching },
): Promise<{ looked: number; last: string | null; ids: string[] }> {
  const { rows } = await sql<{ looked: number; last: string | null; ids: string[] | null }>`
    select count(*)::int as looked, max(v.id)::text as last,
      array_agg(v.id::text order by v.id) filter (where ${matchesAny(matching, zone)}) as ids
    from (select v.* from vehicles v where v.customer_id = ${customerId} and v.id > ${after} and not ${isGone}
      order by v.id limit ${sql.lit(window)}) v
    left join lots l on l.customer_id = ${customerId} and l.organization_id = v.organization_id and l.id = v.lot_id`.execute(
    db,
  )
  const { looked, last, ids } = rows[0] ?? { looked: 0, last: null, ids: null }
  return { looked, last, ids: ids ?? [] }
}

/** What to store for a vehicle, if it may differ from what is stored. */
function changeOf(row: Row, setting: PriceSetting): Stored[] {
  const { id, storedSelling, storedTotal, storedRules, storedUntil } = row
  const lot = setting.lots.get(row.lotId)
  // Row-level security shows a vehicle and its lot together.
  if (lot === undefined || storedRules === null) return []
  const price = row.isGone
    ? { sellingCents: null, totalCents: null, rules: [], until: null }
    : currentPrice(pricedVehicle(row, lot, setting))
  const isChanged = price.sellingCents !== storedSelling || price.totalCents !== storedTotal
  const isStored =
    !isChanged &&
    price.until === null &&
    storedUntil === null &&
    storedRules.join() === price.rules.map((rule) => rule.id).join()
  return isStored ? [] : [{ ...price, id, zone: lot.zone, isChanged }]
}

function pricedVehicle(row: Row, lot: LotSetting, setting: PriceSetting): PricedVehicle {
  const { customerLaw, priceRules, fees, profiles } = setting
  const rules = row.ruleIds.flatMap((rule) => priceRules.get(rule) ?? [])
  const day = lot.minute.slice(0, 10)
  return { ...row, ...lot, customerLaw, day, fees, profiles, caps: [], rules, amounts: row }
}

/** What the vehicle's page shows; null without a page. */
function shownOnSite(row: Row, setting: PriceSetting): PriceQuote | null {
  const lot = setting.lots.get(row.lotId)
  return lot !== undefined && row.isPublished ? priceQuote(pricedVehicle(row, lot, setting)) : null
}

/** Stores prices, and a history row for each that changed. A boundary in the past, as after a change of a zone, is due again at once. */
async function storePrices(
  db: Database,
  { customerId }: PriceSetting,
  prices: readonly Stored[],
  { skipsLocked, causes }: Options,
): Promise<void> {
  const column = <T>(of: (price: Stored) => T): T[] => prices.map(of)
  const causesOf = ({ id }: Stored): string | null =>
    causes === undefined ? null : JSON.stringify([...(causes.byVehicle.get(id) ?? []), ...causes.all])
  await sql`
    with given as (
      select * from unnest(${column(({ id }) => id)}::bigint[], ${column(({ sellingCents }) => sellingCents)}::bigint[],
        ${column(({ totalCents }) => totalCents)}::bigint[], ${column(({ rules }) => `{${rules.map(({ id }) => id).join()}}`)}::text[],
        ${column(({ rules }) => JSON.stringify(rules))}::text[], ${column(({ until }) => until)}::text[], ${column(({ zone }) => zone)}::text[],
        ${column(({ isChanged }) => isChanged)}::boolean[], ${column(causesOf)}::text[]) g (id, selling, total, rule_ids, rules, until, zone,
        is_changed, causes)
    ), moments as materialized (
      select until, zone, lot_moment(until, zone) as at from (select distinct until, zone from given where until is not null) d
    ), free as (
      select p.vehicle_id from vehicle_prices p where p.customer_id = ${customerId} and p.vehicle_id in (select id from given)
      order by p.vehicle_id for update ${skipsLocked ? sql`skip locked` : sql``}
    ), wanted as (
      select g.*, case when g.selling is not null and m.at is not null
        then greatest(m.at, app_now() + interval '1 second') end as valid_until
      from given g join free f on f.vehicle_id = g.id left join moments m on m.until = g.until and m.zone = g.zone
    ), stored as (
      update vehicle_prices p set selling_cents = w.selling, total_cents = w.total, rule_ids = w.rule_ids::bigint[],
        valid_until = w.valid_until
      from wanted w where p.customer_id = ${customerId} and p.vehicle_id = w.id
        and (p.selling_cents, p.total_cents, p.rule_ids, p.valid_until) is distinct from (w.selling, w.total, w.rule_ids::bigint[], w.valid_until)
      returning p.vehicle_id, p.organization_id, w.selling, w.total, w.rules, w.is_changed, w.causes
    )
    insert into vehicle_price_history (customer_id, organization_id, vehicle_id, selling_cents, total_cents, rules, causes)
    select ${customerId}, organization_id, vehicle_id, selling, total, rules::jsonb, coalesce(causes::jsonb, jsonb_build_array(price_cause()))
    from stored where is_changed
    order by vehicle_id`.execute(db)
}
