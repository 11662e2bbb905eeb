import fc from 'fast-check'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluateRule } from '#contract/expressions/evaluate.ts'
import { readRule } from '#contract/expressions/read.ts'
import type { Rule } from '#contract/expressions/tree.ts'
import { openOwner, openPool } from '#server/database/connect.ts'
import { kyselyOver, type Database } from '#server/database/tenant-transaction.ts'
import type { FieldSql } from '#server/lists/list-source.ts'
import { ruleToSql } from '#server/lists/rule-sql.ts'
import { anyRule, DAYS, MOMENTS, NOW, TEXTS, VARIABLES } from '#test/factories/lists/any-rule.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'

const ROWS = 120
const RULES = 600

const IDS = ['1', '2', '3', '9223372036854775807']
const INTEGERS = [0, -1, 1, 3, 2019, 2020, 2_147_483_647, -2_147_483_648]
const CENTS = [
  '0',
  '1',
  '-1',
  '10',
  '2499999',
  '2500000',
  '2500001',
  '201900',
  '9223372036854775807',
  '-9223372036854775808',
]
const DECIMALS = ['0', '0.1', '0.2', '0.30', '2019.5', '-2.5', '0.0000001', '123456789012345.123456789', '3']
/** Instants between two milliseconds. */
const BETWEEN = [
  '0001-01-01T00:00:00.000001Z',
  '1969-12-31T23:59:59.999999Z',
  '2026-03-01T10:30:00.123999Z',
  '2026-03-01T10:30:00.122999Z',
]

const COLUMNS = {
  text: ['text', fc.constantFrom(...TEXTS)],
  texts: ['text[]', fc.array(fc.constantFrom(...TEXTS), { maxLength: 3 })],
  choice: ['text', fc.constantFrom('live', 'sold', 'on hold')],
  reference: ['bigint', fc.constantFrom(...IDS)],
  references: ['bigint[]', fc.array(fc.constantFrom(...IDS), { maxLength: 3 })],
  integer: ['integer', fc.constantFrom(...INTEGERS)],
  decimal: ['numeric', fc.constantFrom(...DECIMALS)],
  money: ['bigint', fc.constantFrom(...CENTS)],
  date: ['date', fc.constantFrom(...DAYS)],
  moment: ['timestamptz', fc.constantFrom(...MOMENTS, ...BETWEEN)],
  flag: ['boolean', fc.boolean()],
} as const
const ZONES = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland'] as const
const NAMES = Object.keys(VARIABLES)
const fields: Record<string, FieldSql> = Object.fromEntries(
  NAMES.map((name) => [name, { value: sql.raw(`"${name}"`) }]),
)

let database: TestDatabase
let pool: pg.Pool
let db: Database
let rows: Record<string, unknown>[]
/** The time zone for days. */
let zone: (typeof ZONES)[number] = 'UTC'

