import { sql } from 'kysely'
import { INVENTORY_LIST } from '#contract/carbon/inventories/inventory-list.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { coverageShare } from './coverage.ts'
import { importedShares } from '../calculation/imported-shares.ts'

const column = (name: string) => ({
  value: sql.ref(`carbon_inventories.${name}`),
  isNeverNull: true as const,
})

/** The sources that data is expected for: open ones at facilities that aren't excluded. */
const openSources = sql`emission_sources s
  join inventory_facilities i on i.customer_id = s.customer_id and i.inventory_id = s.inventory_id and i.facility_id = s.facility_id
  where s.customer_id = carbon_inventories.customer_id and s.inventory_id = carbon_inventories.id and not s.closed and not i.excluded`

/** The counted part of the imported totals of an inventory, in kg. */
const imported = (figure: 'kg' | 'market_kg') =>
  sql`select sum(x.${sql.ref(figure)}) as kg from (${importedShares(
    sql`t.customer_id = carbon_inventories.customer_id and t.inventory_id = carbon_inventories.id`,
  )}) x`

/** Tonnes with six decimals, including imported totals; null if there are none. */
const tonnes = (without: 'location' | 'market') =>
  sql<string>`(select trim_scale(round(sum(s.kg) / 1000, 6)) from (
    select sum(t.kg) as kg from calculation_totals t
    where t.customer_id = carbon_inventories.customer_id and t.inventory_id = carbon_inventories.id
      and t.method is distinct from ${sql.lit(without)}
    union all ${imported(without === 'location' ? 'market_kg' : 'kg')}) s)`

/** Columns of the list that are counted from other tables. */
export const INVENTORY_FIGURES = {
  facilities: sql<number>`(select count(*)::int from inventory_facilities i where i.customer_id = carbon_inventories.customer_id
    and i.inventory_id = carbon_inventories.id and not i.excluded)`,
  sources: sql<number>`(select count(*)::int from ${openSources})`,
  assigned: sql<number>`(select count(*)::int from ${openSources} and s.data_owner_id is not null)`,
}

/** Inventories with the names of their organizations. */
export const inventorySource: ListSource<keyof typeof INVENTORY_LIST.fields> = {
  list: INVENTORY_LIST,
  from: sql`carbon_inventories left join organizations
    on organizations.customer_id = carbon_inventories.customer_id and organizations.id = carbon_inventories.organization_id`,
  table: sql`carbon_inventories`,
  within: (actor) => sql`carbon_inventories.customer_id = ${actor.customerId}`,
  id: sql`carbon_inventories.id`,
  title: sql`carbon_inventories.name`,
  fields: {
    name: column('name'),
    status: column('status'),
    periodStart: column('period_start'),
    periodEnd: column('period_end'),
    boundary: column('boundary'),
    organizationId: { ...column('organization_id'), shown: sql`organizations.name`, joins: 'order' },
    location: { value: tonnes('market') },
    market: { value: tonnes('location') },
    imported: { value: sql<string>`(select trim_scale(round(i.kg / 1000, 6)) from (${imported('kg')}) i)` },
    coverage: {
      value: coverageShare({
        customerId: sql.ref('carbon_inventories.customer_id'),
        id: sql.ref('carbon_inventories.id'),
      }),
    },
    facilities: { value: INVENTORY_FIGURES.facilities },
    sources: { value: INVENTORY_FIGURES.sources },
    assigned: { value: INVENTORY_FIGURES.assigned },
    isBaseYear: column('is_base_year'),
    gwpSet: column('gwp_set'),
    updatedAt: column('updated_at'),
    updatedBy: { value: sql.ref('carbon_inventories.updated_by') },
  },
  searchJoins: true,
  search: (text) => contains([sql.ref('carbon_inventories.name'), sql.ref('organizations.name')], text),
}
