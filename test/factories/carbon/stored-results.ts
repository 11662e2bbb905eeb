import { expect } from 'vitest'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { GAS_GROUPS, type Totals } from '#contract/carbon/activity/ledger-schema.ts'
import type { Caller, TestApp } from '#test/app.ts'

type Owner = TestApp['owner']
type Of = { inventoryId: string }

/** Results, totals and calculation lines of an inventory without IDs and timestamps. Lines are identified by digest. */
export async function storedResults(owner: Owner, { inventoryId }: Of) {
  const read = async (text: string): Promise<unknown[]> => {
    const { rows } = await owner.query<{ row: unknown }>(text, [inventoryId])
    return rows.map(({ row }) => row)
  }
  return {
    results:
      await read(`select to_jsonb(x) - 'id' - 'calculated_at' - 'line_id' || jsonb_build_object('line', w.digest) as row
      from calculation_results x left join calculation_lines w on w.customer_id = x.customer_id and w.id = x.line_id
      where x.inventory_id = $1 order by x.record_id, x.month, x.part, x.method`),
    totals: await read(`select to_jsonb(t) - 'id' as row from calculation_totals t where t.inventory_id = $1
      order by t.source_id, t.month, t.part, t.method, t.factor_id`),
    lines: await read(
      `select to_jsonb(w.digest) as row from calculation_lines w where w.inventory_id = $1 order by w.digest`,
    ),
  }
}

/** How many rows the engine stores for an inventory, and how many of its sources are stale. */
export async function countStored(owner: Owner, { inventoryId }: Of) {
  const { rows } = await owner.query<Record<'results' | 'totals' | 'lines' | 'stale', number>>(
    `select (select count(*)::int from calculation_results where inventory_id = $1) as results,
      (select count(*)::int from calculation_totals where inventory_id = $1) as totals,
      (select count(*)::int from calculation_lines where inventory_id = $1) as lines,
      (select count(*)::int from stale_sources where inventory_id = $1) as stale`,
    [inventoryId],
  )
  return rows[0]
}

/** Marks all sources of an inventory as stale. */
export async function markAllStale(owner: Owner, { inventoryId }: Of): Promise<void> {
  await owner.query(
    `insert into stale_sources (customer_id, source_id, organization_id, inventory_id)
    select customer_id, id, organization_id, inventory_id from emission_sources where inventory_id = $1 on conflict do nothing`,
    [inventoryId],
  )
}

/** Deletes all results of an inventory and recalculates them. */
async function calculateAll(owner: Owner, caller: Caller, { inventoryId }: Of): Promise<void> {
  for (const table of ['calculation_results', 'calculation_totals', 'calculation_lines'])
    await owner.query(`delete from ${table} where inventory_id = $1`, [inventoryId])
  await markAllStale(owner, { inventoryId })
  expect(await caller.call(ledger.recalculate, { inventoryId })).toEqual({ pending: 0 })
}

/** Orphaned rows of any inventory, with a description and the ID. */
export async function findOrphans(owner: Owner): Promise<unknown[]> {
  const { rows } = await owner.query(
    `select 'result without its source' as what, x.id from calculation_results x
      where not exists (select from emission_sources s where s.customer_id = x.customer_id and s.id = x.source_id)
    union all select 'result of a record that is not current', x.id from calculation_results x
      where not exists (select from activity_records r where r.customer_id = x.customer_id and r.id = x.record_id
        and r.version = x.record_version and r.source_id = x.source_id and r.replaced_at is null)
    union all select 'result without its line', x.id from calculation_results x where x.line_id is not null
      and not exists (select from calculation_lines w where w.customer_id = x.customer_id and w.id = x.line_id
        and w.inventory_id = x.inventory_id)
    union all select 'line without a result', w.id from calculation_lines w
      where not exists (select from calculation_results x where x.customer_id = w.customer_id and x.line_id = w.id)
    union all select 'total without a result', t.id from calculation_totals t
      where not exists (select from calculation_results x where x.customer_id = t.customer_id and x.source_id = t.source_id
        and x.month = t.month and x.part = t.part and x.method is not distinct from t.method
        and x.factor_id is not distinct from t.factor_id)`,
  )
  return rows
}

/** For a result `x`: its own value, or the one of its calculation line `w`. */
const gasesOf = GAS_GROUPS.map((gas) => `coalesce(x.${gas}, x.amount * w.${gas})`)
const SEPARATE = ['biogenic', 'other'].map((word) => `coalesce(x.${word}_kg, x.amount * w.${word})`)
const RESULTS = `calculation_results x left join calculation_lines w on w.customer_id = x.customer_id and w.id = x.line_id
  where x.inventory_id = $1`

