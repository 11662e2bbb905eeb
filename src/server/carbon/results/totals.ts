import { sql } from 'kysely'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import { GAS_GROUPS, type TotalLine, type Totals } from '#contract/carbon/activity/ledger-schema.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { readCoverage } from '../inventories/coverage.ts'
import { importedShares } from '../calculation/imported-shares.ts'
import { perOne, readDenominators } from './intensities.ts'
import { unusualIds } from '../review/unusual.ts'
import { countPending } from '../calculation/recalculate.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { FACILITIES_OF_SOURCES } from '../staleness/frozen-facilities.ts'

const SCOPE_TITLES: Readonly<Record<string, string>> = {
  '1': 'Scope 1',
  '2': 'Scope 2',
  outside: 'Outside of scopes',
}
const GAS_TITLES = {
  co2: 'CO2',
  ch4: 'CH4',
  n2o: 'N2O',
  hfc: 'HFCs',
  pfc: 'PFCs',
  sf6: 'SF6',
  nf3: 'NF3',
  undivided: 'Published as CO2e',
} as const

type Sum = TotalLine & { facet: 'total' | 'scope' | 'facility' | 'source' | 'month' }

/**
 * The emissions of an inventory, from stored totals.
 * @throws Failure 404 for the inventory.
 */
export async function readTotals(db: Database, inventoryId: string): Promise<Totals> {
  const { rows } = await sql<Totals['inventory']>`
    select id::text, name, period_start::text, period_end::text, gwp_set, status from carbon_inventories
    where id = ${inventoryId}`.execute(db)
  const [inventory] = rows
  if (inventory === undefined) throw notFound('Inventory')
  const sums = await readSums(db, inventoryId)
  const of = (name: Sum['facet']): TotalLine[] =>
    sums.filter(({ facet }) => facet === name).map(({ facet: _facet, ...line }) => line)
  const total = of('total')[0] ?? NOTHING
  const { rows: scope3 } = await sql<Totals['scope3'][number]>`
    select category, relevance, reason from inventory_scope3 where inventory_id = ${inventoryId} order by category`.execute(
    db,
  )
  const { rows: counts } = await sql<Omit<Totals['records'], 'unusual'>>`
    select count(*)::int as total, count(*) filter (where r.status = 'approved')::int as approved,
      count(*) filter (where r.status = 'submitted')::int as submitted
    from activity_records r join emission_sources s on s.customer_id = r.customer_id and s.id = r.source_id
    where s.inventory_id = ${inventoryId} and r.replaced_at is null`.execute(db)
  const records = counts[0] ?? { total: 0, approved: 0, submitted: 0 }
  const unusual = records.submitted === 0 ? [] : await unusualIds(db, inventoryId)
  const coverage = await readCoverage(db, inventoryId)
  const scopes = of('scope').map((line) => ({ ...line, title: scopeTitle(line.key) }))
  const isUnreported = ({ category, relevance }: Totals['scope3'][number]): boolean =>
    relevance === 'relevant' && !scopes.some(({ key }) => key === `3.${category}`)
  return {
    inventory,
    total,
    scopes,
    facilities: of('facility'),
    sources: await nameSourceLines(db, of('source')),
    months: of('month'),
    monthScopes: await readMonthScopes(db, inventoryId),
    gases: [...(await readGases(db, inventoryId)), ...importedGas(total)],
    otherGwps: await readOtherGwps(db, inventory),
    intensities: (await readDenominators(db, inventoryId)).map((one) => ({
      ...one,
      location: perOne(total.location, one),
      market: perOne(total.market, one),
    })),
    scope3,
    coverage,
    gaps: {
      points: coverage.empty,
      categories: scope3.filter(isUnreported).map(({ category }) => category),
    },
    records: { ...records, unusual: unusual.length },
    pending: await countPending(db, inventoryId),
  }
}

/** Imported totals aren't split by gas. */
function importedGas({ imported, importedMarket }: TotalLine): TotalLine[] {
  if (imported === '0' && importedMarket === '0') return []
  const figures = { location: imported, market: importedMarket, imported, importedMarket }
  return [{ ...NOTHING, ...figures, key: 'imported', title: 'Imported totals (not by gas)' }]
}

const NOTHING: TotalLine = {
  key: 'total',
  title: 'Total',
  location: '0',
  market: '0',
  biogenic: '0',
  other: '0',
  imported: '0',
  importedMarket: '0',
  missing: 0,
  estimated: 0,
}

/** "Scope 1", "Scope 3, category 4". */
export const scopeTitle = (key: string): string =>
  SCOPE_TITLES[key] ?? `Scope 3, category ${key.replace('3.', '')}`

