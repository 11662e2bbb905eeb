import { sql } from 'kysely'
import { brokenKey } from '#server/database/violations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Outcome } from './job-kind.ts'

/**
 * Changes many rows with one statement. If one of them violates a unique key, changes them one by one, so that only that
 * row is rejected.
 * @param refuse makes the outcome of a row from the name of the violated key.
 */
export async function oneByOneIfNeeded<Row>(
  db: Database,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<Outcome[]>,
  refuse: (row: Row, key: string) => Promise<Outcome>,
): Promise<Outcome[]> {
  const tried = await tryWork(db, () => work(rows))
  if (typeof tried !== 'string') return tried
  const outcomes: Outcome[] = []
  for (const row of rows) {
    const one = await tryWork(db, () => work([row]))
    if (typeof one === 'string') outcomes.push(await refuse(row, one))
    else outcomes.push(...one)
  }
  return outcomes
}

/** @returns the outcomes, or the name of the violated unique key with the changes rolled back. */
async function tryWork(db: Database, work: () => Promise<Outcome[]>): Promise<Outcome[] | string> {
  await sql`savepoint before_rows`.execute(db)
  try {
    const outcomes = await work()
    await sql`release savepoint before_rows`.execute(db)
    return outcomes
  } catch (error) {
    const key = brokenKey(error)
    if (key === null) throw error
    await sql`rollback to savepoint before_rows`.execute(db)
    return key
  }
}
