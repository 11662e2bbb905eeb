import { sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { tenantToday } from '#server/database/tenant-today.ts'
import {
  allowLongStatements,
  inTenant,
  type Database,
  type TenantScope,
} from '#server/database/tenant-transaction.ts'
import { calculateEmissions } from '../../calculation/calculate.ts'
import { recordsOf } from '../../calculation/group-records.ts'
import { planForMany } from '../../calculation/recalculate.ts'
import { TOTAL_COLUMNS } from '../../calculation/result-rows.ts'
import type { Span } from '../../calculation/read-facilities.ts'
import { readFigures } from '../coverage.ts'
import { findAcquired } from './acquired-facilities.ts'
import { readBoundaries } from './current-boundary.ts'

/** Longer than the largest inventory takes. */
const CHECK_MS = 600_000

/**
 * Checks the base years that a change of a facility or a factor may affect, one transaction each. A failure doesn't stop
 * the others.
 * @param queue connection pool that can only read which base years are due.
 */
export async function checkDueBaseYears(queue: pg.Pool, pool: pg.Pool): Promise<void> {
  const { rows } = await queue.query<{ customer_id: string; organization_id: string; inventory_id: string }>(
    'select customer_id, organization_id, inventory_id from base_year_checks order by since',
  )
  const failed: unknown[] = []
  for (const row of rows) {
    const scope: TenantScope = {
      customerId: row.customer_id,
      organizationId: row.organization_id,
      reach: 'organization',
      actorUserId: null,
      actorName: null,
      effectiveUserId: null,
      effectiveName: null,
      endpoint: 'carbon-base-year',
      isReadOnly: false,
    }
    // oxlint-disable-next-line no-await-in-loop -- Each is a full calculation of a year.
    await inTenant(pool, scope, (db) => checkBaseYear(db, row.inventory_id)).catch((error: unknown) => {
      failed.push(error)
    })
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Some base years could not be checked.')
}

type Sums = { location: Figure; market: Figure; facilities: ReadonlyMap<string, Figure> }
type BaseYear = { threshold: string; asOf: string }

/** Raises the notice of a frozen base year if its total would change by more than its threshold, or else removes it. */
async function checkBaseYear(db: Database, inventoryId: string): Promise<void> {
  await allowLongStatements(db, CHECK_MS)
  const { rows } = await sql<BaseYear>`
    select trim_scale(recalculation_threshold)::text as threshold, greatest(${tenantToday}, period_end)::text as as_of
    from carbon_inventories where id = ${inventoryId} and is_base_year and status in ('approved', 'locked')
    for no key update`.execute(db)
  await db.deleteFrom('baseYearChecks').where('inventoryId', '=', inventoryId).execute()
  const [inventory] = rows
  if (inventory === undefined) return
  const { asOf, threshold } = inventory
  const { figures, facilities } = await recalculateBaseYear(db, inventoryId, asOf)
  const isBeyond =
    exceeds(figures.location, figures.newLocation, threshold) ||
    exceeds(figures.market, figures.newMarket, threshold)
  if (isBeyond) await raiseNotice(db, inventoryId, { asOf, facilities, figures })
  else await db.deleteFrom('baseYearNotices').where('inventoryId', '=', inventoryId).execute()
}

/** The totals of a base year as approved, with the factors of today, and with the boundary of a day as well. */
async function recalculateBaseYear(
  db: Database,
  inventoryId: string,
  asOf: string,
): Promise<Omit<Raised, 'asOf'>> {
  const { approved, current, reasons } = await readBoundaries(db, inventoryId, asOf)
  await planForMany(db)
  const stored = await readSums(
    db,
    sql`select facility_id, method, kg from calculation_totals where inventory_id = ${inventoryId}`,
  )
  const withFactors = await recalculateWith(db, inventoryId, approved)
  const withBoundary = await recalculateWith(db, inventoryId, current)
  await sql`select set_config('enable_nestloop', 'on', true), set_config('enable_mergejoin', 'on', true)`.execute(
    db,
  )
  const acquired = await findAcquired(db, inventoryId, asOf)
  // Imported totals are reported figures, which no factor or boundary changes.
  const reported = (await readFigures(db, [inventoryId])).get(inventoryId)
  const imported = new Figure(reported?.imported ?? 0)
  const importedMarket = new Figure(reported?.importedMarket ?? 0)
  const added = (of: 'location' | 'market') => acquired.reduce((sum, one) => sum.plus(one[of]), new Figure(0))
  return {
    figures: {
      location: stored.location.plus(imported),
      market: stored.market.plus(importedMarket),
      factorLocation: withFactors.location.plus(imported),
      factorMarket: withFactors.market.plus(importedMarket),
      newLocation: withBoundary.location.plus(imported).plus(added('location')),
      newMarket: withBoundary.market.plus(importedMarket).plus(added('market')),
    },
    facilities: [
      ...changedFacilities(stored, withBoundary, reasons),
      ...acquired.map(({ facilityId, location, reason }) => ({
        facilityId,
        before: '0',
        after: location,
        reason,
      })),
    ],
  }
}

/** Whether a total changes by more than a percentage of it. */
function exceeds(before: Figure, after: Figure, percent: string): boolean {
  return after.minus(before).abs().times(100).greaterThan(before.abs().times(percent))
}

type Changed = { facilityId: string; before: string; after: string; reason: string }

function changedFacilities(before: Sums, after: Sums, reasons: ReadonlyMap<string, string>): Changed[] {
  const ids = [...new Set([...before.facilities.keys(), ...after.facilities.keys()])]
  return ids.flatMap((facilityId) => {
    const [was, is] = [before, after].map(({ facilities }) => facilities.get(facilityId) ?? new Figure(0))
    if (was === undefined || is === undefined || was.minus(is).abs().lessThan('0.000001')) return []
    const reason = reasons.get(facilityId) ?? 'Emission factors changed.'
    return [{ facilityId, before: plain(was), after: plain(is), reason }]
  })
}

/** What the inventory would emit with these inclusion percentages and the factors of today. Saves nothing. */
async function recalculateWith(db: Database, inventoryId: string, spans: readonly Span[]): Promise<Sums> {
  const { rows: sources } = await sql<{ id: string }>`
    select id::text from emission_sources where inventory_id = ${inventoryId} order by id`.execute(db)
  const sourceIds = sources.map(({ id }) => id)
  const results = await calculateEmissions(db, {
    inventoryId,
    sourceIds,
    records: recordsOf(sourceIds),
    spans,
    assignLineIds: (lines) => Promise.resolve(lines.map((_line, at) => String(at))),
  })
  return readSums(
    db,
    sql`select facility_id, method, kg from (${results.totals}) t(${TOTAL_COLUMNS})`,
    results.parts,
  )
}

async function readSums(db: Database, rows: RawBuilder<unknown>, parts?: RawBuilder<unknown>): Promise<Sums> {
  const { rows: found } = await sql<{ facilityId: string; location: string; market: string }>`
    ${parts === undefined ? sql`` : sql`with ${parts}`}
    select k.facility_id::text, trim_scale(coalesce(sum(k.kg) filter (where k.method is distinct from 'market'), 0))::text as location,
      trim_scale(coalesce(sum(k.kg) filter (where k.method is distinct from 'location'), 0))::text as market
    from (${rows}) k group by k.facility_id`.execute(db)
  const sum = (of: 'location' | 'market') => found.reduce((total, row) => total.plus(row[of]), new Figure(0))
  return {
    location: sum('location'),
    market: sum('market'),
    facilities: new Map(found.map(({ facilityId, location }) => [facilityId, new Figure(location)])),
  }
}

type Raised = {
  asOf: string
  facilities: readonly Changed[]
  figures: Record<
    'location' | 'market' | 'factorLocation' | 'factorMarket' | 'newLocation' | 'newMarket',
    Figure
  >
}

/** A dismissed notice stays dismissed as long as the changed totals are the same, to the gram. */
async function raiseNotice(
  db: Database,
  inventoryId: string,
  { asOf, facilities, figures }: Raised,
): Promise<void> {
  const { location, market, factorLocation, factorMarket, newLocation, newMarket } = figures
  const former = await db
    .selectFrom('baseYearNotices')
    .select(['newLocation', 'newMarket'])
    .where('inventoryId', '=', inventoryId)
    .executeTakeFirst()
  const isKnown =
    former !== undefined &&
    newLocation.minus(former.newLocation).abs().lessThan('0.001') &&
    newMarket.minus(former.newMarket).abs().lessThan('0.001')
  if (isKnown) return
  await db.deleteFrom('baseYearNotices').where('inventoryId', '=', inventoryId).execute()
  await sql`insert into base_year_notices (organization_id, inventory_id, as_of, location, market, factor_location,
      factor_market, new_location, new_market, facilities)
    select organization_id, id, ${asOf}::date, ${plain(location)}::numeric, ${plain(market)}::numeric,
      ${plain(factorLocation)}::numeric, ${plain(factorMarket)}::numeric, ${plain(newLocation)}::numeric,
      ${plain(newMarket)}::numeric, ${JSON.stringify(facilities)}::jsonb
    from carbon_inventories where id = ${inventoryId}`.execute(db)
}
