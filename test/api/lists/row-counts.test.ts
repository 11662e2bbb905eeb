import { afterAll, beforeAll, expect, test } from 'vitest'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { openOwner } from '#server/database/connect.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
})
afterAll(() => forecourt.close())

/** Organizations whose stored row count is wrong. */
async function wrongCounts(): Promise<unknown[]> {
  const { rows } = await forecourt.owner.query(
    `select * from (select customer_id, organization_id, count(*) from vehicles group by 1, 2) v
    full join (select customer_id, organization_id, sum(rows) as kept from row_counts where source = 'vehicles' group by 1, 2) k
      using (customer_id, organization_id)
    where coalesce(count, 0) <> coalesce(kept, 0)`,
  )
  return rows
}

const parts = async () =>
  (await forecourt.owner.query('select from row_counts where customer_id = $1', [ford.customerId]))
    .rowCount ?? 0

test('the counts of the demo world are correct', async () => {
  expect(await wrongCounts()).toEqual([])
  const dealer = await forecourt.as('northgate.dealer')
  const { totalRows } = await dealer.call(vehicles.list, {})
  expect(totalRows).toBe(360)
})

test('adding, deleting and moving rows keeps the counts correct, and changes are aggregated', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const lot = await ford.addLot()
  for (let n = 0; n < 40; n += 1) await ford.addVehicle({ lotId: lot })
  expect(await wrongCounts()).toEqual([])
  await admin.call(lots.update, { id: lot, organizationId: toyota.organizationId })
  expect(await wrongCounts()).toEqual([])
  await forecourt.owner.query('delete from vehicles where lot_id = $1 and id % 2 = 0', [lot])
  await forecourt.owner.query('update vehicles set price_cents = 1 where customer_id = $1', [ford.customerId])
  expect(await wrongCounts()).toEqual([])
  expect(await parts()).toBeLessThan(36)
})

test('a rollback is not counted', async () => {
  await forecourt.owner.query('begin')
  for (let n = 0; n < 40; n += 1) await ford.addVehicle()
  await forecourt.owner.query('rollback')
  expect(await wrongCounts()).toEqual([])
})

test('concurrent changes wait for nothing and lose nothing', async () => {
  const clients = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const { host, port, user, password, database } = forecourt.owner
      const client = openOwner({
        host,
        port,
        user: user ?? '',
        password: password ?? '',
        database: database ?? '',
      })
      await client.connect()
      return client
    }),
  )
  const lot = await ford.addLot()
  const add = (stock: string) =>
    `insert into vehicles (customer_id, organization_id, lot_id, stock)
    values (${ford.customerId}, ${ford.organizationId}, ${lot}, '${stock}')`
  try {
    await Promise.all(
      clients.map(async (client, at) => {
        for (let n = 0; n < 30; n += 1) {
          await client.query('begin')
          await client.query(add(`C${at}-${n}`))
          await client.query(n % 5 === 4 ? 'rollback' : 'commit')
        }
      }),
    )
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
  expect(await wrongCounts()).toEqual([])
  const { rows } = await forecourt.owner.query('select count(*)::int from vehicles where lot_id = $1', [lot])
  expect(rows).toEqual([{ count: 144 }])
})
