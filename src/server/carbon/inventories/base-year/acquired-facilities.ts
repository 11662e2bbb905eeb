import { sql } from 'kysely'
import { chainOf } from '#contract/organizations/chain.ts'
import { inclusionOf, type Consolidation } from '#contract/organizations/facilities/inclusion.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readFacilities } from '#server/organizations/index.ts'

type Acquired = { facilityId: string; location: string; market: string; reason: string }
type Later = { facilityId: string; name: string; location: string; market: string }

/**
 * Facilities that were acquired after a base year: they count in the latest approved inventory of the same boundary, existed
 * in the base year, and weren't included then. The base year has no data of them, so their emissions in the later
 * inventory are the estimate. GHG Protocol, Corporate Standard, chapter 5.
 */
export async function findAcquired(db: Database, inventoryId: string, asOf: string): Promise<Acquired[]> {
  const { rows: bases } = await sql<{ boundary: Consolidation; periodEnd: string; organizationId: string }>`
    select boundary, period_end::text, organization_id::text from carbon_inventories where id = ${inventoryId}`.execute(
    db,
  )
  const [base] = bases
  if (base === undefined) return []
  const { rows: later } = await sql<Later>`
    with latest as (
      select i.* from carbon_inventories i join carbon_inventories b on b.customer_id = i.customer_id
        and b.organization_id = i.organization_id and b.boundary = i.boundary and i.period_start > b.period_end
      where b.id = ${inventoryId} and i.status in ('approved', 'locked') order by i.period_start desc, i.id desc limit 1
    )
    select t.facility_id::text, l.name,
      trim_scale(coalesce(sum(t.kg) filter (where t.method is distinct from 'market'), 0))::text as location,
      trim_scale(coalesce(sum(t.kg) filter (where t.method is distinct from 'location'), 0))::text as market
    from latest l join calculation_totals t on t.customer_id = l.customer_id and t.inventory_id = l.id
    where not exists (select from inventory_facilities f where f.customer_id = t.customer_id
      and f.inventory_id = ${inventoryId} and f.facility_id = t.facility_id)
    group by t.facility_id, l.name having sum(t.kg) > 0 order by t.facility_id`.execute(db)
  if (later.length === 0) return []
  const all = await readFacilities(db, sql<boolean>`f.organization_id = ${base.organizationId}`)
  const lasting = all.map((facility) => ({ ...facility, openedOn: null, closedOn: null }))
  return later.flatMap(({ facilityId, name, location, market }): Acquired[] => {
    const facility = all.find(({ id }) => id === facilityId)
    const isNew = facility?.openedOn !== null && (facility?.openedOn ?? '') > base.periodEnd
    const chain = chainOf(lasting, facilityId)
    const { percent: before } = inclusionOf(chain, base.periodEnd, base.boundary)
    const { percent: now, reason } = inclusionOf(chain, asOf, base.boundary)
    // Opened since, already included then, or not included now: not an acquisition.
    if (isNew || (before !== null && before !== '0') || now === null || now === '0') return []
    return [{ facilityId, location, market, reason: `${reason} Estimated from its emissions in ${name}.` }]
  })
}
