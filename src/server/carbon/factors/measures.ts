import { sql } from 'kysely'
import type { Measures } from '#contract/carbon/factors/factors.ts'
import type { GwpValue } from '#contract/carbon/factors/resolve.ts'
import { makeUnitTable, type UnitRows, type UnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/**
 * Units, fuel properties and GWPs, with every number as digits.
 * @param gwpEdition of the inventory. Default: the newest GWPs.
 */
export async function readMeasures(db: Database, gwpEdition?: number): Promise<Measures> {
  const { rows } = await sql<{ measures: Measures }>`select json_build_object(
    'units', (select json_agg(json_build_object('code', code, 'name', name, 'dimension', dimension, 'base', base,
      'toBase', trim_scale(to_base)::text) order by dimension, to_base, code) from library.units),
    'aliases', (select json_agg(json_build_object('alias', alias, 'unit', unit, 'basis', calorific_basis) order by alias)
      from library.unit_aliases),
    'fuels', (select json_agg(json_build_object('fuel', p.fuel, 'name', p.name, 'publisher', coalesce(d.publisher, p.dataset),
      'year', p.year, 'netGjPerTonne', trim_scale(p.net_gj_per_tonne)::text, 'grossGjPerTonne', trim_scale(p.gross_gj_per_tonne)::text,
      'kgPerM3', trim_scale(p.kg_per_m3)::text) order by p.name)
      from library.fuel_properties p left join library.factor_datasets d on d.key = p.dataset),
    'gwps', (${gwpsOf(gwpEdition)})) as measures`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('The reference data is missing.')
  return found.measures
}

const gwpsOf = (
  edition: number | undefined,
) => sql`select json_agg(json_build_object('gas', gas, 'gwpSet', gwp_set, 'gwp', trim_scale(gwp)::text,
  'isKyoto', is_kyoto, 'source', source, 'otherGwp', trim_scale(other_gwp)::text, 'otherSource', other_source)
  order by gas, gwp_set) from library.gwp_values
  where edition = ${edition === undefined ? sql`library.newest_gwp_edition()` : edition}`

/** Only the GWPs: the newest, or those of the edition of an inventory. */
export async function readGwps(db: Database, edition?: number): Promise<GwpValue[]> {
  const { rows } = await sql<{ gwps: GwpValue[] }>`select (${gwpsOf(edition)}) as gwps`.execute(db)
  return rows[0]?.gwps ?? []
}

/** Only the units, to read user input. */
export async function readUnitTable(db: Database): Promise<UnitTable> {
  const { rows } = await sql<UnitRows>`select
    (select json_agg(json_build_object('code', code, 'name', name, 'dimension', dimension, 'base', base,
      'toBase', trim_scale(to_base)::text)) from library.units) as units,
    (select json_agg(json_build_object('alias', alias, 'unit', unit, 'basis', calorific_basis)) from library.unit_aliases)
      as aliases`.execute(db)
  return makeUnitTable(rows[0] ?? { units: [], aliases: [] })
}
