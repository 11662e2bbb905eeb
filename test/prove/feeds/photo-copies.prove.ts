import { mkdir, readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { customers } from '#contract/customers/customers/customers.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { pictureIn } from '#contract/files/picture-widths.ts'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { pictureKey } from '#server/channels/index.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakePhotoHost, startFakePhotoHost } from '#test/fakes/photo-host.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { secrets } from '#test/harness/secrets.ts'

// Copies of photos of other servers: test/api/vehicles/photo-copies.test.ts has a sample. A process that is killed halfway is in
// test/prove/takeovers/photo-copies.prove.ts.

const DAY_MS = 86_400_000
const LIMIT = 12
const certificate = makeCertificate()
const trusted = getCACertificates()
let forecourt: TestApp
let [ford, harbor]: TestOrganization[] = []
let host: FakePhotoHost
let other: FakePhotoHost
beforeAll(() => setDefaultCACertificates([...trusted, certificate.cert]))
afterAll(() => setDefaultCACertificates(trusted))
beforeEach(async () => {
  host = await startFakePhotoHost(certificate)
  other = await startFakePhotoHost(certificate)
  forecourt = await testApp({
    FORECOURT_PHOTO_COPIES: String(LIMIT),
    PUBLIC_URL: 'https://office.example',
    FORECOURT_DEMO: '1',
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  harbor = await testOrganization(forecourt, 'Harbor Honda')
})
afterEach(async () => {
  await Promise.all([host.close(), other.close()])
  await forecourt.close()
})

let made = 0
/** A photo like no other. */
const photo = () => {
  made += 1
  const background = { r: made % 256, g: (made >> 8) % 256, b: 90 }
  return sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer()
}
async function fill(at: FakePhotoHost, count: number, name = 'p'): Promise<string[]> {
  const paths = Array.from({ length: count }, (_, n) => `/${name}${n}.png`)
  for (const path of paths) at.photos.set(path, { bytes: await photo(), etag: `"${(made += 1)}"` })
  return paths.map((path) => `${at.url}${path}`)
}
const photosAt = (places: readonly string[]) =>
  places.map((place) => ({ kind: 'address' as const, place, alt: '' }))

function of(organization: TestOrganization | undefined): TestOrganization {
  if (organization === undefined) throw new Error('There is no organization.')
  return organization
}
const publish = (places: readonly string[], organization = ford, more: object = {}) =>
  of(organization).addVehicle({
    status: 'live',
    year: 2022,
    make: 'Ford',
    model: 'Escape',
    priceCents: 1_900_000,
    photos: photosAt(places),
    ...more,
  })
async function work(): Promise<void> {
  await forecourt.photos.noteUses()
  await forecourt.photos.workDue()
}
const stateOf = (id: string, organization = ford) => of(organization).call(vehiclePhotos.copies, { id })
const addressOf = (vehicleId: string, place: string, organization = ford) =>
  `/feeds/pictures/${pictureKey(secrets, { customerId: of(organization).customerId, vehicleId, place })}`
const open = (url: string) => forecourt.anonymous.send({ method: 'GET', url })
/** The stored copies of a customer. */
async function stored(organization = ford): Promise<string[]> {
  const folder = join(forecourt.filesFolder, 'kept/photo-copies', of(organization).customerId)
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  return entries.filter((name) => name.endsWith('original'))
}

test('the same photo at two addresses and of two vehicles is stored once, per customer, and loaded once per address', async () => {
  const [one = '', two = ''] = await fill(host, 2)
  host.photos.set('/p1.png', host.photos.get('/p0.png') ?? { bytes: Buffer.from('') })
  const [first, second] = [await publish([one]), await publish([one, two])]
  const third = await publish([one], harbor)
  await work()
  expect([await stored(), await stored(harbor)].map(({ length }) => length)).toEqual([1, 1])
  expect(host.requests.map(({ path }) => path).toSorted()).toEqual(['/p0.png', '/p0.png', '/p1.png'])
  for (const [id, place, organization] of [
    [first, one, ford],
    [second, two, ford],
    [third, one, harbor],
  ] as const)
    expect((await open(addressOf(id, place, organization))).status).toBe(200)
  // It stays while one of them shows it.
  await of(ford).call(vehicles.remove, { id: first })
  await work()
  clock.advance(91 * DAY_MS)
  await forecourt.photos.sweep()
  expect(await stored()).toHaveLength(1)
})

test('a host has at most two connections, whichever customers and hosts there are', async () => {
  host.delayMs = 60
  await publish(await fill(host, 5, 'a'))
  await publish(await fill(host, 5, 'b'), harbor)
  await publish(await fill(host, 5, 'c'), await testOrganization(forecourt, 'Summit Subaru'))
  await publish(await fill(other, 3, 'd'))
  await work()
  expect(host.most).toBe(2)
  expect(other.most).toBe(1)
})

test('a slow host of one customer delays no other customer', async () => {
  host.mood = 'hangs'
  const slow = await publish(await fill(host, 3, 'slow'), harbor)
  const fast = await publish(await fill(other, 6, 'fast'))
  const working = work()
  await expect.poll(async () => (await stateOf(fast)).copied).toBe(6)
  expect((await stateOf(slow, harbor)).copied).toBe(0)
  await host.close()
  await working
  host = await startFakePhotoHost(certificate)
})

test('a host that is down is left alone for a minute and then longer, for all customers and buyers, and says why', async () => {
  host.mood = 'down'
  const places = await fill(host, 3)
  const id = await publish(places)
  await work()
  const theirs = await publish(places.slice(0, 1), harbor)
  await work()
  const tries = () => host.requests.length
  expect(tries()).toBe(1)
  const { waiting, copied, problems } = await stateOf(id)
  expect([waiting, copied, problems.length]).toEqual([0, 0, 1])
  expect(problems[0]).toMatchObject({ host: expect.stringContaining('localhost'), photos: 3 })
  for (const wait of [30, 29]) {
    clock.advance(wait * 1_000)
    await work()
  }
  for (const place of places) expect((await open(addressOf(id, place))).status).toBe(404)
  expect(tries()).toBe(1)
  clock.advance(2_000)
  await work()
  expect(tries()).toBe(2)
  clock.advance(61_000)
  await work()
  expect(tries()).toBe(2)
  host.mood = 'fine'
  clock.advance(5 * 60_000)
  await work()
  clock.advance(60 * 60_000)
  await work()
  expect([(await stateOf(id)).copied, (await stateOf(theirs, harbor)).copied]).toEqual([3, 1])
})

test('a photo that fails is tried after a minute and then ever later, and does not keep others from being copied', async () => {
  const [there = ''] = await fill(host, 1)
  const gone = `${host.url}/gone.png`
  const page = `${host.url}/page.png`
  host.photos.set('/page.png', { bytes: Buffer.from('<html>No photo</html>') })
  const id = await publish([gone, page, there, 'https://user:word@photos.example/1.png'])
  await work()
  const tries = () => host.requests.filter(({ path }) => path === '/gone.png').length
  expect(tries()).toBe(1)
  const { copied, problems } = await stateOf(id)
  expect(copied).toBe(1)
  expect(problems.map(({ reason }) => reason).toSorted()).toEqual([
    "It isn't a photo: only JPEG, PNG, GIF, WebP and AVIF are shown.",
    "Its address can't be used. It must begin with https://.",
    'The server returned status 404.',
  ])
  const counts: number[] = []
  for (const minutes of [0.9, 0.2, 4, 2, 20, 15]) {
    clock.advance(minutes * 60_000)
    await work()
    counts.push(tries())
  }
  expect(counts).toEqual([1, 2, 2, 3, 3, 4])
})

test('an unchanged photo is confirmed with its ETag; a replaced one appears, also at a new address; a copy outlives its host', async () => {
  const [place = '', later = ''] = await fill(host, 2)
  const id = await publish([place])
  await work()
  const look = async () => (await open(pictureIn(addressOf(id, place), 640))).bytes
  const before = await look()
  const [first] = await stored()
  clock.advance(1.2 * DAY_MS)
  await work()
  expect(host.requests.at(-1)?.condition).toBe(host.photos.get('/p0.png')?.etag)
  expect((await look()).equals(before)).toBe(true)
  host.photos.set('/p0.png', { bytes: await photo(), etag: '"new"' })
  clock.advance(8 * DAY_MS)
  await work()
  expect((await look()).equals(before)).toBe(false)
  // The former photo is not stored anymore.
  expect(await stored()).not.toContain(first)
  expect(await stored()).toHaveLength(1)

  await of(ford).call(vehicles.update, { id, photos: photosAt([later]) })
  await work()
  expect((await open(addressOf(id, later))).status).toBe(200)
  expect((await open(addressOf(id, place))).status).toBe(404)
  host.mood = 'down'
  clock.advance(30 * DAY_MS)
  await work()
  expect((await open(pictureIn(addressOf(id, later), 1024))).status).toBe(200)
  expect(await stateOf(id)).toMatchObject({ copied: 1, waiting: 0, problems: [] })
})

test('a customer has a limit, which says so, and copies that no vehicle shows make room first', async () => {
  const first = await publish(await fill(host, LIMIT, 'a'))
  const second = await publish(await fill(host, 4, 'b'))
  const theirs = await publish(await fill(host, 3, 'c'), harbor)
  await work()
  const [one, two] = [await stateOf(first), await stateOf(second)]
  expect(one.copied + two.copied).toBe(LIMIT)
  const waiting = [one, two].filter((state) => state.waiting > 0)
  for (const { limit } of waiting) expect(limit).toEqual({ of: 'photos', most: LIMIT })
  expect(waiting).not.toEqual([])
  expect((await stateOf(theirs, harbor)).copied).toBe(3)
  await of(ford).call(vehicles.update, { id: first, status: 'sold' })
  clock.advance(61 * 60_000)
  await work()
  clock.advance(61 * 60_000)
  await work()
  expect(await stateOf(second)).toMatchObject({ copied: 4, waiting: 0, limit: null })
})

test('what is withdrawn is not public, is not loaded again, and goes after 90 days, as do copies of a closed customer', async () => {
  const places = await fill(host, 2)
  const lotId = await of(ford).addLot()
  const id = await publish(places, ford, { lotId })
  const theirs = await publish(await fill(host, 1, 'c'), harbor)
  await work()
  const look = async () => (await open(addressOf(id, places[0] ?? ''))).status
  expect(await look()).toBe(200)
  await of(ford).call(lots.update, { id: lotId, isPublic: false })
  expect(await look()).toBe(404)
  await work()
  const asked = host.requests.length
  clock.advance(89 * DAY_MS)
  await forecourt.photos.sweep()
  expect(await stored()).toHaveLength(2)
  // Shown again, they are there at once.
  await of(ford).call(lots.update, { id: lotId, isPublic: true })
  host.mood = 'down'
  expect(await look()).toBe(200)
  host.mood = 'fine'
  await forecourt.photos.noteUses()
  await of(ford).call(vehicles.update, { id, status: 'sold' })
  await forecourt.photos.noteUses()
  clock.advance(91 * DAY_MS)
  await forecourt.photos.sweep()
  expect(await stored()).toEqual([])
  expect(host.requests.length).toBe(asked)

  const close = async (status: 'closed' | 'active') =>
    (await forecourt.as('super', 'Northgate Ford')).call(customers.setStatus, {
      id: of(harbor).customerId,
      status,
      ...(status === 'closed' && { reason: 'The end' }),
    })
  await close('closed')
  await forecourt.photos.sweep()
  clock.advance(60 * DAY_MS)
  await forecourt.photos.sweep()
  expect(await stored(harbor)).toHaveLength(1)
  // Opened again, it has them at once; closed for longer, they are gone and copied again.
  await close('active')
  await work()
  clock.advance(60 * DAY_MS)
  await forecourt.photos.sweep()
  expect(await stored(harbor)).toHaveLength(1)
  await close('closed')
  await forecourt.photos.sweep()
  clock.advance(91 * DAY_MS)
  await forecourt.photos.sweep()
  expect(await stored(harbor)).toEqual([])
  await close('active')
  await work()
  expect((await stateOf(theirs, harbor)).copied).toBe(1)
  // What the folder has of a customer that does not exist goes at once.
  const nobodys = join(forecourt.filesFolder, 'kept/photo-copies/999999')
  await mkdir(nobodys)
  await forecourt.photos.sweep()
  expect(await readdir(join(nobodys, '..'))).not.toContain('999999')
})

test('copies that are missing, as after a restore, are made again, and what a killed server left is removed', async () => {
  const [place = ''] = await fill(host, 1)
  const id = await publish([place])
  await work()
  await rm(join(forecourt.filesFolder, 'kept/photo-copies'), { recursive: true })
  // A buyer who is faster than the check sees the photo of its host.
  expect((await open(addressOf(id, place))).status).toBe(200)
  await work()
  expect(await stored()).toHaveLength(1)
  await rm(join(forecourt.filesFolder, 'kept/photo-copies'), { recursive: true })
  await forecourt.photos.check()
  await work()
  expect(await stored()).toHaveLength(1)
  // As if the server had been killed before the row was written.
  const { owner } = forecourt
  await owner.query('delete from photo_copies')
  const folder = join(forecourt.filesFolder, 'kept/photo-copies')
  for (const name of await readdir(folder, { recursive: true }))
    await utimes(join(folder, name), clock.date(), clock.date())
  await forecourt.photos.check()
  expect(await stored()).toHaveLength(1)
  clock.advance(2 * DAY_MS)
  await forecourt.photos.check()
  expect(await stored()).toEqual([])
})

test('a restored copy loads nothing until an operator says that it is the real installation', async () => {
  await forecourt.owner.query(
    `insert into iam.installation (install_id, key_check_sealed, restored_at) values ('test', 'x', app_now())
      on conflict (only_row) do update set restored_at = app_now()`,
  )
  const id = await publish(await fill(host, 2))
  await work()
  expect(host.requests).toEqual([])
  expect(await stateOf(id)).toMatchObject({ waiting: 2, problems: [] })
  await forecourt.owner.query('update iam.installation set restored_at = null')
  await work()
  expect((await stateOf(id)).copied).toBe(2)
})

test("channel files name our address once a photo is copied, stay with it, and name the provider's before", async () => {
  const [place = ''] = await fill(host, 1)
  const failing = `${host.url}/gone.png`
  const id = await publish([place, failing], ford, {
    stock: 'COPIED',
    mileage: 10,
    body: 'SUV',
    color: 'Red',
  })
  const channel = {
    name: 'Copied',
    kind: 'csv',
    format: 'json',
    destination: 'pull',
    rule: 'stock == "COPIED"',
  }
  const pageTemplate = 'https://ford.example/{stock}'
  const added = await of(ford).call(channels.add, channels.add.input.parse({ ...channel, pageTemplate }))
  const file = async (): Promise<string> => {
    await of(ford).call(channels.run, { id: added.id })
    await forecourt.channels.workDue()
    return (await open(added.feedPath ?? '')).text
  }
  const images = async () => listOf((await of(ford).call(channels.ofVehicle, { id })).jsonLd.image)
  expect(await images()).toEqual([place, failing])
  expect(await file()).toContain(place)
  await work()
  const [own, ...rest] = await images()
  expect(rest).toEqual([failing])
  expect(own).toMatch(/^https:\/\/.+\/feeds\/pictures\//)
  const copied = await file()
  expect([copied.includes(own ?? ''), copied.includes(place), copied.includes(failing)]).toEqual([
    true,
    false,
    true,
  ])
  expect((await open(new URL(own ?? '').pathname)).status).toBe(200)
  host.mood = 'down'
  clock.advance(8 * DAY_MS)
  await work()
  expect(await file()).toBe(copied)
})

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)])
