import { sql } from 'kysely'
import type { z } from 'zod'
import type { AsOwner, Database } from '#server/database/tenant-transaction.ts'
import { findAffectedActivities } from '../staleness/mark-sources-stale.ts'
import {
  AliasLine,
  BlendLine,
  DatasetLine,
  FactorLine,
  FuelLine,
  GwpLine,
  type LibraryFile,
  markOf,
  readLibraryFile,
  UnitLine,
} from './library-files.ts'

/** Serializes servers that start at the same time. */
const LIBRARY_LOCK = 7_204_123

/**
 * Updates the library in the database from the files of this version: units, GWPs, blends, and the factors of each
 * dataset. Unchanged files are skipped. A changed factor becomes a new row that supersedes the old one, so that past
 * results keep their factor.
 * @returns the number of new factors.
 */
export async function loadLibrary(asOwner: AsOwner): Promise<number> {
  const datasets = await readLibraryFile('datasets.csv')
  const lines = parse(DatasetLine, datasets, 'datasets.csv')
  return asOwner(async (db) => {
    await sql`select pg_advisory_xact_lock(${LIBRARY_LOCK})`.execute(db)
    const loaded = await readMarks(db)
    for (const { name, load } of TABLES) {
      const file = await readLibraryFile(name)
      if (loaded.get(name) === file.mark) continue
      await load(db, file)
      await note(db, name, file.mark)
    }
    let added = 0
    for (const dataset of lines) {
      const file = await readLibraryFile(dataset.file)
      const mark = markOf(`${file.mark} ${JSON.stringify(dataset)}`)
      if (loaded.get(dataset.file) === mark) continue
      added += await loadFactors(db, dataset, parse(FactorLine, file, dataset.file))
      await note(db, dataset.file, mark)
    }
    return added
  })
}

async function readMarks(db: Database): Promise<Map<string, string>> {
  const { rows } = await sql<{
    name: string
    mark: string
  }>`select name, mark from library.loaded_files`.execute(db)
  return new Map(rows.map(({ name, mark }) => [name, mark]))
}

async function note(db: Database, name: string, mark: string): Promise<void> {
  await sql`insert into library.loaded_files (name, mark) values (${name}, ${mark})
    on conflict (name) do update set mark = excluded.mark, loaded_at = app_now()`.execute(db)
}

function parse<S extends z.ZodType>(line: S, { rows }: LibraryFile, name: string): z.output<S>[] {
  return rows.map((row, at) => {
    const read = line.safeParse(row)
    if (read.success) return read.data
    throw new Error(`data/carbon/${name}, row ${at + 2}: ${read.error.issues[0]?.message}`)
  })
}

type Load = { name: string; load: (db: Database, file: LibraryFile) => Promise<void> }

