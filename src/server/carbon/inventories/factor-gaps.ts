import { sql } from 'kysely'
import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { SOURCE_TYPES } from '#contract/carbon/inventories/source-types.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { isForPlace } from '../factors/choose-factor.ts'
import { isOfScope } from '../calculation/pick-factor.ts'
import { readPlaces, readTerms } from '../calculation/read-facilities.ts'
import { readCustomSources } from './custom-source-rows.ts'
import { readCountries } from './save-assignments.ts'
import { readSourceDefaults } from './source-defaults.ts'

/** A cell of the matrix, with what its factor is searched by. */
export type FactorRequest = Omit<FactorGap, 'elsewhere' | 'facilityIds'> & { facilityId: string }
/** Regions and scopes of the current factors of an activity. */
export type FactorPlace = { activity: string; region: string; scopes: string[] }

/**
 * The cells without a factor, grouped by source type and region. Dates and units are ignored: expired factors and other
 * units are reported at the record.
 */
export function findFactorGaps(
  requests: readonly FactorRequest[],
  places: readonly FactorPlace[],
): FactorGap[] {
  const byActivity = Map.groupBy(places, ({ activity }) => activity)
  const groups = Map.groupBy(requests, ({ sourceType, activity, unit, region }) =>
    [sourceType, activity, unit, region].join(' '),
  )
  return [...groups.values()].flatMap((cells) => {
    const [first] = cells
    if (first === undefined) return []
    const { facilityId: _first, ...gap } = first
    const found = (byActivity.get(gap.activity) ?? []).filter((one) => isOfScope(one, gap.scope))
    if (found.some(({ region }) => isForPlace(region, gap.region))) return []
    const elsewhere = [...new Set(found.map(({ region }) => region))].toSorted((one, other) =>
      one.localeCompare(other),
    )
    return [{ ...gap, elsewhere, facilityIds: cells.map(({ facilityId }) => facilityId) }]
  })
}

/**
 * The factor gaps of an inventory, for each standard and custom source at each of its facilities, by the activity of the existing source or
 * the default one. Facilities without a country are left out; they are reported elsewhere.
 * @throws Failure 404 for the inventory.
 */
export async function readFactorGaps(db: Database, inventoryId: string): Promise<FactorGap[]> {
  const [terms] = await readTerms(db, [inventoryId])
  const { rows: found } = await sql<{ organizationId: string }>`
    select organization_id::text from carbon_inventories where id = ${inventoryId}`.execute(db)
  const [inventory] = found
  if (terms === undefined || inventory === undefined) throw notFound('Inventory')
  const { regions } = await readPlaces(db, [terms])
  const countries = await readCountries(db, { id: inventoryId, ...inventory })
  const { rows: sources } = await sql<{ key: string; activity: string; unit: string }>`
    select facility_id::text || '/' || source_type as key, activity, unit from emission_sources
    where inventory_id = ${inventoryId}`.execute(db)
  const there = new Map(sources.map((source) => [source.key, source]))
  const findDefaults = await readSourceDefaults(db, inventory.organizationId)
  const customs = await readCustomSources(db, inventory.organizationId)
  const types = [...SOURCE_TYPES.map(({ id }) => id), ...customs.map(({ sourceType }) => sourceType)]
  const requests = regions.flatMap(({ facilityId, region }) => {
    if (region === null || !countries.has(facilityId)) return []
    return types.flatMap((sourceType): FactorRequest[] => {
      const usual = findDefaults(sourceType, countries.get(facilityId) ?? null)
      if (usual === undefined) return []
      const { activity, unit } = there.get(`${facilityId}/${sourceType}`) ?? usual
      const names = { sourceType, sourceName: usual.name, sourceLabel: null }
      return [{ facilityId, ...names, activity, unit, scope: usual.scope, region }]
    })
  })
  const activities = [...new Set(requests.map(({ activity }) => activity))]
  const { rows: places } = await sql<FactorPlace>`
    select distinct f.activity, f.region, f.scopes from library.factors f
    where (f.organization_id is null or f.organization_id = ${inventory.organizationId})
      and f.activity = any(${activities}) and f.use = 'inventory' and f.superseded_by is null`.execute(db)
  return findFactorGaps(requests, places)
}
