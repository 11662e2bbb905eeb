import { type RawBuilder, sql } from 'kysely'
import { isViolation } from '#server/database/violations.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

type Image = Readonly<{ image: string }>
type Table = Readonly<{ table: string; customerId: string }>

/** A reference of a row that was inserted without it, because the record it names is gone. */
export type Dangling = Readonly<{
  /** The row, by its ID; null if its table has none. */
  id: string | null
  column: string
  /** The table of the record, and its ID. */
  target: string
  to: string
}>
type Inserted<Row> = Readonly<{
  /** Those that could not be inserted. */
  left: Row[]
  dangling: (Dangling & Readonly<{ row: Row }>)[]
}>

/**
 * Inserts rows of `table` that were deleted. If one of them refers to what is gone by now, its reference becomes null, as it would have
 * if the row had been there. @param insert inserts the rows of a JSON array
 */
export async function insertAgain<Row extends Image>(
  db: Database,
  of: Table,
  rows: readonly Row[],
  insert: (images: RawBuilder<unknown>) => Promise<unknown>,
): Promise<Inserted<Row>> {
  const all = (some: readonly Image[]) =>
    insert(sql`${`[${some.map(({ image }) => image).join(',')}]`}::jsonb`)
  const inserted: Inserted<Row> = { left: [], dangling: [] }
  for (const row of await keepWhatWorks(db, rows, all)) {
    const { image, dangling } = await withoutDangling(db, of, row.image)
    if ((await keepWhatWorks(db, [{ image }], all)).length > 0) inserted.left.push(row)
    else inserted.dangling.push(...dangling.map((one) => ({ ...one, row })))
  }
  return inserted
}

/** The image of a row without references to records that are gone, and these references. */
async function withoutDangling(db: Database, { table, customerId }: Table, image: string) {
  const { rows: references } = await sql<{ column: string; target: string }>`
    select own.attname as "column", f.confrelid::regclass::text as target
    from pg_constraint f join pg_attribute own on own.attrelid = f.conrelid and own.attnum = f.confdelsetcols[1]
    where f.contype = 'f' and f.confdeltype = 'n' and f.conparentid = 0 and f.conrelid = ${table}::regclass`.execute(
    db,
  )
  const dangling: Dangling[] = []
  let left = image
  for (const { column, target } of references) {
    const { rows } = await sql<{ image: string; id: string | null; to: string }>`
      select (i || jsonb_build_object(${column}::text, null))::text as image, i ->> 'id' as id, i ->> ${column} as "to"
      from (select ${left}::jsonb as i) one
      where i ->> ${column} is not null and not exists (select from ${sql.table(target)} t
        where t.customer_id = ${customerId} and t.id = (i ->> ${column})::bigint)`.execute(db)
    const [found] = rows
    if (found === undefined) continue
    left = found.image
    dangling.push({ column, target, id: found.id, to: found.to })
  }
  return { image: left, dangling }
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
