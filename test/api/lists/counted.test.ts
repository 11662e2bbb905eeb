import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { users } from '#contract/identity/users/users.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

type Page = { page?: number; counted?: number }
const lists = {
  lots: (more: Page) => admin.call(lots.list, { search: 'Northgate', pageSize: 2, ...more }),
  'vehicles by words': (more: Page) => admin.call(vehicles.list, { search: 'Ford', pageSize: 2, ...more }),
  'vehicles by a rule': (more: Page) =>
    admin.call(vehicles.list, { filter: 'condition=="used"', pageSize: 2, ...more }),
  users: (more: Page) => admin.call(users.list, { search: 'a', pageSize: 2, ...more }),
}

test.for(Object.entries(lists))('%s reuse a given count instead of counting', async ([, read]) => {
  const whole = await read({})
  expect(whole.filteredRows).toBeGreaterThan(2)
  const second = await read({ page: 2, counted: 4_711 })
  expect([second.filteredRows, second.totalRows]).toEqual([4_711, whole.totalRows])
  expect(second.results.length).toBeGreaterThan(0)
  // The statement with a count differs from the one without.
  expect((await read({ page: 2 })).filteredRows).toBe(whole.filteredRows)
  expect((await read({ counted: 0 })).filteredRows).toBe(0)
})

test('an unfiltered list is counted even if a count is given', async () => {
  const { totalRows } = await admin.call(lots.list, {})
  expect((await admin.call(lots.list, { counted: 7 })).filteredRows).toBe(totalRows)
})

test.for(['-1', '1.5', 'many', '1000000000'])('a count of %s is rejected on its field', async (counted) => {
  await expect(admin.call(lots.list, { search: 'a', counted })).toRefuse(400, 'counted')
})
