import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Facility } from '#contract/organizations/facilities/facilities.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'

const columns = sql`f.id::text, f.organization_id::text as "organizationId", f.level, f.parent_id::text as "parentId",
  f.code, f.name, f.type, f.address, f.city, f.region, f.postal_code as "postalCode", f.country,
  f.grid_region as "gridRegion", trim_scale(f.floor_area)::text as "floorArea", f.floor_unit as "floorUnit", f.staff,
  f.opened_on::text as "openedOn", f.closed_on::text as "closedOn", f.lease, f.lot_id::text as "lotId",
  l.name as "lotName", coalesce(c.control, '[]') as control, f.version, f.updated_at as "updatedAt",
  f.updated_by as "updatedBy"`

/** The facilities that match a condition on `f`, ordered by code. */
export async function readFacilities(db: Database, condition: RawBuilder<SqlBool>): Promise<Facility[]> {
  const { rows } = await sql<Facility>`
    select ${columns} from facilities f
    left join lots l on l.customer_id = f.customer_id and l.id = f.lot_id
    left join lateral (
      select json_agg(json_build_object('validFrom', c.valid_from, 'ownership', trim_scale(c.ownership)::text,
        'operationalControl', c.operational_control, 'financialControl', c.financial_control) order by c.valid_from) as control
      from facility_control c where c.customer_id = f.customer_id and c.facility_id = f.id
    ) c on true
    where ${condition} order by f.code, f.id`.execute(db)
  return rows
}

/** @throws Failure 404 if it doesn't exist or is out of reach. */
export async function readFacility(db: Database, id: string): Promise<Facility> {
  const [facility] = await readFacilities(db, sql<SqlBool>`f.id = ${id}`)
  if (facility === undefined) throw notFound('Facility')
  return facility
}
