import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

/** The rows added for another customer in each table between the two measurements. */
const OTHERS = 400
/** Extra rows a plan may read by chance: dead index entries, or a page split. */
const TOLERANCE = 20

let forecourt: TestApp
let ford: TestOrganization
let ids: Readonly<Record<'lot' | 'vehicle' | 'user' | 'person' | 'other' | 'record' | 'source', string>>
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  const lot = await ford.addLot()
  const { recordId: record } = await ford.addRecord()
  const inventory = await ford.addInventory()
  // Without records, so that it can be deleted.
  const source = await ford.addSource(inventory, await ford.addChosenFacility(inventory))
  ids = {
    lot,
    vehicle: await ford.addVehicle({ lotId: lot }),
    user: await ford.createUser(),
    person: await ford.addPerson(),
    other: await ford.addPerson(),
    record,
    source,
  }
})
afterAll(() => forecourt.close())

/** One-row writes like those of the product, with the table whose triggers run. */
const WRITES: Readonly<Record<string, () => readonly [table: string, text: string, values: unknown[]]>> = {
  'a vehicle is added': () => [
    'vehicles',
    `insert into vehicles (customer_id, organization_id, lot_id, make, model, stock) values ($1, $2, $3, 'Ford', 'Focus', 'One')`,
    [ford.customerId, ford.organizationId, ids.lot],
  ],
  'a vehicle is renamed': () => [
    'vehicles',
    `update vehicles set trim = 'Sport' where id = $1`,
    [ids.vehicle],
  ],
  'a price changes': () => ['vehicles', 'update vehicles set price_cents = 1 where id = $1', [ids.vehicle]],
  'a vehicle is deleted': () => ['vehicles', 'delete from vehicles where id = $1', [ids.vehicle]],
  'a price rule is added': () => [
    'pricing_rules',
    `insert into pricing_rules (customer_id, name, kind, cents) values ($1, 'One rule', 'discount', 1)`,
    [ford.customerId],
  ],
  'a price is calculated': () => [
    'vehicle_price_history',
    `insert into vehicle_price_history (customer_id, organization_id, vehicle_id, total_cents) values ($1, $2, $3, 1)`,
    [ford.customerId, ford.organizationId, ids.vehicle],
  ],
  'a special price is set': () => [
    'vehicle_special_prices',
    `insert into vehicle_special_prices (customer_id, vehicle_id, organization_id, cents, reason) values ($1, $2, $3, 1, 'Scratch')`,
    [ford.customerId, ids.vehicle, ford.organizationId],
  ],
  'a lead is added': () => [
    'leads',
    `with buyer as (insert into people (customer_id, organization_id, name) values ($1, $2, 'Ina One') returning id)
    insert into leads (customer_id, organization_id, lot_id, person_id, type, source_kind, source_name)
      select $1, $2, $3, id, 'used', 'manual', 'Phone' from buyer`,
    [ford.customerId, ford.organizationId, ids.lot],
  ],
  'a person is added': () => [
    'people',
    `insert into people (customer_id, organization_id, name) values ($1, $2, 'Ina One')`,
    [ford.customerId, ford.organizationId],
  ],
  'a contact detail is added': () => [
    'person_contacts',
    `insert into person_contacts (customer_id, organization_id, person_id, kind, value, value_key)
      values ($1, $2, $3, 'email', 'one@people.example', 'one@people.example')`,
    [ford.customerId, ford.organizationId, ids.person],
  ],
  'a person is merged': () => [
    'people',
    'update people set merged_into_id = $1 where id = $2',
    [ids.person, ids.other],
  ],
  'a lot is added': () => [
    'lots',
    `insert into lots (customer_id, organization_id, code, name) values ($1, $2, 'ONE', 'One lot')`,
    [ford.customerId, ford.organizationId],
  ],
  'a lot is renamed': () => ['lots', `update lots set name = 'Another' where id = $1`, [ids.lot]],
  'a user is renamed': () => ['users', `update users set last_name = 'Other' where id = $1`, [ids.user]],
  'a membership is deleted': () => ['memberships', 'delete from memberships where user_id = $1', [ids.user]],
  'an organization is added': () => [
    'organizations',
    `insert into organizations (customer_id, name) values ($1, 'One organization')`,
    [ford.customerId],
  ],
  'an organization is renamed': () => [
    'organizations',
    `update organizations set name = 'Renamed' where id = $1`,
    [ford.organizationId],
  ],
  'a customer is added': () => ['customers', `insert into customers (name) values ('One customer')`, []],
  'a customer is renamed': () => [
    'customers',
    `update customers set legal_name = 'Renamed' where id = $1`,
    [ford.customerId],
  ],
  'a record changes': () => [
    'activity_records',
    'update activity_records set quantity = 101 where id = $1',
    [ids.record],
  ],
  'a source is deleted': () => [
    'emission_sources',
    'delete from emission_sources where id = $1',
    [ids.source],
  ],
}

