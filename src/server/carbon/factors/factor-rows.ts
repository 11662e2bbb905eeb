import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Factor, FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import { FACTOR_LIST } from '#contract/carbon/factors/factor-list.ts'
import { GWP_SETS, resolve, type GwpValue } from '#contract/carbon/factors/resolve.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { notFound } from '#server/http/failure.ts'
import { containing } from '#server/lists/contains.ts'
import { instant } from '#server/lists/json-text.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { readGwps } from './measures.ts'

const column = (name: string) => ({ value: sql.ref(`f.${name}`) })
const scope = sql<string>`case when f.scopes[1] = 'outside' then 'outside' else left(f.scopes[1], 1) end`
const origin = sql<string>`case when f.customer_id is null then 'library' when f.dataset_id is null then 'own' else 'imported' end`
/** kg CO2e per unit by AR5, for sorting and exports. The screen shows what `resolve` calculates by gas. */
const co2e = sql<string>`(select case when not bool_or(w.is_unknown) then sum(w.counted) end from (
    select not (t.has_total or g.basis = 'co2e' or (g.is_biogenic and g.gas = 'CO2') or v.gwp is not null) as is_unknown,
      case when g.is_biogenic and g.gas = 'CO2' then 0
        when t.has_total then case when g.gas = 'CO2e' then g.kg else 0 end
        when g.basis = 'co2e' then g.kg
        when v.is_kyoto then g.kg * v.gwp else 0 end as counted
    from library.factor_gases g
    cross join lateral (select exists (select from library.factor_gases o
      where o.factor_id = f.id and o.gas = 'CO2e') as has_total) t
    left join library.gwp_values v on v.gas = g.gas and v.gwp_set = 'AR5' and v.edition = library.newest_gwp_edition()
    where g.factor_id = f.id) w)`

/** Library factors and the customer's custom factors; row-level security limits the latter. */
export const factorSource: ListSource<keyof typeof FACTOR_LIST.fields> = {
  list: FACTOR_LIST,
  from: sql`library.factors f`,
  within: (actor) => sql`(f.customer_id is null or f.customer_id = ${actor.customerId})`,
  id: sql`f.id`,
  title: sql`f.name`,
  fields: {
    name: { ...column('name'), isNeverNull: true },
    region: { ...column('region'), isNeverNull: true },
    scope: { value: scope, isNeverNull: true },
    unit: { ...column('unit'), isNeverNull: true },
    co2e: { value: co2e },
    publisher: { ...column('publisher'), isNeverNull: true },
    edition: { ...column('edition'), isNeverNull: true },
    year: { ...column('year'), isNeverNull: true },
    category: { ...column('category'), isNeverNull: true },
    activity: { ...column('activity'), isNeverNull: true },
    scopes: column('scopes'),
    basis: column('calorific_basis'),
    origin: { value: origin, isNeverNull: true },
    use: column('use'),
    isCurrent: { value: sql`f.superseded_by is null` },
    validFrom: { ...column('valid_from'), isNeverNull: true },
    validTo: column('valid_to'),
  },
  search: (text) => hasWords(text),
}

/** Every word must occur somewhere in the factor: "natural gas US" finds those of the United States. */
export function hasWords(text: string): RawBuilder<SqlBool> {
  const words = text.trim().split(/\s+/).slice(0, 12)
  const where = sql`concat_ws(' ', f.name, f.category, replace(f.activity, '/', ' '), f.activity, f.region, f.publisher, f.dataset, f.edition, f.unit)`
  return sql<SqlBool>`(${sql.join(
    words.map((word) => sql<SqlBool>`${where} ilike ${containing(word)}`),
    sql` and `,
  )})`
}

const shown = sql`f.id::text, ${origin} as origin, f.organization_id::text, f.dataset_id::text, f.publisher, f.dataset,
  f.edition, f.year, f.scopes, f.category, f.activity, f.name, f.region, f.unit, f.calorific_basis, f.boundary, f.use,
  f.valid_from::text, f.valid_to::text, f.superseded_by::text,
  (select json_agg(json_build_object('gas', g.gas, 'isBiogenic', g.is_biogenic, 'basis', g.basis,
    'kg', trim_scale(g.kg)::text) order by g.place) from library.factor_gases g where g.factor_id = f.id) as gases`

/** Factors that match a condition on `library.factors f`, each with its emissions per unit by AR5. */
export async function readFactors(
  db: Database,
  condition: RawBuilder<SqlBool>,
  { limit }: { limit: number },
): Promise<FactorRow[]> {
  const { rows } = await sql<Omit<FactorRow, 'co2e'>>`select ${shown} from library.factors f
    where ${condition} order by f.id limit ${limit}`.execute(db)
  if (rows.length === 0) return []
  const gwps = await readGwps(db)
  return rows.map((row) => withCo2e(row, gwps))
}

function withCo2e(row: Omit<FactorRow, 'co2e'>, gwps: readonly GwpValue[]): FactorRow {
  return { ...row, co2e: resolve(row, 'AR5', gwps).co2e }
}

type Cited = Omit<Factor, 'co2e' | 'resolved' | 'replaces' | 'version'>

/**
 * One factor with its citation, and its emissions per unit with each GWP set.
 * @throws Failure 404, also for another customer's.
 */
export async function readFactor(db: Database, id: string): Promise<Factor> {
  const { rows } = await sql<Cited>`select ${shown}, f.license, f.attribution, f.url, f.gwp_set, f.price_year,
      f.source_table as "table", f.source_rows as "rows", f.note, f.source_note, ${instant(sql`f.created_at`)} as created_at,
      f.created_by from library.factors f where f.id = ${id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw notFound('Emission factor')
  const { rows: replaces } = await sql<{ id: string; createdAt: string | null }>`
    with recursive former(id, created_at) as (
      select f.id, f.created_at from library.factors f where f.superseded_by = ${id}
      union select f.id, f.created_at from library.factors f join former on f.superseded_by = former.id)
    select id::text, ${instant(sql`created_at`)} as created_at from former order by former.id desc`.execute(
    db,
  )
  const gwps = await readGwps(db)
  return {
    ...withCo2e(row, gwps),
    ...row,
    replaces,
    version: replaces.length + 1,
    resolved: GWP_SETS.map((set) => resolve(row, set, gwps)),
  }
}
