// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { carbonGroup } from '#contract/carbon/results/group.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { Func, Opr } from '#contract/permissions.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { bill, ledgerWorld, type LedgerWorld } from '#test/factories/carbon/ledger-world.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
let member: Caller
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  // Can access one organization at a time, and belongs to two.
  member = await forecourt.as('northgate.sustain', 'Northgate Ford')
})
afterAll(() => forecourt.close())

let year = 2030
/** Two organizations with a facility and an imported total each, in a year that no other test uses. */
async function twoLots(): Promise<{ one: LedgerWorld; other: LedgerWorld; year: number }> {
  year += 1
  const one = await ledgerWorld(forecourt, ford, admin, { year })
  const other = await ledgerWorld(forecourt, ford, admin, { year, gwpSet: 'AR6' })
  await importTotals(one, { sourceType: 'natural_gas', tonnes: '100' })
  await importTotals(other, { sourceType: 'electricity', tonnes: '40', marketTonnes: '10' })
  return { one, other, year }
}

async function importTotals(
  world: LedgerWorld,
  row: { sourceType: string; tonnes: string; marketTonnes?: string },
) {
  const facilityId = await world.addFacility()
  const days = { periodStart: `${year}-01-01`, periodEnd: `${year}-12-31` }
  const rows = [{ key: '1', facilityId, ...days, ...row }]
  const { batchId } = await admin.call(importedTotals.add, { inventoryId: world.inventoryId, rows })
  expect(batchId).not.toBeNull()
}

const setStatus = (world: LedgerWorld, status: string) =>
  forecourt.owner.query('update carbon_inventories set status = $2 where id = $1', [
    world.inventoryId,
    status,
  ])
const join = (world: LedgerWorld) =>
  forecourt.owner.query(
    `insert into memberships (customer_id, user_id, organization_id)
    select customer_id, id, $1 from users where user_name = 'northgate.sustain'`,
    [world.organizationId],
  )
const has = (of: { inventoryId: string }) => expect.objectContaining({ inventoryId: of.inventoryId })

test('sums approved and locked inventories by both methods with their coverage, and lists the others', async () => {
  const { one, other, year: of } = await twoLots()
  await setStatus(one, 'locked')
  const before = await admin.call(carbonGroup.get, { year: of })
  expect(before.total).toMatchObject({
    location: '100000',
    market: '100000',
    imported: '100000',
    expected: 1,
  })
  expect(before.left).toContainEqual(
    expect.objectContaining({
      inventoryId: other.inventoryId,
      why: 'open',
      sentence: expect.stringContaining('draft'),
    }),
  )
  expect(before.left).toContainEqual(
    expect.objectContaining({ organizationId: ford.organizationId, why: 'missing', inventoryId: null }),
  )
  await setStatus(other, 'approved')
  const group = await admin.call(carbonGroup.get, { year: of })
  expect(group.total).toEqual({
    location: '140000',
    market: '110000',
    imported: '140000',
    importedMarket: '110000',
    missing: 0,
    expected: 2,
    there: 0,
    points: 0,
    categories: 0,
  })
  expect(group.scopes.map(({ key, location, market }) => [key, location, market])).toEqual([
    ['1', '100000', '100000'],
    ['2', '40000', '10000'],
  ])
  expect(group.summed.map(({ id, figures }) => [id, figures.expected, figures.there])).toEqual(
    expect.arrayContaining([
      [one.inventoryId, 1, 0],
      [other.inventoryId, 1, 0],
    ]),
  )
  expect(group.organizationsSummed).toBe(2)
  expect(group.notes).toContain('The inventories use different GWP sets: AR5, AR6.')
  expect(group.left).not.toContainEqual(has(one))
})

