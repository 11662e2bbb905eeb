import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { auth } from '#contract/identity/auth.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
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
    total: expect.objectContaining({ count: 3 }),
    public: expect.objectContaining({ count: 2 }),
    withoutAddress: expect.objectContaining({ count: 0 }),
    byType: expect.toSatisfy(
      (rows: { type: string; count: number }[]) =>
        rows.length === 3 && rows.every(({ count }) => count === 1),
    ),
    byOrganization: [{ id: ford.organizationId, name: 'Northgate Ford', count: 3 }],
  })
})

test('an administrator sees figures of the whole customer', async () => {
  const figures = await figuresOf('northgate.admin', 'Northgate Ford')
  expect(figures).toMatchObject({
    total: { count: 5 },
    public: { count: 3 },
    withoutAddress: { count: 1 },
    byOrganization: { length: 2 },
  })
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
    inStock: { count: await counted(inStock) },
    live: { count: await counted('status == "live"') },
    notForSale: {
      incoming: await counted('status == "incoming"'),
      preparing: await counted('status == "preparing"'),
      hold: await counted('status == "hold"'),
    },
    pending: await counted('status == "pending"'),
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
  expect(dealer.inStock.count).toBeLessThan(whole.inStock.count)
  expect(whole.lots.filter(({ id }) => own.has(id))).toEqual(dealer.lots)
  const harbor = await stockOf('harbor.admin', 'Harbor Honda')
  expect(harbor.lots.filter(({ id }) => whole.lots.some((lot) => lot.id === id))).toEqual([])
  await expect(stockOf('participant')).toRefuse(403)
})

const decisionsOf = async (userName: string, organization?: string) =>
  (await forecourt.as(userName, organization)).call(dashboard.decisions, {})

test('decisions come by urgency, without lists that the caller cannot open or another customer', async () => {
  const tones = (await decisionsOf('northgate.admin', 'Northgate Ford')).map(({ tone }) => tone)
  const rank = { bad: 0, warn: 1, info: 2 } as const
  expect(tones).toEqual(tones.toSorted((one, other) => rank[one] - rank[other]))
  await expect(decisionsOf('participant')).resolves.toEqual([])
  const harbor = await decisionsOf('harbor.admin', 'Harbor Honda')
  const names = (found: typeof harbor) => found.flatMap(({ groups }) => groups.map(({ label }) => label))
  expect(names(harbor).filter((name) => name?.includes('Northgate'))).toEqual([])
})

test('late leads and held feeds are badges of the menu', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const found = await admin.call(dashboard.decisions, {})
  const late = found.find(({ id }) => id === 'leads-late')?.count
  const items = (await admin.call(auth.menu, {})).flatMap(({ children }) => children)
  expect(items.find(({ id }) => id === 'leads')?.badge).toEqual({ title: String(late), type: 'bad' })
  expect(late).toBeGreaterThan(0)
})

test('data points are due when their time has passed, and add up by facility and month', async () => {
  const manager = await forecourt.as('northgate.sustain', 'Northgate Ford')
  const figures = await manager.call(dashboard.carbon, {})
  if (figures === null) throw new Error('The demo world has an open inventory.')
  const { inventory, points } = figures
  const totals = await manager.call(ledger.totals, { inventoryId: inventory.id })
  expect(points.expected).toBeLessThan(totals.coverage.expected)
  expect(points.months.every((month) => month < inventory.dueBefore)).toBe(true)
  expect(figures.total).toEqual(totals.total)
  for (const key of ['expected', 'there', 'estimated', 'missing'] as const) {
    const byFacility = points.facilities.map((facility) => facility[key])
    const byMonth = points.facilities.flatMap(({ months }) => months.map((month) => month[key]))
    const add = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0)
    expect([key, add(byFacility), add(byMonth)]).toEqual([key, points[key], points[key]])
  }
  const tile = (await decisionsOf('northgate.sustain', 'Northgate Ford')).find(
    ({ id }) => id === 'data-points-missing',
  )
  expect(tile?.count).toBe(points.missing)
  await expect((await forecourt.as('participant')).call(dashboard.carbon, {})).toRefuse(403)
})

test('a new company is led through its first steps until all are done, and only by what its reader may do', async () => {
  const stepsOf = async (userName: string, organization?: string) =>
    (await (await forecourt.as(userName, organization)).call(dashboard.get, {})).firstSteps
  expect(await stepsOf('northgate.dealer')).toEqual([])
  const before = await stepsOf('harbor.admin')
  expect(before.filter(({ isDone }) => isDone).map(({ step }) => step)).toEqual(
    expect.arrayContaining(['lots', 'people']),
  )
  const ofPlatform = await stepsOf('super', 'Forecourt Operations')
  expect(ofPlatform).toEqual([
    { step: 'people', isDone: true },
    { step: 'mail', isDone: false },
    { step: 'address', isDone: false },
    { step: 'customer', isDone: true },
  ])
  await forecourt.owner.query(
    `delete from white_labels where customer_id = (select id from customers where name like 'Northgate%')`,
  )
  const admin = await stepsOf('northgate.admin', 'Northgate Ford')
  expect(admin.filter(({ isDone }) => !isDone).map(({ step }) => step)).toContain('domain')
})
