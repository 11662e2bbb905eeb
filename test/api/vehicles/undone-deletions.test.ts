// @module-tag release
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobs } from '#contract/jobs/jobs.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { submissions } from '#contract/marketing/forms/submissions.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { type Caller, testApp, type TestApp } from '#test/app.ts'
import { visitorOf } from '#test/factories/marketing/visitor.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const HOST = 'northgate.localhost'
let forecourt: TestApp
let admin: Caller
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  await forecourt.owner.query('delete from pricing_rules')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** A vehicle for sale with a special price, a lead, a submission and a short URL. */
async function addWanted() {
  const lotId = await place.addLot()
  const id = await place.addVehicle({
    lotId,
    year: 2021,
    make: 'Ford',
    model: 'Focus',
    priceCents: 1_899_500,
    status: 'live',
    photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: 'Front' }],
  })
  await admin.call(vehiclePrices.setSpecial, { id, cents: 1_799_500, reason: 'Hail damage' })
  const lead = await place.addLead({ vehicleId: id, lotId })
  const shortUrl = await place.addShortUrl({ target: 'vehicle', vehicleId: id, url: undefined })
  const form = await place.addForm()
  const name = fresh('Visitor')
  const visitor = visitorOf(forecourt, HOST)
  const page = await visitor.open(`/f/${form.key}?vehicle=${id}`)
  await visitor.send(`/f/${form.key}`, page.hidden, { name, email: 'visitor@mail.example' }, 60)
  const submission = (await admin.call(submissions.list, { search: name })).results?.[0]?.id ?? ''
  return { id, lead, shortUrl, submission }
}
type AddedVehicle = Awaited<ReturnType<typeof addWanted>>

const publicPrice = async (id: string) => {
  clock.advance(3_001)
  const answer = await forecourt.app.inject({ url: `/v/2021-ford-focus-${id}`, headers: { host: HOST } })
  return [answer.statusCode, answer.body.includes('$17,995'), answer.body.includes('$18,995')]
}
const linksOf = async ({ lead, shortUrl, submission }: AddedVehicle) => [
  (await admin.call(leads.get, { id: lead })).vehicleId,
  (await admin.call(shortUrls.get, { id: shortUrl })).vehicleId,
  (await admin.call(submissions.get, { id: submission })).vehicleId,
]

test.each([
  {
    way: 'the vehicle',
    remove: async ({ id }: AddedVehicle) => {
      await admin.call(vehicles.remove, { id })
      return () => admin.call(vehicles.restore, { id })
    },
  },
  {
    way: 'a job',
    remove: async ({ id }: AddedVehicle) => {
      const job = await admin.call(vehicles.removeMany, { selection: { ids: [id] } })
      await forecourt.jobs.runDue()
      return async () => {
        await admin.call(jobs.undo, { id: job.id })
        await forecourt.jobs.runDue()
        await forecourt.prices.workDue()
      }
    },
  },
  {
    way: 'the vehicle that a job deleted',
    remove: async ({ id }: AddedVehicle) => {
      await admin.call(vehicles.removeMany, { selection: { ids: [id] } })
      await forecourt.jobs.runDue()
      return () => admin.call(vehicles.restore, { id })
    },
  },
])(
  'undoing the deletion of $way brings back its special price and all that is about it',
  async ({ remove }) => {
    const wanted = await addWanted()
    const { id } = wanted
    await forecourt.prices.workDue()
    const shown = [200, true, false]
    expect(await publicPrice(id)).toEqual(shown)
    expect(await linksOf(wanted)).toEqual([id, id, id])
    const { special } = await admin.call(vehiclePrices.get, { id })
    const undo = await remove(wanted)
    expect(await linksOf(wanted)).toEqual([null, null, null])
    await undo()
    expect(await linksOf(wanted)).toEqual([id, id, id])
    expect((await admin.call(vehiclePrices.get, { id })).special).toEqual(special)
    expect((await admin.call(vehicles.get, { id })).sellingPriceCents).toBe(1_799_500)
    expect(await publicPrice(id)).toEqual(shown)
  },
)

test('what was changed in the meantime stays, and the task says so', async () => {
  const wanted = await addWanted()
  const { id, shortUrl } = wanted
  const job = await admin.call(vehicles.removeMany, { selection: { ids: [id] } })
  await forecourt.jobs.runDue()
  await admin.call(shortUrls.update, {
    id: shortUrl,
    target: 'url',
    url: 'https://www.dealer.example/offers',
  })
  const { id: undone } = await admin.call(jobs.undo, { id: job.id })
  await forecourt.jobs.runDue()
  expect(await linksOf(wanted)).toEqual([id, null, id])
  expect(await admin.call(jobs.failures, { id: undone })).toMatchObject([
    { rowId: id, reason: expect.stringContaining('short URLs (1)') },
  ])
  // When the short URL leads to no other place anymore, another undo points it to the vehicle.
  await admin.call(vehiclePrices.endSpecial, { id })
  await forecourt.owner.query(`update short_urls set target = 'vehicle', url = null where id = $1`, [
    shortUrl,
  ])
  await admin.call(jobs.undo, { id: job.id })
  await forecourt.jobs.runDue()
  expect(await linksOf(wanted)).toEqual([id, id, id])
  expect((await admin.call(vehiclePrices.get, { id })).special).toBeNull()
})

test('a short URL whose vehicle was deleted after it comes back without the vehicle', async () => {
  const { id, shortUrl } = await addWanted()
  const job = await admin.call(shortUrls.removeMany, { selection: { ids: [shortUrl] } })
  await forecourt.jobs.runDue()
  await admin.call(vehicles.remove, { id })
  await admin.call(jobs.undo, { id: job.id })
  await forecourt.jobs.runDue()
  expect((await admin.call(shortUrls.get, { id: shortUrl })).vehicleId).toBeNull()
})

test('an undo of an earlier deletion does not bring back a vehicle as it was before it was changed', async () => {
  const id = await place.addVehicle({ color: 'Red' })
  const job = await admin.call(vehicles.removeMany, { selection: { ids: [id] } })
  await forecourt.jobs.runDue()
  await admin.call(vehicles.restore, { id })
  await admin.call(vehicles.update, { id, color: 'Blue' })
  await admin.call(vehicles.remove, { id })
  await admin.call(jobs.undo, { id: job.id })
  await forecourt.jobs.runDue()
  await expect(admin.call(vehicles.get, { id })).toRefuse(404)
  expect(await admin.call(vehicles.restore, { id })).toMatchObject({ color: 'Blue' })
})