beforeAll(async () => {
  database = await freshDatabase()
  const owner = openOwner(database.connection)
  await owner.connect()
  const columns = Object.entries(VARIABLES).map(([name, { kind }]) => `"${name}" ${COLUMNS[kind][0]}`)
  // `things` has a policy, like every table of the product. `planted` is for single rows.
  await owner.query(`create table things (id integer, ${columns.join(', ')})`)
  for (const name of NAMES) await owner.query(`create index on things ("${name}")`)
  await owner.query('create table planted (like things)')
  await owner.query('alter table things enable row level security')
  await owner.query('create policy reach on things to forecourt_app using (id + 0 < 1000)')
  await owner.query('grant select on things, planted to forecourt_app')
  const anyRow = fc.record(
    Object.fromEntries(
      Object.entries(VARIABLES).map(([name, { kind }]) => [
        name,
        fc.option<unknown>(COLUMNS[kind][1], { freq: 4 }),
      ]),
    ),
  )
  const places = NAMES.map((_, at) => `$${at + 2}`)
  // Always the same rows: the printed seed of a failure is enough to reproduce it.
  for (const [id, row] of fc.sample(anyRow, { numRuns: ROWS, seed: 4 }).entries()) {
    const values = NAMES.map((name) => row[name])
    await owner.query(`insert into things values ($1, ${places.join(', ')})`, [id, ...values])
  }
  await owner.query(
    `insert into planted (id, name, price, cost, seen, makes, year) values
    (1, 'Now 100% new', 2200001, 2000000, '2026-03-01 23:59:59.999999+00', '{Ford}', 2020),
    (2, '"; DROP table things; --', 2200000, 2000000, '2026-03-02 00:00:00+00', '{}', 2019),
    (3, null, 100, null, null, null, null)`,
  )
  await owner.end()
  pool = openPool(database.login, 'forecourt_app', 1)
  db = kyselyOver(({ sql: text, parameters }) => pool.query(text, [...parameters]))
  rows = (await pool.query('select * from things order by id')).rows
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

function read(text: string): Rule {
  const result = readRule(text, VARIABLES)
  if (!result.ok) throw new Error(`${result.problem.message}\n${text}`)
  return result.rule
}

const where = (rule: Rule, table = 'things') =>
  sql<{
    id: number
  }>`select id from ${sql.ref(table)} where ${ruleToSql(rule, fields, { now: NOW, zone })} order by id`

async function bySql(rule: Rule, table?: string): Promise<unknown[]> {
  return (await where(rule, table).execute(db)).rows.map(({ id }) => id)
}

const byHand = (rule: Rule, of = rows) =>
  of.filter((row) => evaluateRule(rule, row, { now: NOW, zone })).map(({ id }) => id)

test('the database finds the rows for which the evaluator returns true', async () => {
  let some = 0
  await fc.assert(
    fc.asyncProperty(anyRule, fc.constantFrom(...ZONES), async (text, of) => {
      zone = of
      const rule = read(text)
      const found = await bySql(rule)
      if (found.length > 0 && found.length < ROWS) some += 1
      expect(found).toEqual(byHand(rule))
    }),
    { numRuns: RULES },
  )
  zone = 'UTC'
  // Rules that are always or never true prove nothing.
  expect(some).toBeGreaterThan(RULES / 4)
}, 120_000)

test.for([
  // An empty group of rows would match all of them.
  ['price > cost * 1.1', [1]],
  ['!(price > cost * 1.1)', [2, 3]],
  ['price == 22000.01', [1]],
  ['price > 21999.995 && price < 22000.005', [2]],
  ['name.contains("100%")', [1]],
  ['name.contains("_")', []],
  ['name == "\\"; drop table things; --"', [2]],
  ['seen == date("2026-03-01")', [1]],
  ['seen <= timestamp("2026-03-01T23:59:59.999Z")', [1]],
  ['makes == null', [2, 3]],
  ['year / 0 == null', [1, 2, 3]],
] as const)('%s finds %o', async ([text, expected]) => {
  const rule = read(text)
  const planted = (await pool.query('select * from planted order by id')).rows
  expect(await bySql(rule, 'planted')).toEqual(expected)
  expect(byHand(rule, planted)).toEqual(expected)
})

test.for([
  ['status', 'status == "SOLD"'],
  ['status', 'status in ["sold", "live"]'],
  ['lot', 'lot == "2"'],
  ['lot', 'lot in ["2", "3"]'],
  ['year', 'year > 2019.5'],
  ['year', 'year in [2019, 2020]'],
  ['price', 'price >= 24999.995'],
  ['price', '25000 > price'],
  ['price', 'price in [25000, 0.01]'],
  ['came', 'came >= daysAgo(30)'],
  ['seen', 'seen == date("2026-03-01")'],
  ['seen', 'seen <= now()'],
] as const)('under row-level security, the index on %s is used for %s', async ([column, text]) => {
  const { sql: statement, parameters } = sql`explain ${where(read(text))}`.compile(db)
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    const plan = (await client.query(statement, [...parameters])).rows.map((row) => Object.values(row)[0])
    expect(plan.join('\n')).toMatch(new RegExp(`Index Cond: .*\\b${column}\\b`))
  } finally {
    await client.query('rollback')
    client.release()
  }
})
