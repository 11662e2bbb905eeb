import { sql } from 'kysely'
import { changesOf, lawOf, type PriceLaw } from '#contract/customers/details/price-laws.ts'
import type { RulePreview } from '#contract/pricing/rules/pricing-rules.ts'
import type { SettingChange } from '#contract/pricing/rules/rule-requests.ts'
import { clock } from '#server/clock.ts'
import type { PriceConsent } from '#server/customers/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { conflict } from '#server/http/failure.ts'
import type { ZoneConsent } from '#server/organizations/index.ts'
import { readPriceLimits } from '#server/vehicles/index.ts'
import { coveredRules } from '../rules/cost-rules.ts'
import type { LotSetting } from '../rules/lot-settings.ts'
import { requireBoth } from '../rules/rule-consent.ts'
import { type Change, describeComparison } from '../rules/rule-effects.ts'
import { keepingTime, simulateTime } from '../rules/simulated-time.ts'
import { compareNextTotals, type PriceSetting, readPriceSetting } from '../stored/recalculate-prices.ts'

/** The most vehicles whose totals are compared, and the most later days: each is a pass over the stock. */
const MAX_VEHICLES = 100_000
const MAX_DAYS = 6

/** Totals before and after a change of a setting. `day`: the later day on which they are compared; null: now. */
type TotalComparison = Readonly<{
  day: string | null
  changes: readonly Change[]
  compared: number
  /** There are more vehicles, or more days, than were compared. */
  isPartial: boolean
}>

/**
 * Requires approval and the user's confirmation for a change of fees, price laws, time zones or a lot, if it changes more totals
 * than one user may change, or changes them beyond the customer's limits: now, or on a later day on which one of them starts.
 * Raising or removing the limit itself needs approval, too: otherwise it would be the first step of every large change.
 * @throws Failure 409 on `approval`, or on `confirmPrices` with the largest changes and the sum
 */
export const requireSettingConsent: PriceConsent = async (db, actor, change, confirmPrices) => {
  const consent = { confirmPrices, isApproved: false }
  const own = await readPriceLimits(db, actor.customerId)
  const above = own.limits.approvalAbove ?? null
  const wanted = change.kind === 'details' ? change.changes.priceLimits?.approvalAbove : undefined
  if (above !== null && wanted !== undefined && (wanted === null || wanted > above)) {
    throw conflict('Raising or removing "Approval above" needs the approval of a second user.', {
      approval: 'Ask for approval, or leave the limit as it is.',
    })
  }
  if (consent.confirmPrices && above === null) return
  for (const comparison of await compareSetting(db, actor, change)) {
    const verb = comparison.day === null ? 'changes' : 'will change'
    // oxlint-disable-next-line no-await-in-loop -- The first failure is shown.
    await requireBoth(db, actor, { comparison, verb, raises: false }, { consent, own })
  }
}

/** The same for the time zone of an organization. */
export const requireZoneConsent: ZoneConsent = (db, actor, changes, confirmPrices) =>
  requireSettingConsent(db, actor, { kind: 'organization', changes }, confirmPrices)

/** How a change moves totals: now, or on the later day on which most of them change. */
export async function previewSetting(
  db: Database,
  actor: Member,
  change: SettingChange,
): Promise<RulePreview> {
  const [most] = (await compareSetting(db, actor, change)).toSorted(
    (one, other) => other.changes.length - one.changes.length,
  )
  const { day = null, changes = [], compared = 0, isPartial = false } = most ?? {}
  const figures = { lowered: 0, raised: 0, totalCents: 0, offered: 0 }
  const nothing = { skipped: new Map(), held: [], covered: 0, atLimit: 0, own: figures }
  const missing = { count: 0, url: null, vehicles: [] }
  return describeComparison(
    db,
    actor,
    { ...nothing, missing, changes: [...changes], matched: compared, isPartial },
    day,
  )
}

/** Compares now and on each later day on which the change may do something else. Empty if it moves no totals. */
async function compareSetting(
  db: Database,
  actor: Member,
  change: SettingChange,
): Promise<TotalComparison[]> {
  const { rows } = await sql<{ zone: string | null }>`
    select current_setting('app.time_zone', true) as zone`.execute(db)
  const before = await readPriceSetting(db, actor.customerId)
  const after = await settingAfter(db, before, change)
  const hidden = coveredRules(actor, before.rules)
  const comparisons = after === null ? [] : await compareOnDays(db, { pair: [before, after], hidden })
  // Dates in the response are in the user's time zone again.
  await sql`select set_config('app.time_zone', ${rows[0]?.zone ?? ''}, true)`.execute(db)
  return comparisons
}

type Pair = readonly [PriceSetting, PriceSetting]
/** `hidden`: rules on costs, which the user doesn't see. */
type Compared = Readonly<{ pair: Pair; hidden: ReadonlySet<string> }>

async function compareOnDays(db: Database, compared: Compared): Promise<TotalComparison[]> {
  const days = laterDays(compared.pair, clock.today('UTC'))
  const comparisons = [{ day: null, ...(await compareTotals(db, compared)) }]
  const later = []
  for (const day of days.slice(0, MAX_DAYS)) {
    // oxlint-disable-next-line no-await-in-loop -- One day after the other, each in batches.
    later.push({ day, ...(await compareOn(db, compared, day)) })
  }
  if (days.length > MAX_DAYS) for (const one of later) one.isPartial = true
  return [...comparisons, ...later]
}

