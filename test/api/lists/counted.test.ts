import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots.ts'
import { users } from '#contract/identity/users.ts'
import { vehicles } from '#contract/inventory/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'

let forecourt: TestApp
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

test.for([
  ['lots', lots.list, { search: 'Northgate' }],
  ['vehicles by words', vehicles.list, { search: 'Ford' }],
  ['vehicles by a rule', vehicles.list, { filter: 'condition=="used"' }],
  ['users', users.list, { search: 'a' }],
] as const)('%s repeat a count that they are told instead of counting', async ([, endpoint, narrowing]) => {
  const whole = await admin.call(endpoint, { ...narrowing, pageSize: 2 })
  expect(whole.filteredRows).toBeGreaterThan(2)
  const second = await admin.call(endpoint, { ...narrowing, pageSize: 2, page: 2, counted: 4_711 })
  expect([second.filteredRows, second.totalRows]).toEqual([4_711, whole.totalRows])
  expect(second.results.length).toBeGreaterThan(0)
  // The statement that counts is another one than the one that does not.
  expect((await admin.call(endpoint, { ...narrowing, pageSize: 2, page: 2 })).filteredRows).toBe(
    whole.filteredRows,
  )
  expect((await admin.call(endpoint, { ...narrowing, pageSize: 2, counted: 0 })).filteredRows).toBe(0)
})

test('a list that nothing narrows is counted, whatever it is told', async () => {
  const { totalRows } = await admin.call(lots.list, {})
  expect((await admin.call(lots.list, { counted: 7 })).filteredRows).toBe(totalRows)
})

test.for(['-1', '1.5', 'many', '1000000000'])('a count of %s is refused on its field', async (counted) => {
  await expect(admin.call(lots.list, { search: 'a', counted })).toRefuse(400, 'counted')
})
