import { sql } from 'kysely'
import { inclusionOver, isClosedOn, type Link } from '#contract/organizations/facilities/inclusion.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Terms } from './calculation-line.ts'

/** How much of a facility counts in an inventory during a span of days. */
export type Span = {
  inventoryId: string
  facilityId: string
  first: string
  last: string
  /** Null: unknown. */
  percent: string | null
  reason: string
  /** The facility, or one above it, wasn't open yet, or no longer. */
  isClosed?: boolean
}
/** Region of a facility for picking factors; null: unknown. */
export type Region = { facilityId: string; region: string | null }

export type OpenInventory = Terms & {
  id: string
  organizationId: string
  /** Which values of its GWP set it uses (`library.gwp_editions`). */
  gwpEdition: number
  periodStart: string
  periodEnd: string
  boundary: 'operational' | 'financial' | 'equity'
}

/** Inventories by ID, with their calculation settings. */
export async function readTerms(db: Database, ids: readonly string[]): Promise<OpenInventory[]> {
  const { rows } = await sql<OpenInventory>`
    select i.id::text, i.organization_id::text, i.period_start::text, i.period_end::text, i.boundary, i.gwp_set, i.gwp_edition,
      i.datasets::text[] as dataset_ids, case when i.year_rule = 'latest' then 'latest' else 'exact' end as year_rule,
      exists (select from inventory_scope3 s where s.customer_id = i.customer_id and s.inventory_id = i.id
        and s.category = 3 and s.relevance = 'relevant') as has_upstream
    from carbon_inventories i where i.id = any(${[...ids]}::bigint[])`.execute(db)
  return rows
}

type FacilityRow = Link & {
  id: string
  parentId: string | null
  country: string | null
  region: string | null
  gridRegion: string | null
}
type Decision = { inventoryId: string; facilityId: string; excluded: boolean; reason: string | null }

/**
 * The inclusion spans over the period for each facility of each inventory, and the regions of the facilities. A facility
 * without a location has the location of the facility above it.
 */
export async function readPlaces(
  db: Database,
  inventories: readonly OpenInventory[],
): Promise<{ spans: Span[]; regions: Region[] }> {
  const ids = inventories.map(({ id }) => id)
  const { rows: decisions } = await sql<Decision>`
    select f.inventory_id::text, f.facility_id::text, f.excluded, f.reason
    from inventory_facilities f where f.inventory_id = any(${ids}::bigint[])`.execute(db)
  const { rows: facilities } = await sql<FacilityRow>`
    with recursive chain(id) as (
      select distinct unnest(${decisions.map(({ facilityId }) => facilityId)}::bigint[])
      union select f.parent_id from facilities f join chain w on f.id = w.id where f.parent_id is not null)
    select f.id::text, f.parent_id::text, f.name, f.country, f.region, f.grid_region,
      f.opened_on::text, f.closed_on::text, coalesce((
        select json_agg(json_build_object('validFrom', c.valid_from, 'ownership', trim_scale(c.ownership)::text,
          'operationalControl', c.operational_control, 'financialControl', c.financial_control))
        from facility_control c where c.customer_id = f.customer_id and c.facility_id = f.id), '[]') as control
    from facilities f join chain w on w.id = f.id`.execute(db)
  const byId = new Map(facilities.map((facility) => [facility.id, facility]))
  const chainOf = (id: string): FacilityRow[] => {
    const facility = byId.get(id)
    if (facility === undefined) return []
    return facility.parentId === null ? [facility] : [...chainOf(facility.parentId), facility]
  }
  const spans = inventories.flatMap((inventory) =>
    decisions
      .filter(({ inventoryId }) => inventoryId === inventory.id)
      .flatMap((decision) => spansOf(decision, inventory, chainOf(decision.facilityId))),
  )
  const regions = [...new Set(decisions.map(({ facilityId }) => facilityId))].map((facilityId) => ({
    facilityId,
    region: regionOf(chainOf(facilityId)),
  }))
  return { spans, regions }
}

function spansOf(
  { excluded, reason, facilityId }: Decision,
  { id, periodStart, periodEnd, boundary }: OpenInventory,
  chain: readonly Link[],
): Span[] {
  const one = { inventoryId: id, facilityId }
  if (excluded)
    return [
      { ...one, first: periodStart, last: periodEnd, percent: '0', reason: `Excluded: ${reason ?? ''}` },
    ]
  return inclusionOver(chain, { from: periodStart, to: periodEnd }, boundary).map(
    ({ from, to, percent, reason: why }) => ({
      ...one,
      first: from,
      last: to,
      percent,
      reason: why,
      isClosed: isClosedOn(chain, from),
    }),
  )
}

/** Grid subregion, state or province, or country: of the facility itself or the nearest one above it. */
function regionOf(chain: readonly Pick<FacilityRow, 'country' | 'region' | 'gridRegion'>[]): string | null {
  const nearest = chain.toReversed().find(({ country }) => country !== null)
  if (nearest?.country === undefined || nearest.country === null) return null
  const { country, region, gridRegion } = nearest
  if (gridRegion !== null) return `${country}-${gridRegion}`
  return region !== null && /^[A-Z0-9]{1,12}$/.test(region) ? `${country}-${region}` : country
}