/** Rows that differ between the stored totals and the sums over the results; empty if they agree. */
export async function findDifferentSums(owner: Owner, { inventoryId }: Of): Promise<unknown[]> {
  const { rows } = await owner.query(
    `with summed as (
      select x.organization_id, x.facility_id, x.source_id, x.month, x.part, x.scope, x.method, x.factor_id, count(*)::int as results,
        count(x.problem)::int as missing, (count(*) filter (where 'estimate' = any(x.flags)))::int as estimated,
        sum(x.amount) as amount, coalesce(sum(x.kg), 0) as kg, ${gasesOf.map((figure) => `sum(${figure})`).join(', ')},
        ${SEPARATE.map((figure) => `coalesce(sum(${figure}), 0)`).join(', ')}
      from ${RESULTS} group by 1, 2, 3, 4, 5, 6, 7, 8
    ), stored as (
      select organization_id, facility_id, source_id, month, part, scope, method, factor_id, results, missing, estimated, amount,
        kg, ${GAS_GROUPS.join(', ')}, biogenic_kg, other_kg from calculation_totals where inventory_id = $1
    )
    (select 'over results' as of, s.* from (table summed except all table stored) s)
    union all (select 'stored', k.* from (table stored except all table summed) k)`,
    [inventoryId],
  )
  return rows
}

const BOTH = ['location', 'market'] as const
/** Limits a sum to the results of one method and those without a method. */
const by = (method: (typeof BOTH)[number]): string =>
  `filter (where x.method is distinct from '${method === 'market' ? 'location' : 'market'}')`

const FACETS = {
  scopes: 'x.scope',
  facilities: 'x.facility_id::text',
  sources: 'x.source_id::text',
  months: 'x.month::text',
  total: `'total'`,
} as const

/** The emissions of an inventory in every grouping, summed over its results, in the format of the totals. */
export async function sumResults(owner: Owner, { inventoryId }: Of) {
  const sum = (figure: string, method: (typeof BOTH)[number]): string =>
    `trim_scale(coalesce(sum(${figure}) ${by(method)}, 0))::text as ${method}`
  const lines = async (key: string) => {
    const { rows } = await owner.query<{ key: string }>(
      `select ${key} as key, ${BOTH.map((method) => sum('x.kg', method)).join(', ')},
        trim_scale(coalesce(sum(${SEPARATE[0]}) ${by('location')}, 0))::text as biogenic,
        trim_scale(coalesce(sum(${SEPARATE[1]}) ${by('location')}, 0))::text as other,
        (count(x.problem) ${by('location')})::int as missing,
        (count(*) filter (where x.part = 'main' and x.method is distinct from 'market' and 'estimate' = any(x.flags)))::int as estimated
      from ${RESULTS} group by 1`,
      [inventoryId],
    )
    return rows.toSorted((one, next) => (one.key < next.key ? -1 : 1))
  }
  const { rows: gases } = await owner.query<{ key: string; location: string; market: string }>(
    GAS_GROUPS.map(
      (gas, at) =>
        `select '${gas}' as key, ${BOTH.map((method) => sum(gasesOf[at] ?? '', method)).join(', ')} from ${RESULTS}`,
    ).join(' union all '),
    [inventoryId],
  )
  const { rows: monthScopes } = await owner.query(
    `select x.month::text, left(x.scope, 1) as scope, ${BOTH.map((method) => sum('x.kg', method)).join(', ')}
    from ${RESULTS} and x.scope <> 'outside' group by 1, 2 order by 1, 2`,
    [inventoryId],
  )
  const facets: Record<string, unknown[]> = {}
  for (const [name, key] of Object.entries(FACETS)) facets[name] = await lines(key)
  return {
    ...facets,
    monthScopes,
    // A union returns its rows in any order.
    gases: GAS_GROUPS.flatMap((gas) =>
      gases.filter(({ key, location, market }) => key === gas && (location !== '0' || market !== '0')),
    ),
  }
}

/** The same from the totals of the API, sorted by key. */
export function shownTotals(totals: Totals): object {
  const bare = (lines: Totals['scopes']) =>
    lines
      .map(({ key, location, market, biogenic, other, missing, estimated }) => ({
        key,
        location,
        market,
        biogenic,
        other,
        missing,
        estimated,
      }))
      .toSorted((one, next) => (one.key < next.key ? -1 : 1))
  const { scopes, facilities, sources, months, total, monthScopes, gases } = totals
  return {
    scopes: bare(scopes),
    facilities: bare(facilities),
    sources: bare(sources),
    months: bare(months),
    total: bare([total]),
    monthScopes,
    gases: gases.map(({ key, location, market }) => ({ key, location, market })),
  }
}

/** Checks an open inventory without stale sources: nothing is missing or counted twice, and recalculating changes nothing. */
export async function expectConsistent(owner: Owner, caller: Caller, one: Of): Promise<void> {
  expect(await findDifferentSums(owner, one)).toEqual([])
  const before = await storedResults(owner, one)
  await calculateAll(owner, caller, one)
  expect(before).toEqual(await storedResults(owner, one))
}
