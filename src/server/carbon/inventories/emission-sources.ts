import { sql } from 'kysely'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { pointCounts } from './coverage.ts'

/** The sources that data is expected for: open ones at facilities that aren't excluded. */
export async function readSources(db: Database, inventoryId: string): Promise<EmissionSource[]> {
  const { rows } = await sql<EmissionSource>`
    select s.id::text, s.inventory_id::text as "inventoryId", s.facility_id::text as "facilityId",
      s.source_type as "sourceType", s.name as "sourceName", s.label as "sourceLabel", s.activity, s.scope, s.unit, s.data_owner_id::text as "dataOwnerId",
      coalesce(n.owners ->> s.id::text, u.first_name || ' ' || u.last_name) as "dataOwnerName", s.due_on::text as "dueOn", s.frequency, s.method,
      s.factor_id::text as "factorId", f.name as "factorName", coalesce(p.expected, 0) as expected,
      coalesce(p.there, 0) as there, s.version
    from emission_sources s
    join inventory_facilities i on i.customer_id = s.customer_id and i.inventory_id = s.inventory_id
      and i.facility_id = s.facility_id
    left join inventory_facility_snapshots n on n.customer_id = s.customer_id and n.inventory_id = s.inventory_id
      and n.facility_id = s.facility_id
    left join users u on u.customer_id = s.customer_id and u.id = s.data_owner_id
    left join library.factors f on f.id = s.factor_id
    left join ${pointCounts(sql`s.inventory_id = ${inventoryId}`)} p on p.id = s.id
    where s.inventory_id = ${inventoryId} and not s.closed and not i.excluded
    order by s.facility_id, s.id`.execute(db)
  return rows
}