type Reads = Map<string, number>

/** The rows read from each table and its indexes by the statement and its triggers. The statement is rolled back. */
async function readsOf(text: string, values: unknown[], planning: string): Promise<Reads> {
  const { owner } = forecourt
  await owner.query('begin')
  try {
    // Plan as for large tables: a small table would be scanned because that is cheap.
    await owner.query(`set local enable_seqscan = off; set local plan_cache_mode = ${planning}`)
    await owner.query(
      `select set_config('app.customer_id', $1, true), set_config('app.endpoint', 'test', true)`,
      [ford.customerId],
    )
    const before = await readsSoFar()
    await owner.query(text, values)
    const after = await readsSoFar()
    return new Map([...after].map(([name, reads]) => [name, reads - (before.get(name) ?? 0)]))
  } finally {
    await owner.query('rollback')
  }
}

/** The rows this connection has read since it last reported to the statistics, which it does at most once a second. */
async function readsSoFar(): Promise<Reads> {
  const { rows } = await forecourt.owner.query<{ name: string; reads: number }>(
    `select t.relname as name, sum(pg_stat_get_xact_tuples_returned(r.oid))::int as reads from pg_class t
      cross join lateral (select t.oid union all select i.indexrelid from pg_index i where i.indrelid = t.oid) r (oid)
      where t.relkind = 'r' and t.relnamespace not in
        (select oid from pg_namespace where nspname in ('pg_catalog', 'information_schema'))
      group by t.oid, t.relname`,
  )
  return new Map(rows.map(({ name, reads }) => [name, reads]))
}

async function readsOfAll(): Promise<Map<string, Reads>> {
  const reads = new Map<string, Reads>()
  for (const planning of ['force_custom_plan', 'force_generic_plan']) {
    for (const [what, write] of Object.entries(WRITES)) {
      const [, text, values] = write()
      reads.set(`${what}, ${planning}`, await readsOf(text, values, planning))
    }
  }
  return reads
}

