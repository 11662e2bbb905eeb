import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { customerDetails } from '#contract/customers/details/details.ts'
import { dashboard } from '#contract/home/dashboard.ts'
import { channels } from '#contract/channels/channels/channels.ts'
import { TriedMapping } from '#contract/feeds/mappings/tried-mapping.ts'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { reports } from '#contract/reports/reports.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { feedImports } from '#test/factories/feeds/feed-imports.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { multipart } from '#test/harness/multipart.ts'

const ORGANIZATION = 'Northgate Ford'

let forecourt: TestApp
let ford: TestOrganization
let began: Date
beforeAll(async () => {
  began = clock.date()
  forecourt = await testApp()
  ford = await testOrganization(forecourt, ORGANIZATION)
})
afterAll(async () => {
  await forecourt.close()
  clock.set(began)
})

const { uploadFeed, csv, apply, onLot } = feedImports(() => forecourt)

/** A user who signs in at that time, with the organization and its customer in that time zone. */
async function at(moment: string, zone: string): Promise<Caller> {
  clock.set(moment)
  const before = await forecourt.as('northgate.admin', ORGANIZATION)
  const profile = await before.call(organizationProfiles.get, { id: ford.organizationId })
  await before.call(organizationProfiles.update, {
    id: ford.organizationId,
    version: profile.version,
    timeZone: zone,
  })
  const { version } = await before.call(customerDetails.get, {})
  await before.call(customerDetails.update, { version, timeZone: zone })
  return forecourt.as('northgate.admin', ORGANIZATION)
}

/** Time zones, times at which the date in UTC differs, and the local dates. */
const DAYS = [
  [
    'America/Los_Angeles',
    '2026-11-18T01:00:00Z',
    { today: '2026-11-17', yesterday: '2026-11-16', next: '2026-11-18' },
  ],
  [
    'Pacific/Auckland',
    '2026-11-18T20:00:00Z',
    { today: '2026-11-19', yesterday: '2026-11-18', next: '2026-11-20' },
  ],
  // The evenings of the days on which daylight saving time ends and starts.
  [
    'America/Los_Angeles',
    '2026-11-02T07:30:00Z',
    { today: '2026-11-01', yesterday: '2026-10-31', next: '2026-11-02' },
  ],
  [
    'America/Los_Angeles',
    '2027-03-15T06:30:00Z',
    { today: '2027-03-14', yesterday: '2027-03-13', next: '2027-03-15' },
  ],
  // The evening of a leap day, and a leap day that has started while UTC still has the day before.
  [
    'America/Los_Angeles',
    '2028-03-01T05:00:00Z',
    { today: '2028-02-29', yesterday: '2028-02-28', next: '2028-03-01' },
  ],
  [
    'Pacific/Auckland',
    '2028-02-28T20:00:00Z',
    { today: '2028-02-29', yesterday: '2028-02-28', next: '2028-03-01' },
  ],
] as const

