import { sql } from 'kysely'
import type { baseYear, BaseYearNotice } from '#contract/carbon/inventories/base-year.ts'
import { Figure, showFigure } from '#contract/carbon/factors/figure.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { Returned } from '#contract/endpoint.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { conflict, notFound } from '#server/http/failure.ts'
import type { Handlers } from '#server/http/serve.ts'
import { instant } from '#server/lists/json-text.ts'
import { findInventory } from '../find-inventory.ts'
import { lockInventoryRow } from '../../staleness/lock-inventory-row.ts'

/** The recalculation notices of base years. */
export const baseYearHandlers: Handlers<typeof baseYear> = {
  get: ({ db, input }) => readState(db, input.inventory),

  async dismiss({ db, input: { inventory, reason, newLocation } }) {
    await lockInventoryRow(db, inventory)
    const { notice } = await readState(db, inventory)
    if (notice === null) throw notFound('Recalculation notice')
    if (notice.dismissedAt !== null) throw conflict('This notice was already dismissed.')
    if (newLocation !== undefined && newLocation !== notice.newLocation)
      throw conflict(
        `The recalculated total is ${showFigure(notice.newLocation)} kg CO2e now. Review the notice again.`,
      )
    await sql`update base_year_notices set dismissed_at = app_now(), dismissed_reason = ${reason},
        dismissed_by = nullif(current_setting('app.actor_name', true), '')
      where inventory_id = ${inventory}`.execute(db)
    return readState(db, inventory)
  },
}

type Stored = Omit<BaseYearNotice, 'explanation' | 'percent' | 'marketPercent'> & { factorLocation: string }

/** A restated inventory has no notice: its restatement is the recalculated base year. @throws Failure 404 */
async function readState(db: Database, inventoryId: string): Promise<Returned<typeof baseYear.get>> {
  await findInventory(db, inventoryId)
  const { rows: checks } =
    await sql`select from base_year_checks where inventory_id = ${inventoryId}`.execute(db)
  const { rows } = await sql<Stored>`
    select n.inventory_id::text, i.name as inventory_name, n.as_of::text, trim_scale(n.location)::text as location,
      trim_scale(n.market)::text as market, trim_scale(n.new_location)::text as new_location,
      trim_scale(n.new_market)::text as new_market, trim_scale(n.factor_location)::text as factor_location,
      trim_scale(i.recalculation_threshold)::text as threshold, ${instant(sql`n.raised_at`)} as raised_at,
      ${instant(sql`n.dismissed_at`)} as dismissed_at, n.dismissed_by, n.dismissed_reason,
      coalesce((select json_agg(json_build_object('facilityId', x."facilityId", 'facilityName',
            coalesce(s.name, f.name, 'Facility ' || x."facilityId"), 'before', x.before, 'after', x.after, 'reason', x.reason)
          order by abs(x.after::numeric - x.before::numeric) desc, x."facilityId")
        from jsonb_to_recordset(n.facilities) as x("facilityId" text, before text, after text, reason text)
        left join facilities f on f.customer_id = n.customer_id and f.id = x."facilityId"::bigint
        left join inventory_facility_snapshots s on s.customer_id = n.customer_id and s.inventory_id = n.inventory_id
          and s.facility_id = x."facilityId"::bigint), '[]') as facilities
    from base_year_notices n join carbon_inventories i on i.customer_id = n.customer_id and i.id = n.inventory_id
    where n.inventory_id = ${inventoryId} and i.is_base_year and i.status <> 'restated'`.execute(db)
  const [stored] = rows
  return { notice: stored === undefined ? null : describe(stored), isPending: checks.length > 0 }
}

function describe({ factorLocation, ...stored }: Stored): BaseYearNotice {
  const { location, newLocation, market, newMarket, asOf } = stored
  const factors = new Figure(factorLocation).minus(location)
  const boundary = new Figure(newLocation).minus(factorLocation)
  const onlyMarket = factors.isZero() && boundary.isZero()
  return {
    ...stored,
    percent: percentOf(location, newLocation),
    marketPercent: percentOf(market, newMarket),
    explanation: [
      ...(boundary.isZero()
        ? []
        : [
            `With the boundary of ${writeDay(asOf)} for the whole base year, the total changes by ${signed(boundary)} kg CO2e.`,
          ]),
      ...(factors.isZero()
        ? []
        : [`With today's emission factors, the total changes by ${signed(factors)} kg CO2e.`]),
      ...(onlyMarket
        ? [
            `The market-based total changes by ${signed(new Figure(newMarket).minus(market))} kg CO2e; the location-based one stays.`,
          ]
        : []),
    ],
  }
}

/** The change in percent, with one decimal; null if it was 0. */
function percentOf(before: string, after: string): string | null {
  const was = new Figure(before)
  return was.isZero() ? null : new Figure(after).minus(was).times(100).dividedBy(was).toFixed(1)
}

const signed = (kg: Figure): string =>
  kg.isNegative() ? `\u2212${showFigure(kg.abs())}` : `+${showFigure(kg)}`
