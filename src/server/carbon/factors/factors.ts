import { sql } from 'kysely'
import type { FactorDataset, factors } from '#contract/carbon/factors/factors.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Handlers } from '#server/http/serve.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { factorSource, readFactor, readFactors, hasWords } from './factor-rows.ts'
import { readFactorUsage } from './factor-usage.ts'
import { readMeasures, readUnitTable } from './measures.ts'
import { removeCustomFactor } from './custom-factors.ts'
import type { FactorChoice, FactorQuery } from '#contract/carbon/factors/find-factor.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import { refused } from '#server/http/failure.ts'
import { chooseFactor } from './choose-factor.ts'

/** The most factors that are compared, and that are returned. */
const MOST_COMPARED = 2_000
const MOST_RETURNED = 25

/**
 * The factor for an activity, a region, a date and a unit, and why. The query is an activity path, or else search words.
 * @throws Failure 400 on `unit` if it can't be read, with suggestions.
 */
async function findFactor(db: Database, { query, unit, ...criteria }: FactorQuery): Promise<FactorChoice> {
  const units = await readUnitTable(db)
  const read = unit === undefined || unit === '' ? null : readUnit(units, unit)
  if (read !== null && 'problem' in read) throw refused('Some fields are invalid.', { unit: read.problem })
  const ofPath = await readFactors(db, sql`f.activity = ${query}`, { limit: MOST_COMPARED })
  const found = ofPath.length > 0 ? ofPath : await readFactors(db, hasWords(query), { limit: MOST_COMPARED })
  const choice = chooseFactor(found, { ...criteria, unit: read }, units)
  return {
    ...choice,
    candidates: choice.candidates.slice(0, MOST_RETURNED),
    leftOut: Math.max(0, choice.candidates.length - MOST_RETURNED),
  }
}

/** Library factors and the customer's custom factors. What a new one changes is calculated above this folder. */
export const factorHandlers: Omit<Handlers<typeof factors>, 'preview' | 'add' | 'update'> = {
  async list({ db, actor, input }) {
    const { ids, ...counts } = await readPage(db, actor, factorSource, input)
    const rows = await readFactors(db, isOneOf(factorSource, ids), { limit: ids.length })
    return { ...counts, results: inOrder(ids, rows) }
  },

  get: ({ db, input }) => readFactor(db, input.id),

  usage: ({ db, input }) => readFactorUsage(db, input.id),

  async remove({ db, actor, input }) {
    await removeCustomFactor(db, actor, input)
    return null
  },

  datasets: ({ db }) => readDatasets(db),
  measures: ({ db }) => readMeasures(db),
  find: ({ db, input }) => findFactor(db, input),
}

async function readDatasets(db: Database) {
  const { rows: datasets } = await sql<FactorDataset>`
    with counted as (
      select dataset_id, count(*)::int as factors from library.factors where superseded_by is null group by dataset_id)
    select d.*, coalesce(counted.factors, 0) as factors from (
      select id::text, 'library' as origin, publisher, title, edition, year, region, gwp_set, license, attribution, url
      from library.factor_datasets
      union all
      select id::text, 'imported', publisher, title, edition, year, region, gwp_set, license, attribution, url from factor_datasets
    ) d left join counted on counted.dataset_id = d.id::bigint
    order by d.publisher, d.title, d.year desc, d.id`.execute(db)
  const { rows } = await sql<{ gridRegions: string[]; customFactors: number }>`select
    array(select distinct region from library.factors where activity = 'electricity/grid' and use = 'inventory'
      and superseded_by is null order by 1) as grid_regions,
    (select count(*)::int from emission_factors where dataset_id is null and superseded_by is null) as custom_factors`.execute(
    db,
  )
  return { datasets, gridRegions: rows[0]?.gridRegions ?? [], customFactors: rows[0]?.customFactors ?? 0 }
}
