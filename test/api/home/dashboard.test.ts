import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

const figuresOf = async (userName: string, organization?: string) =>
  (await (await forecourt.as(userName, organization)).call(dashboard.get, {})).lots

test('a dealer sees figures of their own organization', async () => {
  const ford = await testOrganization(forecourt, 'Northgate Ford')
  expect(await figuresOf('northgate.dealer')).toEqual({
    total: 3,
    public: 2,
    withoutAddress: 0,
    byType: expect.toSatisfy(
      (rows: { type: string; count: number }[]) =>
        rows.length === 3 && rows.every(({ count }) => count === 1),
    ),
    byOrganization: [{ id: ford.organizationId, name: 'Northgate Ford', count: 3 }],
  })
})

test('an administrator sees figures of the whole customer', async () => {
  const figures = await figuresOf('northgate.admin', 'Northgate Ford')
  expect([figures?.total, figures?.public, figures?.withoutAddress, figures?.byOrganization.length]).toEqual([
    5, 3, 1, 2,
  ])
})

test('users who cannot list lots see no lot figures or changes', async () => {
  const { addMember } = await testOrganization(forecourt, 'Northgate Ford')
  await addMember({ userName: 'participant', userType: 'Participant' })
  const {
    lots: figures,
    changes,
    organization,
  } = await (await forecourt.as('participant')).call(dashboard.get, {})
  expect([figures, changes, organization.name]).toEqual([null, [], 'Northgate Ford'])
})

test('the latest changes show who did what to which lot, newest first, with links to existing lots', async () => {
  const dealer = await forecourt.as('northgate.dealer')
  const { id } = await dealer.call(lots.add, { name: 'Elm', code: 'ELM' })
  await dealer.call(lots.update, { id, name: 'Elm again' })
  const gone = await dealer.call(lots.add, { name: 'Gone', code: 'GONE' })
  await dealer.call(lots.remove, { id: gone.id })
  const { changes } = await dealer.call(dashboard.get, {})
  const own = { actor: 'Luis Ortega', onBehalfOf: null, kind: 'lot' }
  expect(changes.slice(0, 4)).toMatchObject([
    { ...own, action: 'deleted', subject: 'Gone', url: null },
    { ...own, action: 'added', subject: 'Gone', url: null },
    { ...own, action: 'changed', subject: 'Elm again', url: `/customers/lots?lot=${id}` },
    { ...own, action: 'added', subject: 'Elm', url: `/customers/lots?lot=${id}` },
  ])
})

test('shows at most ten changes', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  for (let at = 0; at < 11; at += 1) await admin.call(organizations.save, { name: `Many ${at}` })
  const { changes } = await admin.call(dashboard.get, {})
  expect([changes.length, changes[0]?.subject]).toEqual([10, 'Many 10'])
})

const stockOf = async (userName: string, organization?: string) =>
  (await forecourt.as(userName, organization)).call(dashboard.stock, {})

test('inventory figures cover vehicles within reach and match their lists', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const counted = async (filter: string) => (await admin.call(vehicles.list, { filter })).filteredRows
  const stock = await admin.call(dashboard.stock, {})
  const inStock = 'status in ["incoming", "preparing", "live", "hold", "pending"]'
  expect(stock).toMatchObject({
    inStock: await counted(inStock),
    live: await counted('status == "live"'),
    notForSale: {
      incoming: await counted('status == "incoming"'),
      preparing: await counted('status == "preparing"'),
      hold: await counted('status == "hold"'),
    },
    pending: await counted('status == "pending"'),
    liveWithoutPrice: await counted('status == "live" && price == null'),
  })
  const ages = [0, 1, 2, 3].map((at) => stock.lots.reduce((sum, lot) => sum + (lot.ages[at] ?? 0), 0))
  expect(ages).toEqual([
    await counted(`${inStock} && daysInStock <= 30`),
    await counted(`${inStock} && daysInStock > 30 && daysInStock <= 60`),
    await counted(`${inStock} && daysInStock > 60 && daysInStock <= 90`),
    await counted(`${inStock} && daysInStock > 90`),
  ])
  const younger = await counted(`${inStock} && daysInStock < ${stock.medianDays}`)
  const upTo = await counted(`${inStock} && daysInStock <= ${stock.medianDays}`)
  const known = ages.reduce((sum, number) => sum + number, 0)
  expect(younger).toBeLessThanOrEqual(known / 2)
  expect(upTo).toBeGreaterThanOrEqual(known / 2)
})

test('a dealer sees the lots of their own organization, and users who cannot list vehicles see none', async () => {
  const dealer = await stockOf('northgate.dealer')
  const whole = await stockOf('northgate.admin', 'Northgate Ford')
  const own = new Set(dealer.lots.map(({ id }) => id))
  expect(dealer.inStock).toBeLessThan(whole.inStock)
  expect(whole.lots.filter(({ id }) => own.has(id))).toEqual(dealer.lots)
  const harbor = await stockOf('harbor.admin', 'Harbor Honda')
  expect(harbor.lots.filter(({ id }) => whole.lots.some((lot) => lot.id === id))).toEqual([])
  await expect(stockOf('participant')).toRefuse(403)
})