/** Reference tables: the rows of a file replace the former ones. */
const TABLES: readonly Load[] = [
  {
    name: 'units.csv',
    load: (db, file) =>
      put(
        db,
        parse(UnitLine, file, 'units.csv'),
        (rows) => sql`
        insert into library.units (code, name, dimension, base, to_base, definition)
        select code, name, dimension, base, to_base, definition from jsonb_to_recordset(${rows}::jsonb)
          as r (code text, name text, dimension text, base text, to_base numeric, definition text)
        on conflict (code) do update set (name, dimension, base, to_base, definition) =
          (excluded.name, excluded.dimension, excluded.base, excluded.to_base, excluded.definition)`,
      ),
  },
  {
    name: 'unit-aliases.csv',
    load: async (db, file) => {
      await sql`delete from library.unit_aliases`.execute(db)
      await put(
        db,
        parse(AliasLine, file, 'unit-aliases.csv'),
        (rows) => sql`
        insert into library.unit_aliases (alias, unit, calorific_basis)
        select alias, unit, calorific_basis from jsonb_to_recordset(${rows}::jsonb)
          as r (alias text, unit text, calorific_basis text)`,
      )
    },
  },
  {
    name: 'fuel-properties.csv',
    load: (db, file) =>
      put(
        db,
        parse(FuelLine, file, 'fuel-properties.csv'),
        (rows) => sql`
        insert into library.fuel_properties
          (fuel, name, year, net_gj_per_tonne, gross_gj_per_tonne, kg_per_m3, dataset, source_table, source_rows)
        select fuel, name, year, net_gj_per_tonne, gross_gj_per_tonne, kg_per_m3, dataset, "table", rows
        from jsonb_to_recordset(${rows}::jsonb) as r (fuel text, name text, year integer, net_gj_per_tonne numeric,
          gross_gj_per_tonne numeric, kg_per_m3 numeric, dataset text, "table" text, rows text)
        on conflict (fuel, year) do update set (name, net_gj_per_tonne, gross_gj_per_tonne, kg_per_m3) =
          (excluded.name, excluded.net_gj_per_tonne, excluded.gross_gj_per_tonne, excluded.kg_per_m3)`,
      ),
  },
  { name: 'gwp.csv', load: (db, file) => saveGwps(db, parse(GwpLine, file, 'gwp.csv')) },
  {
    name: 'refrigerant-blends.csv',
    load: async (db, file) => {
      await sql`delete from library.refrigerant_components`.execute(db)
      await put(
        db,
        parse(BlendLine, file, 'refrigerant-blends.csv'),
        (rows) => sql`
        insert into library.refrigerant_components (blend, component, mass_percent, printed_ar5, source_table, source_rows)
        select blend, component, mass_percent, printed_ar5, "table", rows from jsonb_to_recordset(${rows}::jsonb)
          as r (blend text, component text, mass_percent numeric, printed_ar5 numeric, "table" text, rows text)`,
      )
    },
  },
]

async function put(
  db: Database,
  rows: readonly object[],
  statement: (json: string) => ReturnType<typeof sql>,
): Promise<void> {
  await statement(JSON.stringify(rows)).execute(db)
}

/** Loads the factors of one dataset with a fixed number of statements. New and changed factors become new rows. */
async function loadFactors(
  db: Database,
  dataset: DatasetLine,
  lines: readonly FactorLine[],
): Promise<number> {
  const { rows: found } = await sql<{ id: string }>`
    insert into library.factor_datasets (key, publisher, title, edition, year, region, gwp_set, license, attribution, url)
    values (${dataset.key}, ${dataset.publisher}, ${dataset.title}, ${dataset.edition}, ${dataset.year}, ${dataset.region},
      ${dataset.gwp_set}, ${dataset.license}, ${dataset.attribution}, ${dataset.url})
    on conflict (key) do update set (publisher, title, edition, year, region, gwp_set, license, attribution, url) =
      (excluded.publisher, excluded.title, excluded.edition, excluded.year, excluded.region, excluded.gwp_set,
       excluded.license, excluded.attribution, excluded.url)
    returning id`.execute(db)
  const datasetId = found[0]?.id
  const factors = lines.map((line) => ({ ...line, mark: markOf(JSON.stringify(line)) }))
  const { rows: made } = await sql<{ id: string; key: string }>`
    with line as (
      select *, nextval('library.factor_ids') as id from jsonb_to_recordset(${JSON.stringify(factors)}::jsonb) as r
        (key text, mark text, scope text[], category text, activity text, name text, region text, unit text, calorific_basis text,
         boundary text, use text, valid_from date, valid_to date, "table" text, rows text, note text)
      where not exists (select from library.emission_factors f
        where f.key = r.key and f.mark = r.mark and f.superseded_by is null)
    ), replaced as (
      update library.emission_factors f set superseded_by = line.id from line
      where f.key = line.key and f.superseded_by is null returning f.id
    )
    select id::text, key from line`.execute(db)
  const idOf = new Map(made.map(({ id, key }) => [key, id]))
  const fresh = factors.flatMap((line) => {
    const id = idOf.get(line.key)
    return id === undefined ? [] : [{ ...line, id }]
  })
  await sql`insert into library.emission_factors (id, dataset_id, key, mark, scopes, category, activity, name, region, unit,
      calorific_basis, boundary, use, valid_from, valid_to, source_table, source_rows, note, gwp_set)
    select id, ${datasetId}::bigint, key, mark, scope, category, activity, name, region, unit, calorific_basis, boundary, use,
      valid_from, valid_to, "table", rows, note, gwp_set
    from jsonb_to_recordset(${JSON.stringify(fresh)}::jsonb) as r
      (id bigint, key text, mark text, scope text[], category text, activity text, name text, region text, unit text,
       calorific_basis text, boundary text, use text, valid_from date, valid_to date, "table" text, rows text, note text,
       gwp_set text)`.execute(db)
  const gases = fresh.flatMap(({ id, gases: own }) =>
    own.map(({ gas, isBiogenic, basis, kg }, at) => ({ id, place: at + 1, gas, isBiogenic, basis, kg })),
  )
  await sql`insert into library.emission_factor_gases (factor_id, place, gas, is_biogenic, basis, kg)
    select id, place, gas, "isBiogenic", basis, kg from jsonb_to_recordset(${JSON.stringify(gases)}::jsonb)
      as r (id bigint, place integer, gas text, "isBiogenic" boolean, basis text, kg numeric)`.execute(db)
  if (fresh.length > 0) await markReplacedStale(db, fresh)
  return fresh.length
}

