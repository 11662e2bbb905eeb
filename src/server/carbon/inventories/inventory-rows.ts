import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Inventory, InventoryRow } from '#contract/carbon/inventories/inventories.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { INVENTORY_FIGURES, inventorySource } from './inventory-source.ts'
import { inventorySteps } from './inventory-steps.ts'

/** The columns of the list, with the names of the contract. */
const shown = sql`carbon_inventories.id::text, carbon_inventories.organization_id::text as "organizationId",
  organizations.name as "organizationName", carbon_inventories.name, carbon_inventories.period_start::text as "periodStart",
  carbon_inventories.period_end::text as "periodEnd", carbon_inventories.boundary, carbon_inventories.gwp_set as "gwpSet",
  carbon_inventories.status, carbon_inventories.status_reason as "statusReason",
  carbon_inventories.is_base_year as "isBaseYear", carbon_inventories.restates_id::text as "restatesId",
  (select later.id::text from carbon_inventories later where later.customer_id = carbon_inventories.customer_id
    and later.restates_id = carbon_inventories.id) as "restatedById",
  ${INVENTORY_FIGURES.facilities} as facilities, ${INVENTORY_FIGURES.sources} as sources,
  ${INVENTORY_FIGURES.assigned} as assigned, carbon_inventories.version, carbon_inventories.updated_at as "updatedAt",
  carbon_inventories.updated_by as "updatedBy"`

/** The name at the approval of a frozen inventory, or else the current one. */
const nameOf = (
  column: 'owner' | 'reviewer' | 'approver',
) => sql`coalesce(${sql.ref(`carbon_inventories.${column}_name`)}, (select u.first_name || ' ' || u.last_name from users u
  where u.customer_id = carbon_inventories.customer_id and u.id = ${sql.ref(`carbon_inventories.${column}_id`)}))`

const ofThis = (table: string) => sql`${sql.ref(`${table}.customer_id`)} = carbon_inventories.customer_id
  and ${sql.ref(`${table}.inventory_id`)} = carbon_inventories.id`

/** Sites and buildings in use during the period that are neither included nor excluded; of a frozen inventory, at its approval. */
const undecided = sql`(select count(*)::int from (
    select n.facility_id as id, n.level, n.opened_on, n.closed_on from inventory_facility_snapshots n where ${ofThis('n')}
    union all
    select g.id, g.level, g.opened_on, g.closed_on from facilities g where g.customer_id = carbon_inventories.customer_id
      and g.organization_id = carbon_inventories.organization_id
      and carbon_inventories.status in ('draft', 'collecting', 'in_review')) f
  where f.level in ('site', 'building')
  and coalesce(f.opened_on, '-infinity') <= carbon_inventories.period_end
  and coalesce(f.closed_on, 'infinity') >= carbon_inventories.period_start
  and not exists (select from inventory_facilities i where ${ofThis('i')} and i.facility_id = f.id))`

/** Rows of the list that match a condition on `carbon_inventories`. */
export async function readInventoryRows(
  db: Database,
  condition: RawBuilder<SqlBool>,
): Promise<InventoryRow[]> {
  const { rows } =
    await sql<InventoryRow>`select ${shown} from ${inventorySource.from} where ${condition}`.execute(db)
  return rows
}

/** What was missing at the approval of a frozen inventory. */
const gaps = sql`case when carbon_inventories.status in ('approved', 'locked', 'restated') then coalesce((
  select e.gaps from inventory_status_events e where ${ofThis('e')} and e.former_status = 'in_review' and e.status = 'approved'
  order by e.id desc limit 1), '[]') else '[]' end`

/** How the newest values of its GWP set differ from those that it uses; null if they are the same. */
const newerGwps = sql`(select json_build_object('edition', library.newest_gwp_edition(), 'changes', json_agg(json_build_object(
    'gas', coalesce(o.gas, n.gas), 'gwp', trim_scale(o.gwp)::text, 'newGwp', trim_scale(n.gwp)::text)
    order by coalesce(o.gas, n.gas)))
  from (select * from library.gwp_values v where v.edition = carbon_inventories.gwp_edition
    and v.gwp_set = carbon_inventories.gwp_set) o
  full join (select * from library.gwp_values v where v.edition = library.newest_gwp_edition()
    and v.gwp_set = carbon_inventories.gwp_set) n on n.gas = o.gas
  where (o.gwp, o.is_kyoto) is distinct from (n.gwp, n.is_kyoto) having count(*) > 0)`

type Row = Omit<Inventory, 'steps'> & { excluded: number }

/** @throws Failure 404 if it isn't accessible. */
export async function readInventory(db: Database, id: string): Promise<Inventory> {
  const { rows } = await sql<Row>`
    select ${shown}, carbon_inventories.datasets::text[] as datasets, carbon_inventories.year_rule as "yearRule",
      trim_scale(carbon_inventories.recalculation_threshold)::text as "recalculationThreshold",
      carbon_inventories.owner_id::text as "ownerId", ${nameOf('owner')} as "ownerName",
      carbon_inventories.reviewer_id::text as "reviewerId", ${nameOf('reviewer')} as "reviewerName",
      carbon_inventories.approver_id::text as "approverId", ${nameOf('approver')} as "approverName",
      carbon_inventories.two_person_approval as "twoPersonApproval", ${undecided} as undecided,
      (select count(*)::int from inventory_status_events e where ${ofThis('e')} and e.former_status = 'in_review'
        and e.status = 'approved') as approvals, ${gaps} as gaps, carbon_inventories.gwp_edition as "gwpEdition", ${newerGwps} as "newerGwps",
      (select count(*)::int from inventory_facilities i where ${ofThis('i')} and i.excluded) as excluded,
      (select json_agg(json_build_object('category', c, 'relevance', coalesce(s.relevance, 'not_assessed'),
          'reason', s.reason) order by c)
        from generate_series(1, 15) c left join inventory_scope3 s on ${ofThis('s')} and s.category = c) as scope3,
      (select coalesce(json_agg(json_build_object('kind', d.kind, 'name', d.name, 'amount', trim_scale(d.amount)::text,
          'unit', d.unit) order by d.place), '[]') from intensity_denominators d where ${ofThis('d')}) as denominators
    from ${inventorySource.from} where carbon_inventories.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound('Inventory')
  const { excluded: _excluded, ...inventory } = row
  return { ...inventory, steps: inventorySteps(row) }
}