async function readSums(db: Database, inventoryId: string): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    select t.facet, t.key, coalesce(n.name, f.name, st.source_type, t.key) as title, t.location, t.market, t.biogenic, t.other,
      t.imported, t.imported_market, t.missing, t.estimated
    from (
      select case when grouping(scope) = 0 then 'scope' when grouping(facility_id) = 0 then 'facility'
          when grouping(source_id) = 0 then 'source' when grouping(month) = 0 then 'month' else 'total' end as facet,
        coalesce(scope, facility_id::text, source_id::text, month::text, 'total') as key, facility_id, source_id, month,
        trim_scale(coalesce(sum(kg) filter (where method is distinct from 'market'), 0))::text as location,
        trim_scale(coalesce(sum(kg) filter (where method is distinct from 'location'), 0))::text as market,
        trim_scale(coalesce(sum(biogenic_kg) filter (where method is distinct from 'market'), 0))::text as biogenic,
        trim_scale(coalesce(sum(other_kg) filter (where method is distinct from 'market'), 0))::text as other,
        trim_scale(coalesce(sum(imported_kg) filter (where method is distinct from 'market'), 0))::text as imported,
        trim_scale(coalesce(sum(imported_kg) filter (where method is distinct from 'location'), 0))::text as imported_market,
        coalesce(sum(missing) filter (where method is distinct from 'market'), 0)::int as missing,
        coalesce(sum(estimated) filter (where part = 'main' and method is distinct from 'market'), 0)::int as estimated
      from (${sumsOf(inventoryId)}) c
      group by grouping sets ((), (scope), (facility_id), (source_id), (month))
    ) t
    left join facilities f on f.id = t.facility_id
    left join inventory_facility_snapshots n on n.inventory_id = ${inventoryId} and n.facility_id = t.facility_id
    left join emission_sources st on st.id = t.source_id
    order by t.facet, case when t.facet = 'scope' and t.key like '3.%' then lpad(split_part(t.key, '.', 2), 2, '0') end nulls first,
      t.key collate "C"`.execute(db)
  return rows
}

async function readMonthScopes(db: Database, inventoryId: string): Promise<Totals['monthScopes']> {
  const { rows } = await sql<Totals['monthScopes'][number]>`
    select month::text, left(scope, 1) as scope,
      trim_scale(coalesce(sum(kg) filter (where method is distinct from 'market'), 0))::text as location,
      trim_scale(coalesce(sum(kg) filter (where method is distinct from 'location'), 0))::text as market
    from (${sumsOf(inventoryId)}) c where scope <> 'outside' group by 1, 2 order by 1, 2`.execute(db)
  return rows
}

/** Stored totals and the counted part of imported totals; scope 2 has a row for each method. */
const sumsOf = (inventoryId: string) => sql`
  select scope, facility_id, source_id, month, part, method, kg, biogenic_kg, other_kg, missing, estimated, 0::numeric as imported_kg
  from calculation_totals where inventory_id = ${inventoryId}
  union all
  select x.scope, x.facility_id, x.source_id, x.month, 'main', w.method, case when w.method = 'market' then x.market_kg else x.kg end,
    x.biogenic_kg, 0, 0, 0, case when w.method = 'market' then x.market_kg else x.kg end
  from (${importedShares(sql`t.inventory_id = ${inventoryId}`)}) x
  cross join lateral unnest(case when x.scope = '2' then array['location', 'market'] else array[null] end::text[]) w(method)`

/** Emissions from factors whose publisher applied other GWPs than those of the inventory, or doesn't say which. */
async function readOtherGwps(
  db: Database,
  { id, gwpSet }: Totals['inventory'],
): Promise<Totals['otherGwps']> {
  const { rows } = await sql<Totals['otherGwps'][number]>`
    select f.gwp_set, trim_scale(coalesce(sum(t.kg) filter (where t.method is distinct from 'market'), 0))::text as location,
      trim_scale(coalesce(sum(t.kg) filter (where t.method is distinct from 'location'), 0))::text as market
    from calculation_totals t join library.factors f on f.id = t.factor_id
    where t.inventory_id = ${id} and f.gwp_set is distinct from ${gwpSet} and t.kg <> 0
      and exists (select from library.factor_gases g where g.factor_id = f.id and g.basis = 'co2e' and g.gas <> 'CO2')
    group by f.gwp_set order by f.gwp_set nulls last`.execute(db)
  return rows
}

/** Emissions in the scopes by gas, in kg CO2e. */
async function readGases(db: Database, inventoryId: string): Promise<TotalLine[]> {
  const sums = sql.join(
    GAS_GROUPS.flatMap((group) => [
      sql`coalesce(trim_scale(sum(${sql.ref(group)}) filter (where method is distinct from 'market')), 0)::text as ${sql.ref(`${group}_location`)}`,
      sql`coalesce(trim_scale(sum(${sql.ref(group)}) filter (where method is distinct from 'location')), 0)::text as ${sql.ref(`${group}_market`)}`,
    ]),
  )
  const { rows } = await sql<Record<string, string>>`
    select ${sums} from calculation_totals where inventory_id = ${inventoryId}`.execute(db)
  return GAS_GROUPS.flatMap((group) => {
    const location = plain(new Figure(rows[0]?.[`${group}Location`] ?? 0))
    const market = plain(new Figure(rows[0]?.[`${group}Market`] ?? 0))
    if (location === '0' && market === '0') return []
    return [{ ...NOTHING, key: group, title: GAS_TITLES[group], location, market }]
  })
}

type Source = {
  id: string
  sourceType: string
  sourceName: string | null
  sourceLabel: string | null
  facilityName: string
}

/**
 * Names the totals by source, "Boiler 2, Auburn Boulevard", and its facility, largest first. A line's key is the ID of its
 * source.
 */
async function nameSourceLines(db: Database, lines: readonly TotalLine[]): Promise<Totals['sources']> {
  if (lines.length === 0) return []
  const { rows } = await sql<Source>`
    select s.id::text, s.source_type, s.name as source_name, s.label as source_label, f.name as facility_name
    from emission_sources s ${FACILITIES_OF_SOURCES}
    where s.id = any(${lines.map(({ key }) => key)}::bigint[])`.execute(db)
  const sources = new Map(rows.map((source) => [source.id, source]))
  return lines
    .map((line) => {
      const source = sources.get(line.key)
      if (source === undefined) return { ...line, facilityName: '' }
      const { facilityName } = source
      return { ...line, title: `${sourceTitle(source)}, ${facilityName}`, facilityName }
    })
    .toSorted(
      (one, other) =>
        new Figure(other.location).comparedTo(one.location) || one.title.localeCompare(other.title, 'en'),
    )
}
