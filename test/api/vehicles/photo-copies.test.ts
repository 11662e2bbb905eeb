// @module-tag release
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PICTURE_WIDTHS } from '#contract/files/picture-widths.ts'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { pictureKey } from '#server/channels/index.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakePhotoHost, startFakePhotoHost } from '#test/fakes/photo-host.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { secrets } from '#test/harness/secrets.ts'

// A sample: the rest is in test/prove/feeds/photo-copies.prove.ts.

const certificate = makeCertificate()
const trusted = getCACertificates()
let forecourt: TestApp
let ford: TestOrganization
let host: FakePhotoHost
beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  host = await startFakePhotoHost(certificate)
  forecourt = await testApp()
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await forecourt.close()
  await host.close()
})

const photo = (background: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()

test('photos of published vehicles are copied ahead, shown while their host is down, and replaced with it', async () => {
  host.photos.set('/1.png', { bytes: await photo('red'), etag: '"red"' })
  const places = ['/1.png', '/missing.png'].map((path) => `${host.url}${path}`)
  const [place = ''] = places
  const id = await ford.addVehicle({
    status: 'live',
    year: 2022,
    make: 'Ford',
    model: 'Escape',
    priceCents: 1_900_000,
    photos: places.map((one) => ({ kind: 'address' as const, place: one, alt: '' })),
  })
  const work = async () => {
    await forecourt.photos.noteUses()
    await forecourt.photos.workDue()
  }
  const state = () => ford.call(vehiclePhotos.copies, { id })
  expect(await state()).toMatchObject({ isPublished: true, photos: 2, copied: 0, waiting: 2, problems: [] })
  await work()
  expect(await state()).toMatchObject({
    copied: 1,
    waiting: 0,
    problems: [{ photos: 1, reason: 'The server returned status 404.' }],
    limit: null,
  })

  // A buyer asks the provider for nothing.
  host.mood = 'down'
  const asked = host.requests.length
  const address = `/feeds/pictures/${pictureKey(secrets, { customerId: ford.customerId, vehicleId: id, place })}`
  const open = (more = '') => forecourt.anonymous.send({ method: 'GET', url: `${address}${more}` })
  for (const more of ['', ...PICTURE_WIDTHS.map((width) => `?w=${width}`)])
    expect((await open(more)).status).toBe(200)
  expect(host.requests).toHaveLength(asked)

  // An unchanged photo is confirmed, and a replaced one appears.
  const before = (await open()).bytes
  host.mood = 'fine'
  clock.advance(2 * 86_400_000)
  await work()
  expect(host.requests.filter(({ condition }) => condition === '"red"')).toHaveLength(1)
  expect((await open()).bytes.equals(before)).toBe(true)
  host.photos.set('/1.png', { bytes: await photo('blue'), etag: '"blue"' })
  clock.advance(9 * 86_400_000)
  await work()
  expect((await open()).bytes.equals(before)).toBe(false)

  await ford.call(vehicles.update, { id, status: 'hold' })
  expect((await open()).status).toBe(404)
  await work()
  const asking = host.requests.length
  clock.advance(9 * 86_400_000)
  await work()
  expect(host.requests).toHaveLength(asking)
})
