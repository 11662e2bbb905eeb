import { sql } from 'kysely'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import { makeUnitTable } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readFactors } from '../factors/factor-rows.ts'
import { readMeasures } from '../factors/measures.ts'
import { activitiesOf } from './make-lines.ts'
import type { Citation, LineKey, ReferenceData } from './calculation-line.ts'

/** The most factors loaded at once: far more than the library has. */
const MOST_FACTORS = 50_000

/**
 * The reference data that calculation lines for some keys may need: factors of their activities, manually chosen factors,
 * units, fuels and GWPs.
 * @param inventory whose organization and GWPs are used. Custom factors of the customer's other organizations are left out, also if the user
 * may see them, so that the result doesn't depend on who calculates it.
 */
export async function loadReferenceData(
  db: Database,
  { organizationId, gwpEdition }: { organizationId: string; gwpEdition: number },
  keys: readonly Pick<LineKey, 'activity' | 'manualFactorId'>[],
): Promise<ReferenceData> {
  const { units, aliases, fuels, gwps } = await readMeasures(db, gwpEdition)
  const activities = [...new Set(keys.flatMap((key) => activitiesOf(key)))]
  const manualIds = [
    ...new Set(keys.flatMap(({ manualFactorId }) => (manualFactorId === null ? [] : [manualFactorId]))),
  ]
  const newest = await readNewest(db, manualIds)
  const found = await readFactors(
    db,
    sql`(f.organization_id is null or f.organization_id = ${organizationId})
      and (f.activity = any(${activities}) or f.id = any(${[...newest.values()]}::bigint[]))`,
    { limit: MOST_FACTORS },
  )
  const citations = await readCitations(
    db,
    found.map(({ id }) => id),
  )
  const ofActivity = new Map<string, FactorRow[]>()
  for (const factor of found) {
    const there = ofActivity.get(factor.activity)
    if (there === undefined) ofActivity.set(factor.activity, [factor])
    else there.push(factor)
  }
  const byId = new Map(found.map((factor) => [factor.id, factor]))
  return {
    units: makeUnitTable({ units, aliases }),
    fuels,
    gwps,
    ofActivity: (activity) => ofActivity.get(activity) ?? [],
    byId: (id) => byId.get(newest.get(id) ?? id),
    citationOf: (id) => citations.get(id),
  }
}

/** The newest version of each manually chosen factor. */
async function readNewest(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ first: string; id: string }>`
    with recursive later(first, id, superseded_by) as (
      select f.id, f.id, f.superseded_by from library.factors f where f.id = any(${[...ids]}::bigint[])
      union select later.first, f.id, f.superseded_by from library.factors f join later on f.id = later.superseded_by)
    select first::text, id::text from later where superseded_by is null`.execute(db)
  return new Map(rows.map(({ first, id }) => [first, id]))
}

async function readCitations(db: Database, ids: readonly string[]): Promise<Map<string, Citation>> {
  const { rows } = await sql<Citation & { id: string }>`
    select f.id::text, f.source_table as "table", f.source_rows as "rows", f.price_year, f.gwp_set from library.factors f
    where f.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...citation }) => [id, citation]))
}
