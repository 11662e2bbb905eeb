import { type RawBuilder, sql } from 'kysely'
import { isViolation } from '#server/database/violations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type Image = Readonly<{ image: string }>
type Table = Readonly<{ table: string; customerId: string }>

/**
 * Adds deleted records again with their IDs. @param insert as for `insertAgain`
 * @returns the IDs of those that are there, also of those that an earlier undo had added
 */
export async function addAgain(
  db: Database,
  of: Table,
  records: readonly (Image & Readonly<{ id: string }>)[],
  insert: (images: RawBuilder<unknown>) => Promise<unknown>,
): Promise<ReadonlySet<string>> {
  await insertAgain(db, of, records, insert)
  const { rows } = await sql<{ id: string }>`select id::text from ${sql.table(of.table)}
    where customer_id = ${of.customerId} and id = any(${records.map(({ id }) => id)}::bigint[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Inserts rows of `table` that were deleted. If one of them refers to what is gone by now, its reference becomes null, as it would have
 * if the row had been there. @param insert inserts the rows of a JSON array
 * @returns those that could not be inserted
 */
export async function insertAgain<Row extends Image>(
  db: Database,
  of: Table,
  rows: readonly Row[],
  insert: (images: RawBuilder<unknown>) => Promise<unknown>,
): Promise<Row[]> {
  const all = (some: readonly Image[]) =>
    insert(sql`${`[${some.map(({ image }) => image).join(',')}]`}::jsonb`)
  const left: Row[] = []
  for (const row of await keepWhatWorks(db, rows, all)) {
    const image = await withoutDangling(db, of, row.image)
    if ((await keepWhatWorks(db, [{ image }], all)).length > 0) left.push(row)
  }
  return left
}

/** The image of a row, without references to rows that were deleted after it. */
async function withoutDangling(db: Database, { table, customerId }: Table, image: string): Promise<string> {
  const { rows: references } = await sql<{ column: string; target: string }>`
    select own.attname as "column", f.confrelid::regclass::text as target
    from pg_constraint f join pg_attribute own on own.attrelid = f.conrelid and own.attnum = f.confdelsetcols[1]
    where f.contype = 'f' and f.confdeltype = 'n' and f.conparentid = 0 and f.conrelid = ${table}::regclass`.execute(
    db,
  )
  let left = image
  for (const { column, target } of references) {
    const { rows } = await sql<{ image: string }>`
      select (i || jsonb_build_object(${column}::text, null))::text as image from (select ${left}::jsonb as i) one
      where not exists (select from ${sql.table(target)} t
        where t.customer_id = ${customerId} and t.id = (i ->> ${column})::bigint)`.execute(db)
    left = rows[0]?.image ?? left
  }
  return left
}

/**
 * Does something with many rows in one statement. If a constraint rejects it, halves them until only the rejected ones are left.
 * @returns the rejected rows
 */
export async function keepWhatWorks<Row>(
  db: Database,
  rows: readonly Row[],
  work: (rows: readonly Row[]) => Promise<unknown>,
): Promise<Row[]> {
  if (rows.length === 0 || (await isAccepted(db, () => work(rows)))) return []
  if (rows.length === 1) return [...rows]
  const middle = Math.ceil(rows.length / 2)
  return [
    ...(await keepWhatWorks(db, rows.slice(0, middle), work)),
    ...(await keepWhatWorks(db, rows.slice(middle), work)),
  ]
}

const REJECTIONS = ['unique', 'foreign key', 'row level security', 'check', 'exclusion'] as const

/** @returns false with the changes rolled back if a constraint rejected them */
async function isAccepted(db: Database, work: () => Promise<unknown>): Promise<boolean> {
  await sql`savepoint before_again`.execute(db)
  try {
    await work()
    await sql`release savepoint before_again`.execute(db)
    return true
  } catch (error) {
    if (!REJECTIONS.some((kind) => isViolation(error, kind))) throw error
    await sql`rollback to savepoint before_again`.execute(db)
    return false
  }
}
