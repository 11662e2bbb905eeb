import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOwner } from '#server/database/connect.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'

/** Foreign keys without an index, with reasons. */
const WITHOUT_INDEX: readonly string[] = [
  'customers (id, administrator_id)', // one row per customer, found by the primary key
  'library.emission_factors (dataset_id)', // rows of the library are never deleted
  'library.emission_factors (unit)', // the same
  'library.unit_aliases (unit)', // the same
]

type ForeignKey = {
  name: string
  columns: string[]
  /** The columns of each index that covers all rows with the key. */
  indexes: string[][]
}

let database: TestDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  owner = openOwner(database.connection)
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await database.drop()
})

/** Considers full indexes, and partial ones that only exclude rows where the key is null. */
const FOREIGN_KEYS = `
  select k.conrelid::regclass::text || ' (' || array_to_string(c.columns, ', ') || ')' as name, c.columns, coalesce((
    select json_agg(i.columns) from (
      select array(select pg_get_indexdef(i.indexrelid, n, true) from generate_series(1, i.indnkeyatts) n) as columns
      from pg_index i where i.indrelid = k.conrelid and i.indisvalid and (i.indpred is null
        or pg_get_expr(i.indpred, i.indrelid) = any(select '(' || name || ' IS NOT NULL)' from unnest(c.columns) name))
    ) i), '[]') as indexes
  from pg_constraint k join pg_class t on t.oid = k.conrelid
  cross join lateral (select array(select a.attname::text from unnest(k.conkey) with ordinality as n (number, place)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = n.number order by place) as columns) c
  where k.contype = 'f' and k.conparentid = 0
  order by 1`

/** The selective columns of a key: within a customer, an ID already determines the organization. */
function selectiveColumns(columns: readonly string[]): string[] {
  const ids = columns.filter((column) => column.endsWith('_id') && column !== 'organization_id')
  return ids.some((column) => column !== 'customer_id') ? ids : [...columns]
}

function isCovered({ columns, indexes }: ForeignKey): boolean {
  return indexes.some((index) => {
    const end = index.findIndex((column) => !columns.includes(column))
    const leading = end === -1 ? index : index.slice(0, end)
    return selectiveColumns(columns).every((column) => leading.includes(column))
  })
}

test('every foreign key has an index that begins with its columns', async () => {
  const { rows } = await owner.query<ForeignKey>(FOREIGN_KEYS)
  expect(rows.length).toBeGreaterThan(100)
  const unindexed = rows.filter((key) => !isCovered(key)).map(({ name }) => name)
  expect(unindexed).toEqual([...WITHOUT_INDEX])
})

// A derived column is empty before an update, so that a trigger that compares rows would call every row changed.
test('what a table derives is no change of its rows', async () => {
  const { rows } = await owner.query<{ place: string; definition: string; column: string }>(`
    select a.attrelid::regclass || '.' || a.attname as place, pg_get_triggerdef(t.oid) as definition, a.attname as column
    from pg_attribute a join pg_trigger t on t.tgrelid = a.attrelid
    where a.attgenerated <> '' and not a.attisdropped and t.tgfoid = 'touch_row'::regproc order by 1`)
  expect(rows.map(({ place }) => place)).toContain('lots.is_visible')
  expect(
    rows.filter(({ definition, column }) => !definition.includes(`'${column}'`)).map(({ place }) => place),
  ).toEqual([])
})
