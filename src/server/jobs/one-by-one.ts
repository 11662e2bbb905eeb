import { sql } from 'kysely'
import { brokenKey } from '#server/database/violations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Outcome } from './job-kind.ts'

/**
 * Does something to many rows by one statement, and where a unique key is in the way of one of them, to each by its
 * own, so that the others come through.
 * @param refuse the outcome of a row that may not be, from the name of the key.
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

/** @returns the name of the unique key that was in the way, with the transaction as it was before. */
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
