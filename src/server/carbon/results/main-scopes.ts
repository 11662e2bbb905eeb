import { sql } from 'kysely'
import type { GroupScope } from '#contract/carbon/results/group.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { importedShares } from '../calculation/imported-shares.ts'

/** The scopes in order, with scope 3 as a whole. */
export const SCOPE_ORDER = ['1', '2', '3', 'outside'] as const
const TITLES: Readonly<Record<string, string>> = {
  '1': 'Scope 1',
  '2': 'Scope 2',
  '3': 'Scope 3',
  outside: 'Outside of scopes',
}

/** Emissions of some inventories by scope, including imported totals, in kg CO2e. Scopes without emissions are left out. */
export async function readMainScopes(
  db: Database,
  inventoryIds: readonly string[],
): Promise<Map<string, GroupScope[]>> {
  const ids = sql`any(${[...inventoryIds]}::bigint[])`
  const { rows } = await sql<{ inventoryId: string; key: string; location: string; market: string }>`
    select inventory_id::text, split_part(scope, '.', 1) as key, trim_scale(sum(location))::text as location,
      trim_scale(sum(market))::text as market
    from (
      select inventory_id, scope, case when method is distinct from 'market' then kg else 0 end as location,
        case when method is distinct from 'location' then kg else 0 end as market
      from calculation_totals where inventory_id = ${ids}
      union all
      select x.inventory_id, x.scope, x.kg, x.market_kg from (${importedShares(sql`t.inventory_id = ${ids}`)}) x
    ) s
    group by 1, 2 order by 1, 2`.execute(db)
  const lines = rows.map(({ key, ...line }) => ({ ...line, key, title: TITLES[key] ?? key }))
  return new Map(
    [...Map.groupBy(lines, ({ inventoryId }) => inventoryId)].map(([id, own]) => [
      id,
      own.map(({ inventoryId: _inventoryId, ...line }) => line),
    ]),
  )
}
