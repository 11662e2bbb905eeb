import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { processStaleQueue } from '#server/carbon/index.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { approveInventory } from '#test/factories/carbon/approve-inventory.ts'
import { bill, ledgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { addManyLots } from '#test/factories/customers/many-lots.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let dealer: Caller
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

const GAS = { activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' }

test('more than twenty thousand records of a source are recalculated in the background', async () => {
  const one = await ledgerWorld(forecourt, ford, admin)
  const many = await one.addSource(GAS)
  const few = await one.addSource(GAS)
  await forecourt.owner.query(
    `insert into activity_records (customer_id, organization_id, source_id, kind, quantity, unit, calorific_basis, period_start, period_end)
    select s.customer_id, s.organization_id, s.id, 'calculated', 1, 'mmBtu', 'gross', d.day, d.day from emission_sources s,
      generate_series(1, 20001) n cross join lateral (select date '2025-01-01' + n % 365 as day) d where s.id = $1`,
    [many],
  )
  const saved = await one.save(few, bill('2', 'mmBtu', { calorificBasis: 'gross' }))
  expect(saved.pending).toBe(1)
  expect(saved.rows[0]?.record?.result?.kg).toBe('106.229')
  expect(await one.totals()).toMatchObject({ pending: 1, total: { location: '106.229' } })
  expect(await admin.call(ledger.recalculate, { inventoryId: one.inventoryId })).toEqual({ pending: 1 })
  await forecourt.owner.query(
    `update carbon_inventories set status = 'in_review', two_person_approval = false where id = $1`,
    [one.inventoryId],
  )
  const approve = () => approveInventory(admin, one.inventoryId)
  await expect(approve()).toRefuse(409, 'is being recalculated')

  await processStaleQueue(forecourt.jobsPool, forecourt.appPool)
  // 20,003 mmBtu at 53.1145 kg by AR5.
  expect(await one.totals()).toMatchObject({ pending: 0, total: { location: '1062449.3435' } })
  expect(await approve()).toMatchObject({ status: 'approved' })
}, 120_000)

test('a job freezes a hundred thousand rows at once without blocking lists', async () => {
  const word = fresh('Hundred').replace(' ', '')
  // Search words and audit entries aren't tested here, and would take much longer than the rows.
  await forecourt.owner.query('alter table lots disable trigger user')
  await addManyLots(forecourt, ford, { count: 100_000, word })
  await forecourt.owner.query('alter table lots enable trigger user')
  const freezing = dealer.call(lots.change, {
    selection: { all: true, search: word },
    change: { isPublic: false },
  })
  expect((await admin.call(lots.list, { pageSize: 1 })).totalRows).toBeGreaterThan(100_000)
  const { id, total } = await freezing
  expect(total).toBe(100_000)
  // The job yields to other jobs between its batches.
  const done: number[] = []
  while (done.length < 50 && (done.at(-1) ?? 0) < 1_500) {
    await forecourt.jobs.runLease()
    done.push((await dealer.call(jobs.get, { id })).done)
  }
  expect([...new Set(done)].filter((count) => count > 0)).toEqual([500, 1_000, 1_500])
  expect(await dealer.call(jobs.get, { id })).toMatchObject({ state: 'running', done: 1_500 })
  await dealer.call(jobs.cancel, { id })
  await forecourt.jobs.runDue()
}, 60_000)