describe.each(DAYS)('in %s at %s', (zone, moment, { today, yesterday, next }) => {
  let admin: Caller
  let lotId: string
  let stock: string
  const add = (inStockOn: string | null, more: object = {}) =>
    admin.call(vehicles.add, { lotId, make: 'Ford', stock: fresh(stock), inStockOn, status: 'live', ...more })
  const found = async (rule: string, sort?: 'daysInStock' | '-daysInStock') => {
    const { results } = await admin.call(vehicles.list, {
      filter: `stock.startsWith("${stock}") && ${rule}`,
      ...(sort && { sort }),
    })
    return results.map(({ inStockOn }) => inStockOn)
  }

  beforeAll(async () => {
    admin = await at(moment, zone)
    lotId = await ford.addLot()
  })

  test('a vehicle that arrives today has 0 days in stock; list, filter, sort and dashboard agree', async () => {
    stock = `${fresh('D')}-`
    const added = await add(today)
    expect(added.daysInStock).toBe(0)
    expect((await add(yesterday)).daysInStock).toBe(1)
    // A future date also counts as 0 days.
    expect((await add(next)).daysInStock).toBe(0)
    expect(await found('daysInStock == 1')).toEqual([yesterday])
    expect(await found('daysInStock <= 1', '-daysInStock')).toEqual([yesterday, today, next])
    expect(await found('inStockOn == today()')).toEqual([today])
    expect(await found('inStockOn < today()')).toEqual([yesterday])
    expect(await found('inStockOn == daysAgo(1)')).toEqual([yesterday])

    const old = new Date(Date.parse(today) - 91 * 86_400_000).toISOString().slice(0, 10)
    const older = async () =>
      (await admin.call(dashboard.stock, {})).lots.find(({ id }) => id === lotId)?.ages.at(-1)
    const added90 = new Date(Date.parse(today) - 90 * 86_400_000).toISOString().slice(0, 10)
    await add(added90)
    expect(await older()).toBe(0)
    await add(old)
    expect(await older()).toBe(1)
    expect(await found('daysInStock > 90')).toEqual([old])
  })

  test('a change made just now counts as today, not yesterday', async () => {
    stock = `${fresh('D')}-`
    await add(today)
    expect(await found('updatedAt == today()')).toEqual([today])
    expect(await found(`updatedAt == date("${today}")`)).toEqual([today])
    expect(await found(`updatedAt > date("${today}")`)).toEqual([])
    expect(await found(`updatedAt < date("${today}")`)).toEqual([])
    expect(await found('updatedAt == daysAgo(1)')).toEqual([])
  })

  test("a market price entered without a date gets today's date", async () => {
    stock = `${fresh('D')}-`
    const { id } = await add(today)
    const changed = await admin.call(vehicles.update, { id, marketPriceCents: 1_000_00 })
    expect(changed.marketPriceOn).toBe(today)
    expect((await add(null, { bookValueCents: 900_00 })).bookValueOn).toBe(today)
  })

  test("vehicles from a feed without dates get today's date", async () => {
    const feedLot = await ford.addLot()
    const text = csv(
      'VIN,Stock,Year,Make,Model,Price,MMR',
      '1FTFW1E50PFA00001,W1,2023,Ford,F-150,45000,44100',
    )
    const run = await uploadFeed(admin, { lotId: feedLot }, text)
    await apply(admin, run.id)
    const [row] = await onLot(feedLot)
    const vehicle = await admin.call(vehicles.get, { id: row?.id ?? '' })
    expect([vehicle.inStockOn, vehicle.daysInStock, vehicle.marketPriceOn]).toEqual([today, 0, today])
    await admin.call(vehicles.remove, { id: vehicle.id })
  })

  test('testing a mapping uses the same date', async () => {
    const { payload, headers } = multipart({}, [{ name: 'a.csv', bytes: 'VIN,Price\n1FTFW1E50PFA00001,1\n' }])
    const { body } = await forecourt.app.inject({
      method: 'POST',
      url: providerMappings.attempt.path,
      payload,
      headers: { ...headers, authorization: `Bearer ${admin.token}` },
    })
    expect(z.object({ data: TriedMapping }).parse(JSON.parse(body)).data.today).toBe(today)
  })

  test('a channel counts days in the same way', async () => {
    stock = `${fresh('D')}-`
    const { id } = await add(yesterday)
    const channel = await admin.call(channels.add, {
      name: fresh('Channel'),
      kind: 'csv',
      format: 'csv',
      destination: 'pull',
      rule: `stock.startsWith("${stock}") && daysInStock == 1 && inStockOn == daysAgo(1)`,
      pageTemplate: 'https://cars.example.com/{stock}',
      everyHours: null,
      dailyAt: null,
      columns: [],
    })
    const inclusions = (await admin.call(channels.ofVehicle, { id })).channels
    expect(inclusions.find(({ channelId }) => channelId === channel.id)?.reasons).not.toContain('leftOut')
    await admin.call(channels.run, { id: channel.id })
    await forecourt.channels.workDue()
    const { runs } = await admin.call(channels.runs, { id: channel.id })
    // It is excluded because it has no price and photos, so the rule did match it.
    expect(runs.map(({ listed, excluded }) => listed + excluded)).toEqual([1])
  })

  test("the file name of a report has today's date", async () => {
    const url = reports.make.path.replace('{name}', 'user-access-review')
    const { headers } = await admin.send({ method: 'POST', url, payload: { format: 'xlsx' } })
    expect(headers['content-disposition']).toContain(`-${today}.xlsx`)
  })
})
