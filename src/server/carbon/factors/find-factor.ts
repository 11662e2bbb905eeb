import { sql } from 'kysely'
import type { FactorChoice, FactorQuery } from '#contract/carbon/factors/find-factor.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import { chooseFactor } from './choose-factor.ts'
import { hasWords, readFactors } from './factor-rows.ts'
import { readUnitTable } from './measures.ts'

/** So many are judged, and so many of them told. */
const MOST_JUDGED = 2_000
const MOST_TOLD = 25

/**
 * The factor for an activity, a region, a day and a unit, and why. The query is the path of an activity where there is
 * one of that path, else words.
 * @throws Failure 400 on `unit` where it cannot be read, with what it may be.
 */
export async function findFactor(
  db: Database,
  { query, unit, ...wanted }: FactorQuery,
): Promise<FactorChoice> {
  const units = await readUnitTable(db)
  const read = unit === undefined || unit === '' ? null : readUnit(units, unit)
  if (read !== null && 'problem' in read) throw refused('Some fields are not right.', { unit: read.problem })
  const ofPath = await readFactors(db, sql`f.activity = ${query}`, { limit: MOST_JUDGED })
  const found = ofPath.length > 0 ? ofPath : await readFactors(db, hasWords(query), { limit: MOST_JUDGED })
  const choice = chooseFactor(found, { ...wanted, unit: read }, units)
  return {
    ...choice,
    candidates: choice.candidates.slice(0, MOST_TOLD),
    leftOut: Math.max(0, choice.candidates.length - MOST_TOLD),
  }
}
