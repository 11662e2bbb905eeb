import { sql } from 'kysely'
import type { CustomSource } from '#contract/carbon/inventories/custom-sources.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'

/** Joins the open inventories `i` and their sources `s` of a custom source `d`. */
export const OPEN_USES = sql`emission_sources s join carbon_inventories i on i.customer_id = s.customer_id
  and i.id = s.inventory_id and i.status in ('draft', 'collecting', 'in_review')
  where s.customer_id = d.customer_id and s.organization_id = d.organization_id and s.source_type = 'own-' || d.id`

const COLUMNS = sql`d.id::text, 'own-' || d.id as source_type, d.name, d.scope, d.activity, d.unit, d.version,
  (select count(*)::int from activity_records r where r.replaced_at is null and r.customer_id = d.customer_id
    and r.source_id in (select s.id from ${OPEN_USES})) as records`

/** The custom sources of an organization by scope and name, without removed ones. */
export async function readCustomSources(db: Database, organizationId: string): Promise<CustomSource[]> {
  const { rows } = await sql<CustomSource>`select ${COLUMNS} from custom_sources d
    where d.organization_id = ${organizationId} and d.removed_at is null
    order by left(d.scope, 1), nullif(split_part(d.scope, '.', 2), '')::int nulls first, lower(d.name), d.id`.execute(
    db,
  )
  return rows
}

/** One of them. @throws Failure 404 if it was removed or isn't accessible. */
export async function readCustomSource(db: Database, id: string): Promise<CustomSource> {
  const { rows } = await sql<CustomSource>`select ${COLUMNS} from custom_sources d
    where d.id = ${id} and d.removed_at is null`.execute(db)
  const [found] = rows
  if (found === undefined) throw notFound('Custom source')
  return found
}
