import { sql } from 'kysely'
import type { FactorChoice, FactorQuery } from '#contract/carbon/factors/find-factor.ts'
import { readUnit } from '#contract/carbon/factors/unit-table.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { refused } from '#server/http/failure.ts'
import { chooseFactor } from './choose-factor.ts'
import { hasWords, readFactors } from './factor-rows.ts'
import { readUnitTable } from './measures.ts'

/** The most factors that are compared, and that are returned. */
const MOST_COMPARED = 2_000
const MOST_RETURNED = 25

/**
 * The factor for an activity, a region, a date and a unit, and why. The query is an activity path, or else search words.
 * @throws Failure 400 on `unit` if it can't be read, with suggestions.
 */
export async function findFactor(
  db: Database,
  { query, unit, ...criteria }: FactorQuery,
): Promise<FactorChoice> {
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