/** Adds rows of another customer to every table that can have many. */
async function addOthers(): Promise<void> {
  const { owner } = forecourt
  const { customerId, organizationId, addLot, addRecord, userType } = await testOrganization(
    forecourt,
    'Harbor Honda',
  )
  const lot = await addLot()
  const { sourceId, day } = await addRecord()
  const ofOrganization = [customerId, organizationId]
  await owner.query(
    `insert into vehicles (customer_id, organization_id, lot_id, stock, make, model)
      select $1, $2, $3, 'Many' || n, 'Honda', 'Model ' || n from generate_series(1, ${OTHERS}) n`,
    [...ofOrganization, lot],
  )
  await owner.query(
    `insert into lots (customer_id, organization_id, code, name)
      select $1, $2, 'M' || n, 'Many ' || n from generate_series(1, ${OTHERS}) n`,
    ofOrganization,
  )
  await owner.query(
    `with made as (insert into users (customer_id, user_type_id, user_name, email, first_name, last_name)
      select $1, $3, 'many.' || n, 'many.' || n || '@people.example', 'Many', 'Person' from generate_series(1, ${OTHERS}) n
      returning customer_id, id)
    insert into memberships (customer_id, user_id, organization_id) select customer_id, id, $2 from made`,
    [...ofOrganization, await userType('Dealer user')],
  )
  await owner.query(
    `insert into organizations (customer_id, name) select $1, 'Many ' || n from generate_series(1, ${OTHERS}) n`,
    [customerId],
  )
  await owner.query(`insert into customers (name) select 'Many ' || n from generate_series(1, ${OTHERS}) n`)
  await owner.query(
    `insert into activity_records (customer_id, organization_id, source_id, kind, quantity, unit, period_start, period_end, status)
      select $1, $2, $3, 'calculated', n, 'kWh', $4, $4, 'draft' from generate_series(1, ${OTHERS}) n`,
    [...ofOrganization, sourceId, day],
  )
  await owner.query(
    `with buyers as (insert into people (customer_id, organization_id, name)
      select $1, $2, 'Many Person ' || n from generate_series(1, ${OTHERS}) n returning id)
    insert into leads (customer_id, organization_id, lot_id, person_id, type, source_kind, source_name)
      select $1, $2, $3, id, 'used', 'manual', 'Phone' from buyers`,
    [...ofOrganization, lot],
  )
  await owner.query(
    `insert into person_contacts (customer_id, organization_id, person_id, kind, value, value_key)
      select customer_id, organization_id, id, 'email', 'many.' || id || '@people.example', 'many.' || id || '@people.example'
      from people where customer_id = $1 and organization_id = $2 and name like 'Many Person %'`,
    ofOrganization,
  )
  await owner.query('analyze')
}

test('every table with a statement trigger is covered', async () => {
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `select distinct tgrelid::regclass::text as name from pg_trigger
      where not tgisinternal and tgtype & 1 = 0 and (tgoldtable is not null or tgnewtable is not null)`,
  )
  const written = new Set(Object.values(WRITES).map((write) => write()[0]))
  expect(rows.map(({ name }) => name).filter((name) => !written.has(name))).toEqual([])
})

test('a plan made while the tables were small reads each record of a large write by its key', async () => {
  const { owner } = forecourt
  const userTypeId = await ford.userType('Dealer user')
  const addUsers = (prefix: string, count: number) =>
    owner.query(
      `with made as (insert into users (customer_id, user_type_id, user_name, email, first_name, last_name)
        select $1, $3, $4 || n, $4 || n || '@people.example', 'Many', 'Person' from generate_series(1, $5::int) n
        returning customer_id, id)
      insert into memberships (customer_id, user_id, organization_id) select customer_id, id, $2 from made`,
      [ford.customerId, ford.organizationId, userTypeId, prefix, count],
    )
  await owner.query('discard plans')
  await owner.query('begin')
  try {
    await addUsers('first.', 1)
    const before = await readsSoFar()
    await addUsers('many.', OTHERS)
    const after = await readsSoFar()
    for (const table of ['users', 'memberships']) {
      expect((after.get(table) ?? 0) - (before.get(table) ?? 0)).toBeLessThan(20 * OTHERS)
    }
  } finally {
    await owner.query('rollback')
  }
})

test('the rows a write reads do not depend on the rows of other customers', async () => {
  const few = await readsOfAll()
  await addOthers()
  const many = await readsOfAll()
  const grown = [...many].flatMap(([what, reads]) =>
    [...reads].flatMap(([table, now]) => {
      const before = few.get(what)?.get(table) ?? 0
      return now > before + TOLERANCE ? [`${what}: ${table} ${before} to ${now}`] : []
    }),
  )
  expect(grown).toEqual([])
})
