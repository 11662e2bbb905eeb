import { afterAll, beforeAll, expect, test } from 'vitest'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(() => forecourt.close())

async function addVehicles(lotId: string) {
  const added = []
  for (const make of ['Ford', 'Kia']) {
    added.push(
      await admin.call(vehicles.add, {
        lotId,
        stock: fresh('Bulk'),
        make,
        priceCents: 2_000_000,
        options: ['Tow'],
      }),
    )
  }
  return added
}
const done = async (job: { id: string }) => {
  await forecourt.jobs.runDue()
  return admin.call(jobs.get, { id: job.id })
}
const undo = async (job: { id: string }) => {
  const started = await admin.call(jobs.undo, { id: job.id })
  await forecourt.jobs.runDue()
  return admin.call(jobs.get, { id: started.id })
}

test('many vehicles are deleted and restored with their values, IDs and locks', async () => {
  const added = await addVehicles(await ford.addLot())
  const ids = added.map(({ id }) => id)
  const job = await admin.call(vehicles.removeMany, { selection: { ids } })
  await done(job)
  for (const id of ids) await expect(admin.call(vehicles.get, { id })).toRefuse(404)
  await undo(job)
  await forecourt.prices.workDue()
  for (const before of added) {
    const {
      version: _v,
      updatedAt: _u,
      updatedBy: _b,
      ...is
    } = await admin.call(vehicles.get, { id: before.id })
    const { version: _w, updatedAt: _t, updatedBy: _a, ...was } = before
    expect(is).toEqual(was)
  }
  const { events } = await admin.call(vehicles.timeline, { id: ids[0] ?? '' })
  expect(events.slice(0, 2).map(({ what }) => what)).toEqual(['restored', 'deleted'])
})

test('a deleted vehicle whose VIN is on the lot again is not restored, and the job says so', async () => {
  const lotId = await ford.addLot()
  const vin = '1FADP3F20DL299999'
  const { id } = await admin.call(vehicles.add, { lotId, vin, make: 'Ford', model: 'Focus' })
  const job = await admin.call(vehicles.removeMany, { selection: { ids: [id] } })
  await done(job)
  await admin.call(vehicles.add, { lotId, vin })
  await undo(job)
  await expect(admin.call(vehicles.get, { id })).toRefuse(404)
})

test('locked fields of many vehicles are unlocked, and locked again by the undo unless they changed since', async () => {
  const [first, second] = await addVehicles(await ford.addLot())
  const ids = [first?.id ?? '', second?.id ?? '']
  const lockedOf = async () =>
    Promise.all(ids.map(async (id) => (await admin.call(vehicles.get, { id })).locked))
  const before = await lockedOf()
  expect(before[0]?.length).toBeGreaterThan(0)
  const job = await admin.call(vehicles.unlock, { selection: { ids } })
  await done(job)
  expect(await lockedOf()).toEqual([[], []])
  clock.advance(60_000)
  await admin.call(vehicles.update, { id: ids[1] ?? '', color: 'Blue' })
  await undo(job)
  expect(await lockedOf()).toEqual([before[0], ['color']])
})