test('a restated inventory never counts, and its restatement counts once it is approved', async () => {
  const { one, year: of } = await twoLots()
  const gas = await one.addSource({ activity: 'combustion/natural-gas', scope: '1', unit: 'mmBtu' })
  const { rows } = await one.save(
    gas,
    bill('10', 'mmBtu', { calorificBasis: 'gross', periodStart: `${of}-03-01`, periodEnd: `${of}-03-31` }),
  )
  expect(rows[0]?.state).toBe('saved')
  await setStatus(one, 'locked')
  const later = await admin.call(carbonInventories.restate, {
    id: one.inventoryId,
    reason: 'A site was bought',
  })
  const pending = await admin.call(carbonGroup.get, { year: of })
  expect(pending.summed).toEqual([])
  expect(pending.total.location).toBe('0')
  expect(pending.left).toContainEqual(
    expect.objectContaining({
      inventoryId: one.inventoryId,
      why: 'restated',
      sentence: `Restated. ${later.name} will be included once it is approved.`,
    }),
  )
  await forecourt.owner.query(`update carbon_inventories set status = 'approved' where id = $1`, [later.id])
  const group = await admin.call(carbonGroup.get, { year: of })
  expect(group.summed.map(({ id }) => id)).toEqual([later.id])
  // Its imported total was copied once.
  expect(group.total.imported).toBe('100000')
  expect(group.total.missing).toBe(1)
  expect(group.notes.join(' ')).toContain('The actual sum is higher.')
  expect(group.left).toContainEqual(
    expect.objectContaining({ inventoryId: one.inventoryId, why: 'restated' }),
  )
})

test('an inventory with another boundary is listed but not summed', async () => {
  const { one, year: of } = await twoLots()
  await setStatus(one, 'approved')
  const { rows } = await forecourt.owner.query<{ id: string }>(
    `insert into carbon_inventories (customer_id, organization_id, name, period_start, period_end, boundary, status)
    values ($1, $2, 'By share', $3, $4, 'equity', 'approved') returning id`,
    [ford.customerId, one.organizationId, `${of}-01-01`, `${of}-12-31`],
  )
  const share = rows[0]?.id
  const group = await admin.call(carbonGroup.get, { year: of })
  expect(group.boundary).toBe('operational')
  expect(group.summed.map(({ id }) => id)).toEqual([one.inventoryId])
  expect(group.left).toContainEqual(expect.objectContaining({ inventoryId: share, why: 'boundary' }))
  const equity = await admin.call(carbonGroup.get, { year: of, boundary: 'equity' })
  expect(equity.summed.map(({ id }) => id)).toEqual([share])
  expect(equity.left).toContainEqual(
    expect.objectContaining({ inventoryId: one.inventoryId, why: 'boundary' }),
  )
})

test('a member of several organizations gets the sum of only those, whichever one is current', async () => {
  const { one, other, year: of } = await twoLots()
  await setStatus(one, 'approved')
  await setStatus(other, 'approved')
  const before = await member.call(carbonGroup.get, { year: of })
  expect(before).toMatchObject({ organizations: 2, summed: [], total: { location: '0' } })
  expect(before.left.map(({ organizationId }) => organizationId)).not.toContain(one.organizationId)
  await join(one)
  const group = await member.call(carbonGroup.get, { year: of })
  expect(group.organizations).toBe(3)
  expect(group.summed.map(({ id, isHere }) => [id, isHere])).toEqual([[one.inventoryId, false]])
  expect(group.total.location).toBe('100000')
  expect(group.years).toContain(of)
  const elsewhere = await forecourt.as('northgate.sustain', 'Northgate Toyota')
  expect((await elsewhere.call(carbonGroup.get, { year: of })).total).toEqual(group.total)
  // This grants no access: the inventory itself is still not accessible.
  await expect(member.call(carbonInventories.get, { id: one.inventoryId })).toRefuse(404)
})

test('excludes other customers, and rejects users without access to insights', async () => {
  const { one, year: of } = await twoLots()
  await setStatus(one, 'approved')
  const harbor = await forecourt.as('harbor.admin')
  const theirs = await harbor.call(carbonGroup.get, { year: of })
  expect(theirs).toMatchObject({ summed: [], total: { location: '0' } })
  expect(theirs.years).not.toContain(of)
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
    select customer_id, id, $1, $2, false from users where user_name = 'northgate.sustain'`,
    [Func.carbonInsights.func, Opr.list],
  )
  const manager = await forecourt.as('northgate.sustain', 'Northgate Ford')
  await expect(manager.call(carbonGroup.get, {})).toRefuse(403)
})

test('defaults to the latest year with something to sum, and rejects an invalid year', async () => {
  const group = await admin.call(carbonGroup.get, {})
  expect(group.summed.length).toBeGreaterThan(0)
  expect(group.year).toBe(Math.max(...group.summed.map(({ periodEnd }) => Number(periodEnd.slice(0, 4)))))
  await expect(admin.call(carbonGroup.get, { year: 12 })).toRefuse(400)
})
