import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadLibrary, processStaleQueue } from '#server/carbon/index.ts'
import { kyselyOver, statement, type AsOwner } from '#server/database/tenant-transaction.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const asOwner: AsOwner = async (work) => {
  const { owner } = forecourt
  await owner.query('begin')
  const done = await work(kyselyOver((query) => owner.query(statement(query))))
  await owner.query('commit')
  return done
}
const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }

test('correcting a library factor recalculates open inventories that use it, but not frozen ones', async () => {
  const { owner } = forecourt
  const [open, frozen] = [
    await ledgerWorld(forecourt, ford, admin),
    await ledgerWorld(forecourt, ford, admin),
  ]
  const key = 'epa-hub-2025/t1/natural-gas/us/mmbtu'
  await owner.query(
    `update library.emission_factor_gases g set kg = 60 from library.emission_factors f
    where f.id = g.factor_id and f.key = $1 and g.gas = 'CO2' and f.superseded_by is null`,
    [key],
  )
  for (const one of [open, frozen]) {
    await one.addRecord(GAS, bill('10', 'mmBtu', { calorificBasis: 'gross' }))
    expect((await one.totals()).total.location).toBe('600.545')
  }
  const other = await ledgerWorld(forecourt, ford, admin)
  await other.addRecord({ activity: 'refrigerant/hfc-134a', scope: '1', unit: 'kg' }, bill('1', 'kg'))
  await owner.query(`update carbon_inventories set status = 'locked' where id = $1`, [frozen.inventoryId])
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)

  await owner.query(
    `update library.emission_factors set mark = 'as it was' where key = $1 and superseded_by is null`,
    [key],
  )
  await owner.query(`delete from library.loaded_files where name = 'factors-epa-hub-2025.csv'`)
  expect(await loadLibrary(asOwner)).toBe(1)
  expect([
    (await open.totals()).pending,
    (await frozen.totals()).pending,
    (await other.totals()).pending,
  ]).toEqual([1, 0, 0])
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  expect((await open.totals()).total.location).toBe('531.145')
  expect((await frozen.totals()).total.location).toBe('600.545')
}, 120_000)

test('adding a biogenic factor to the library recalculates existing records of its fuel', async () => {
  const { owner } = forecourt
  await owner.query(
    `update library.emission_factors set mark = 'of another country', region = 'NZ'
    where activity = 'outside/diesel-average-biofuel-blend' and superseded_by is null`,
  )
  const one = await ledgerWorld(forecourt, ford, admin, { year: 2024 })
  await one.addRecord(
    { activity: 'combustion/diesel-average-biofuel-blend', scope: '1', unit: 'L', country: 'GB' },
    bill('100', 'L', { periodStart: '2024-01-01', periodEnd: '2024-12-31' }),
  )
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  expect(await one.totals()).toMatchObject({ pending: 0, total: { biogenic: '0' } })

  await owner.query(`delete from library.loaded_files where name = 'factors-desnz-2024.csv'`)
  expect(await loadLibrary(asOwner)).toBe(3)
  expect((await one.totals()).pending).toBe(1)
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  expect((await one.totals()).total.biogenic).toBe('16')
})

/** Three calculated inventories of one customer, and one of another. */
async function twoCustomers() {
  const honda = await testOrganization(forecourt, 'Harbor Honda')
  const harbor = await forecourt.as('harbor.admin')
  const many = [
    await ledgerWorld(forecourt, ford, admin),
    await ledgerWorld(forecourt, ford, admin),
    await ledgerWorld(forecourt, ford, admin),
  ]
  const other = await ledgerWorld(forecourt, honda, harbor)
  for (const one of [...many, other])
    await one.addRecord(GAS, bill('10', 'mmBtu', { calorificBasis: 'gross' }))
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  return { honda, many, other }
}

test('customers take turns, so that many inventories of one do not delay another', async () => {
  const { owner } = forecourt
  const { honda, many, other: few } = await twoCustomers()
  const wanted = [...many, few].map(({ inventoryId }) => inventoryId)
  await owner.query(
    `insert into stale_sources (customer_id, source_id, organization_id, inventory_id)
    select customer_id, id, organization_id, inventory_id from emission_sources where inventory_id = any($1)`,
    [wanted],
  )
  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  // In the order in which their transactions started to write.
  const { rows } = await owner.query<{ customer: string }>(
    `select customer_id::text as customer from calculation_totals where inventory_id = any($1)
    group by customer_id, inventory_id order by min(xmin::text::bigint)`,
    [wanted],
  )
  const order = rows.map(({ customer }) => (customer === honda.customerId ? 'few' : 'many'))
  expect(order.slice(0, 2).toSorted()).toEqual(['few', 'many'])
  expect(order).toHaveLength(4)
})

test('a customer that gets stale sources during a run has its turn in the next round', async () => {
  const { owner } = forecourt
  const { many, other: late } = await twoCustomers()
  await owner.query(
    `insert into stale_sources (customer_id, source_id, organization_id, inventory_id)
    select customer_id, id, organization_id, inventory_id from emission_sources where inventory_id = any($1)`,
    [many.map(({ inventoryId }) => inventoryId)],
  )
  // The first result of the run makes a source of the other customer stale.
  await owner.query(
    `create function make_stale() returns trigger language plpgsql security definer as $$ begin
      insert into public.stale_sources (customer_id, source_id, organization_id, inventory_id)
      select customer_id, id, organization_id, inventory_id from public.emission_sources
      where inventory_id = ${late.inventoryId} and not exists (select from public.calculation_totals t
        where t.inventory_id = ${late.inventoryId} and t.xmin::text::bigint > ${await currentId()})
      on conflict do nothing;
      return null;
    end $$`,
  )
  await owner.query(`create trigger late after insert on calculation_totals execute function make_stale()`)
  try {
    await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  } finally {
    await owner.query('drop trigger late on calculation_totals; drop function make_stale()')
  }
  const { rows } = await owner.query<{ inventory: string }>(
    `select inventory_id::text as inventory from calculation_totals where inventory_id = any($1)
    group by inventory_id order by min(xmin::text::bigint)`,
    [[...many, late].map(({ inventoryId }) => inventoryId)],
  )
  expect(rows.map(({ inventory }) => inventory).indexOf(late.inventoryId)).toBeLessThan(3)
  expect((await late.totals()).pending).toBe(0)
})

async function currentId(): Promise<string> {
  const { rows } = await forecourt.owner.query<{ id: string }>('select pg_current_xact_id()::text as id')
  return rows[0]?.id ?? ''
}
