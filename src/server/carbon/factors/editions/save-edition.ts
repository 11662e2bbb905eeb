import { sql } from 'kysely'
import type { EditionDetails } from '#contract/carbon/factors/factor-editions.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { EditionFactor } from './make-factors.ts'

/** Saves an edition for all organizations of the customer, with three statements for any number of factors. @returns its ID. */
export async function saveEdition(
  db: Database,
  details: EditionDetails,
  factors: readonly EditionFactor[],
): Promise<string> {
  const { id } = await db
    .insertInto('factorDatasets')
    .values({ ...details, gwpSet: details.gwpSet ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = factors.map(({ gases: _gases, isKnown: _known, ...factor }, place) => ({ ...factor, place }))
  const { rows: ids } = await sql<{ id: string; place: number }>`
    with line as materialized (
      select nextval('library.factor_ids') as id, r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r
        (place integer, scopes jsonb, category text, activity text, name text, region text, unit text, "calorificBasis" text,
         boundary text, "validFrom" date, "validTo" date, "priceYear" integer, "table" text, "rows" text, note text, use text)
    ), inserted as (
      insert into emission_factors (id, organization_id, dataset_id, scopes, category, activity, name, region, unit,
        calorific_basis, boundary, use, valid_from, valid_to, price_year, source_table, source_rows, note)
      select id, null, ${id}::bigint, array(select jsonb_array_elements_text(scopes)), category, activity, name, region, unit,
        "calorificBasis", boundary, use, "validFrom", "validTo", "priceYear", "table", "rows", note
      from line)
    select id::text, place from line`.execute(db)
  const idOf = new Map(ids.map((row) => [row.place, row.id]))
  const gases = factors.flatMap(({ gases: own }, at) =>
    own.map((gas, place) => ({ ...gas, factorId: idOf.get(at), place: place + 1 })),
  )
  await sql`insert into emission_factor_gases (factor_id, place, gas, is_biogenic, basis, kg)
    select "factorId", place, gas, "isBiogenic", basis, kg from jsonb_to_recordset(${JSON.stringify(gases)}::jsonb)
      as r ("factorId" bigint, place integer, gas text, "isBiogenic" boolean, basis text, kg numeric)`.execute(
    db,
  )
  return id
}