/** Queues sources for recalculation that use one of these activities, or whose results used a factor that was replaced. */
async function markReplacedStale(
  db: Database,
  fresh: readonly { id: string; activity: string }[],
): Promise<void> {
  const affected = await findAffectedActivities(
    db,
    fresh.map(({ activity }) => activity),
  )
  const ids = fresh.map(({ id }) => id)
  await sql`select mark_stale(w.customer_id, array_agg(w.id)) from (
      select s.customer_id, s.id from emission_sources s where s.activity = any(${affected})
      union select r.customer_id, r.source_id from calculation_totals r
      join library.emission_factors f on f.id = r.factor_id where f.superseded_by = any(${ids}::bigint[])
    ) w group by w.customer_id`.execute(db)
}

/**
 * Saves the GWPs of the library. If a value changed, or a gas is new or gone, they become a new edition: inventories keep
 * the values of theirs, and only new ones use it. Sources and notes are corrected in place.
 */
async function saveGwps(db: Database, lines: readonly z.output<typeof GwpLine>[]): Promise<void> {
  const columns = sql`gas text, gwp_set text, gwp numeric, is_kyoto boolean, source text, other_gwp numeric, other_source text, note text`
  const given = sql`jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as r (${columns})`
  const newest = sql`library.newest_gwp_edition()`
  const { rows } = await sql<{ isEmpty: boolean; isChanged: boolean }>`
    select not exists (select from library.gwp_values) as is_empty,
      exists (select from (select * from library.gwp_values where edition = ${newest}) v
        full join (select * from ${given}) r on r.gas = v.gas and r.gwp_set = v.gwp_set
        where (v.gwp, v.is_kyoto) is distinct from (r.gwp, r.is_kyoto)) as is_changed`.execute(db)
  const [found] = rows
  if (found !== undefined && found.isChanged && !found.isEmpty)
    await sql`insert into library.gwp_editions (edition) values (${newest} + 1)`.execute(db)
  await sql`
    insert into library.gwp_values (edition, gas, gwp_set, gwp, is_kyoto, source, other_gwp, other_source, note)
    select ${newest}, gas, gwp_set, gwp, is_kyoto, source, other_gwp, other_source, note from ${given}
    on conflict (edition, gas, gwp_set) do update set (source, other_gwp, other_source, note) =
      (excluded.source, excluded.other_gwp, excluded.other_source, excluded.note)`.execute(db)
}