/** On a day in the time zone of each lot. */
function compareOn(db: Database, { pair: [before, after], hidden }: Compared, day: string) {
  return keepingTime(db, async () => {
    const minute = `${day}T00:00`
    // The same date at every lot.
    const now = await simulateTime(db, minute, 'UTC')
    const then = (setting: PriceSetting): PriceSetting => ({
      ...setting,
      now,
      zone: 'UTC',
      lots: new Map([...setting.lots].map(([id, lot]) => [id, { ...lot, minute }])),
    })
    return compareTotals(db, { pair: [then(before), then(after)], hidden })
  })
}

async function compareTotals(
  db: Database,
  { pair, hidden }: Compared,
): Promise<{ changes: Change[]; compared: number; isPartial: boolean }> {
  const changes: Change[] = []
  let [compared, last] = [0, '0']
  while (compared < MAX_VEHICLES) {
    // oxlint-disable-next-line no-await-in-loop -- One batch after the other bounds the memory and each statement.
    const totals = await compareNextTotals(db, pair, last)
    if (totals.length === 0) return { changes, compared, isPartial: false }
    for (const { id, before, after, ruleIds } of totals) {
      if (before === null || after === null || before === after) continue
      const isCovered = ruleIds.some((one) => hidden.has(one))
      changes.push({ vehicleId: id, beforeCents: before, afterCents: after, isLimited: false, isCovered })
    }
    compared += totals.length
    last = totals.at(-1)?.id ?? last
  }
  return { changes, compared, isPartial: true }
}

/** The days from today on at which something starts that differs between the two. Ascending. */
function laterDays([before, after]: Pair, today: string): string[] {
  const keys = (list: readonly object[]) => new Set(list.map((one) => JSON.stringify(one)))
  const differing = <T extends { from: string | null }>(one: readonly T[], other: readonly T[]) => {
    const [mine, theirs] = [keys(one), keys(other)]
    return [
      ...one.filter((entry) => !theirs.has(JSON.stringify(entry))),
      ...other.filter((entry) => !mine.has(JSON.stringify(entry))),
    ].flatMap(({ from }) => from ?? [])
  }
  const laws = (setting: PriceSetting): PriceLaw[] =>
    [...setting.lots.values()].map((lot) => lawOf({ ...lot, customerLaw: setting.customerLaw }).law)
  const hasOtherLaws = laws(before).join() !== laws(after).join()
  const ofLaws = hasOtherLaws
    ? [before, after].flatMap((setting) =>
        laws(setting).flatMap((law) => changesOf(law, today, setting.profiles)),
      )
    : []
  const days = [
    ...differing(before.fees, after.fees),
    ...differing(before.profiles, after.profiles),
    ...ofLaws,
  ]
  return [...new Set(days)].filter((day) => day >= today).toSorted()
}

/** What totals depend on after a change; null if it stays the same. */
async function settingAfter(
  db: Database,
  before: PriceSetting,
  change: SettingChange,
): Promise<PriceSetting | null> {
  const after =
    change.kind === 'details'
      ? {
          ...before,
          fees: change.changes.fees ?? before.fees,
          profiles: change.changes.priceProfiles ?? before.profiles,
          customerLaw: change.changes.priceLaw ?? before.customerLaw,
        }
      : withLots(before, await readLotsAfter(db, before.customerId, change))
  const decisive = ({ fees, profiles, customerLaw, lots }: PriceSetting) =>
    JSON.stringify([
      fees,
      profiles,
      customerLaw,
      [...lots].map(([id, { region, lotLaw, zone: own }]) => [id, region, lotLaw, own]),
    ])
  return decisive(before) === decisive(after) ? null : after
}

/** Conditions with dates follow the clocks of the lots. */
function withLots(setting: PriceSetting, lots: PriceSetting['lots']): PriceSetting {
  const zone = Map.groupBy(lots, ([, one]) => one.zone)
  const zones = new Map([...zone].map(([name, of]) => [name, of.map(([id]) => id)]))
  return { ...setting, lots, zone: zones.size === 0 ? setting.zone : zones }
}

/** The lots as they would be. */
async function readLotsAfter(
  db: Database,
  customerId: string,
  change: Exclude<SettingChange, { kind: 'details' }>,
): Promise<ReadonlyMap<string, LotSetting>> {
  const lot = change.kind === 'lot' ? change.changes : null
  const organization = change.kind === 'organization' ? change.changes : null
  const values = JSON.stringify({
    region: lot?.region,
    price_law: lot?.priceLaw,
    time_zone: lot?.timeZone,
    organization_id: lot?.organizationId,
  })
  const { rows } = await sql<LotSetting & { id: string }>`
    select l.id::text, x.region, x.price_law as lot_law, z.zone, lot_minute(app_now(), z.zone) as minute
    from lots l
    cross join lateral jsonb_populate_record(l, case when l.id = ${lot?.id ?? null}::bigint
      then ${values}::jsonb else '{}'::jsonb end) x
    join organizations o on o.customer_id = l.customer_id and o.id = x.organization_id
    cross join lateral (select coalesce(x.time_zone, case when o.id = ${organization?.id ?? null}::bigint
      then ${organization?.timeZone ?? null}::text end, o.time_zone, 'UTC') as zone) z
    where l.customer_id = ${customerId} order by l.id`.execute(db)
  return new Map(rows.map(({ id, ...setting }) => [id, setting]))
}
