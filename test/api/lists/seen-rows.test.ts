// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const CHANGED = 'Someone changed it in the meantime.'
const failuresOf = async ({ id }: { id: string }) => {
  await forecourt.jobs.runDue()
  return (await place.call(jobs.failures, { id })).map(({ rowId, reason }) => [rowId, reason])
}

test('of several lots, those that someone changed after they were seen are left out and listed', async () => {
  const [first, second, third] = [await place.addLot(), await place.addLot(), await place.addLot()]
  await place.call(lots.update, { id: second, city: 'Akron' })
  const job = await place.call(lots.removeMany, {
    selection: { ids: [first, second, third] },
    versions: { [first]: 1, [second]: 1, [third]: 1 },
  })
  await place.call(lots.update, { id: third, city: 'Dayton' })
  expect(await failuresOf(job)).toEqual([
    [second, CHANGED],
    [third, CHANGED],
  ])
  await expect(place.call(lots.get, { id: first })).toRefuse(404)
})

test('of all matching lots, those changed since the list was read are left out, also if they were never loaded', async () => {
  const name = fresh('Annex')
  await place.addLot(name)
  const changed = await place.addLot(name)
  clock.advance(60_000)
  await place.call(lots.update, { id: changed, city: 'Akron' })
  clock.advance(5_000)
  const selection = { all: true as const, filter: `name == "${name}"` }
  expect(await failuresOf(await place.call(lots.removeMany, { selection, readMsAgo: 30_000 }))).toEqual([
    [changed, CHANGED],
  ])
  expect(await failuresOf(await place.call(lots.removeMany, { selection, readMsAgo: 1_000 }))).toEqual([])
})

test('of several vehicles, those that someone changed after they were seen are left out and listed', async () => {
  const [first, second] = [await place.addVehicle(), await place.addVehicle()]
  const seen = await place.call(vehicles.get, { id: second })
  await place.call(vehicles.update, { id: second, color: 'Teal' })
  const { version } = await place.call(vehicles.get, { id: first })
  const job = await place.call(vehicles.removeMany, {
    selection: { ids: [first, second] },
    versions: { [first]: version, [second]: seen.version },
  })
  expect(await failuresOf(job)).toEqual([[second, CHANGED]])
  await expect(place.call(vehicles.get, { id: first })).toRefuse(404)
  expect(await place.call(vehicles.get, { id: second })).toMatchObject({ color: 'Teal' })
})
