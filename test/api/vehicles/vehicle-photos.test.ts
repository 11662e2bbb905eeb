import { createHash } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { z } from 'zod'
import { files } from '#contract/files/files.ts'
import { vehiclePhotos } from '#contract/vehicles/vehicles/photos/vehicle-photos.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { startFakeHttpsServer } from '#test/fakes/https.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { downloadFile } from '#test/factories/files/file-calls.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'
import { multipart } from '#test/harness/multipart.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let ford: TestOrganization
let toyota: TestOrganization
let admin: Caller
let dealer: Caller
beforeAll(async () => {
  forecourt = await testApp({ FORECOURT_FILE_LIMIT_MB: '1' })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  toyota = await testOrganization(forecourt, 'Northgate Toyota')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  dealer = await forecourt.as('northgate.dealer')
})
afterAll(() => forecourt.close())

/** A distinct PNG for each seed. */
const png = (word: string): Promise<Buffer> =>
  sharp(createHash('sha256').update(word).digest().subarray(0, 27), {
    raw: { width: 3, height: 3, channels: 3 },
  })
    .png()
    .toBuffer()

const Answer = z.object({ data: vehiclePhotos.add.output.nullable(), message: z.string().nullable() })

async function send(
  caller: Caller,
  id: string,
  sent: readonly { name: string; bytes: Buffer | string | Promise<Buffer> }[],
): Promise<{ status: number } & z.output<typeof Answer>> {
  const read = await Promise.all(sent.map(async ({ name, bytes }) => ({ name, bytes: await bytes })))
  const { payload, headers } = multipart({ id }, read)
  const { statusCode, body } = await forecourt.app.inject({
    method: 'POST',
    url: vehiclePhotos.add.path,
    payload,
    headers: { ...headers, authorization: `Bearer ${caller.token}` },
  })
  return { status: statusCode, ...Answer.parse(JSON.parse(body)) }
}

const placesOf = async (id: string) =>
  (await admin.call(vehicles.get, { id })).photos.map(({ place }) => place)

test('matches names by VIN or stock number with an optional number, ignoring case', async () => {
  const lot = await ford.addLot()
  const stock = fresh('PH').replace(' ', '')
  const vin = '1FTEW1EP5MFA98765'
  const one = await ford.addVehicle({ lotId: lot, stock, vin })
  const { matches, vehicles: found } = await admin.call(vehiclePhotos.match, {
    names: [`${stock.toLowerCase()}_01.JPG`, `${vin.toLowerCase()} (3).png`, `${stock}.jpg`, 'Party.jpg'],
  })
  expect(matches.map(({ vehicleIds }) => vehicleIds)).toEqual([[one], [one], [one], []])
  expect(found).toEqual([expect.objectContaining({ id: one, stock, vin, photoCount: 0 })])
})

test('returns both vehicles for a stock number on two lots, and sold ones only without another match', async () => {
  const stock = fresh('TWO').replace(' ', '')
  const [here, there] = [await ford.addLot('Lot A'), await ford.addLot('Lot B')]
  const one = await ford.addVehicle({ lotId: here, stock })
  const two = await ford.addVehicle({ lotId: there, stock })
  const sold = await ford.addVehicle({ lotId: there, stock, status: 'sold' })
  const lone = await ford.addVehicle({ lotId: there, stock: `${stock}X`, status: 'sold' })
  const { matches } = await admin.call(vehiclePhotos.match, { names: [`${stock}-1.jpg`, `${stock}X.jpg`] })
  expect(matches.map(({ vehicleIds }) => vehicleIds)).toEqual([[one, two], [lone]])
  expect(matches[0]?.vehicleIds).not.toContain(sold)
})

test('matches no vehicles of a sister organization', async () => {
  const stock = fresh('SIS').replace(' ', '')
  const id = await toyota.addVehicle({ stock })
  const names = [`${stock}.jpg`]
  expect((await admin.call(vehiclePhotos.match, { names })).matches[0]?.vehicleIds).toEqual([id])
  expect((await dealer.call(vehiclePhotos.match, { names })).matches[0]?.vehicleIds).toEqual([])
  expect((await send(dealer, id, [{ name: 'a.png', bytes: png('a') }])).status).toBe(404)
})

test('adds photos after the existing ones, independently, with lock and provenance', async () => {
  const { id } = await admin.call(vehicles.add, {
    lotId: await ford.addLot(),
    locksEdits: false,
    photos: [{ kind: 'address', place: 'https://pictures.example/1.jpg' }],
  })
  const { data } = await send(admin, id, [
    { name: 'S_1.png', bytes: png('one') },
    { name: 'S_2.png', bytes: 'This is a page.' },
    { name: 'S_3.png', bytes: Buffer.alloc(1_100_000) },
    { name: 'bad\u202Ename.png', bytes: png('bad') },
    { name: 'S_4.png', bytes: png('one') },
    { name: 'S_5.png', bytes: png('five') },
  ])
  expect(data?.wasLocked).toBe(false)
  expect(data?.outcomes.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['added', null],
    ['refused', expect.stringContaining('Choose a JPEG')],
    ['refused', 'A file can be at most 1 MB.'],
    ['refused', 'This name contains invisible or look-alike characters. Remove them.'],
    ['duplicate', 'This photo is already on the vehicle.'],
    ['added', null],
  ])
  const folder = `Vehicles/Vehicle ${id}`
  expect(await placesOf(id)).toEqual([
    'https://pictures.example/1.jpg',
    `${folder}/S_1.png`,
    `${folder}/S_5.png`,
  ])
  const record = await admin.call(vehicles.get, { id })
  expect(record.locked).toEqual(['photos'])
  expect(record.provenance.photos).toMatchObject({ source: 'user', by: 'Dana Whitfield' })
  const { leafs } = await admin.call(files.getChildren, { container: 'media', folder })
  expect(leafs.map(({ name }) => name)).toEqual(['S_1.png', 'S_5.png'])
})

test('skips duplicates and renames a different photo with the same name', async () => {
  const id = await ford.addVehicle()
  await send(admin, id, [{ name: 'A.png', bytes: png('a') }])
  const again = await send(admin, id, [
    { name: 'Other.png', bytes: png('a') },
    { name: 'A.png', bytes: png('b') },
  ])
  expect(again.data?.outcomes.map(({ outcome }) => outcome)).toEqual(['duplicate', 'added'])
  expect(again.data?.wasLocked).toBe(true)
  const folder = `Vehicles/Vehicle ${id}`
  expect(await placesOf(id)).toEqual([`${folder}/A.png`, `${folder}/A 2.png`])
  const kept = await downloadFile(admin, `${folder}/A 2.png`)
  expect(kept.bytes.equals(await png('b'))).toBe(true)
})

test('pictures that pages could not show are refused with the reason, beside those that are added', async () => {
  const { id } = await admin.call(vehicles.add, { lotId: await ford.addLot() })
  const photo = await phonePhoto()
  const bomb = await sharp({ create: { width: 12_000, height: 9_000, channels: 3, background: '#fff' } })
    .png({ compressionLevel: 9 })
    .toBuffer()
  const { data } = await send(admin, id, [
    { name: 'cut.jpg', bytes: photo.subarray(0, photo.length / 2) },
    { name: 'noise.jpg', bytes: Buffer.concat([photo.subarray(0, 20), Buffer.alloc(5_000, 7)]) },
    { name: 'bomb.png', bytes: bomb },
    { name: 'photo.jpg', bytes: photo },
  ])
  const damaged = 'This picture is damaged or incomplete. Choose the original file.'
  expect(data?.outcomes.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['refused', damaged],
    ['refused', damaged],
    ['refused', 'This picture has 108 million pixels. Pages show at most 100 million. Save it smaller.'],
    ['added', null],
  ])
})

test('keeps the photos of two users who upload at once', async () => {
  const id = await ford.addVehicle()
  const answers = await Promise.all(
    ['x', 'y'].map((word) => send(admin, id, [{ name: `${word}.png`, bytes: png(`at once ${word}`) }])),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await placesOf(id)).toSorted()).toEqual([
    `Vehicles/Vehicle ${id}/x.png`,
    `Vehicles/Vehicle ${id}/y.png`,
  ])
})

test('accepts at most 200 photos per vehicle', async () => {
  const photos = Array.from({ length: 199 }, (_, at) => ({
    kind: 'address' as const,
    place: `https://pictures.example/${at}.jpg`,
  }))
  const { id } = await admin.call(vehicles.add, { lotId: await ford.addLot(), photos })
  const { data } = await send(admin, id, [
    { name: '1.png', bytes: png('full 1') },
    { name: '2.png', bytes: png('full 2') },
  ])
  expect(data?.outcomes.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['added', null],
    ['refused', 'A vehicle may have at most 200 photos.'],
  ])
})

test('undo removes added photos, files and lock, but keeps changes by other users', async () => {
  const { id } = await admin.call(vehicles.add, { lotId: await ford.addLot(), locksEdits: false })
  const { data } = await send(admin, id, [
    { name: '1.png', bytes: png('back 1') },
    { name: '2.png', bytes: png('back 2') },
  ])
  const places = (data?.outcomes ?? []).flatMap(({ place }) => place ?? [])
  const [, second = ''] = places
  await admin.call(vehicles.update, { id, color: 'Teal', locksEdits: false })
  const gone = await ford.addVehicle()
  await ford.removeVehicle(gone)
  const answer = await admin.call(vehiclePhotos.undoUpload, {
    vehicles: [
      { id, places: [second], unlocks: true },
      { id: gone, places: ['Vehicles/x.png'], unlocks: true },
    ],
  })
  expect(answer).toEqual({ taken: 1 })
  expect(await admin.call(vehicles.get, { id })).toMatchObject({ color: 'Teal', photoCount: 1, locked: [] })
  const folder = `Vehicles/Vehicle ${id}`
  const { leafs } = await admin.call(files.getChildren, { container: 'media', folder })
  expect(leafs.map(({ name }) => name)).toEqual(['1.png'])
})

test('undo deletes only files that were uploaded for the vehicle', async () => {
  const other = await ford.addVehicle()
  await send(admin, other, [{ name: 'own.png', bytes: png('own') }])
  const place = `Vehicles/Vehicle ${other}/own.png`
  const { id } = await admin.call(vehicles.add, {
    lotId: await ford.addLot(),
    photos: [{ kind: 'file', place }],
  })
  await admin.call(vehiclePhotos.undoUpload, { vehicles: [{ id, places: [place], unlocks: false }] })
  expect(await placesOf(id)).toEqual([])
  expect((await downloadFile(admin, place)).bytes.equals(await png('own'))).toBe(true)
})

test('a file or folder that a vehicle shows is neither deleted nor renamed, and says where it is used', async () => {
  const { id } = await admin.call(vehicles.add, { lotId: await ford.addLot(), make: 'Kia', model: 'Niro' })
  await send(admin, id, [{ name: 'used.png', bytes: png('used') }])
  const [path = ''] = await placesOf(id)
  const folder = path.slice(0, path.lastIndexOf('/'))
  const container = 'media'
  const use = { kind: 'vehicle', id, title: expect.stringContaining('Kia Niro') }
  for (const one of [path, folder])
    expect(await admin.call(files.uses, { container, path: one })).toEqual({ total: 1, uses: [use] })
  // Someone without access to the vehicle learns that there is one, and not which.
  const other = await forecourt.as('northgate.admin', 'Northgate Toyota')
  expect((await other.call(files.uses, { container, path })).total).toBe(1)
  for (const one of [path, folder])
    await expect(admin.call(files.delete, { container, toDelete: ['nothing.png', one] })).toRefuse(
      409,
      "so it can't be deleted",
    )
  await expect(admin.call(files.rename, { container, path, newName: 'other.png' })).toRefuse(409, 'Kia Niro')
  expect((await downloadFile(admin, path)).bytes.equals(await png('used'))).toBe(true)
  const { version } = await admin.call(vehicles.get, { id })
  await admin.call(vehicles.update, { id, version, photos: [] })
  expect(await admin.call(files.uses, { container, path })).toEqual({ total: 0, uses: [] })
  await admin.call(files.delete, { container, toDelete: [path] })
})

test('users who may not upload files may not add photos', async () => {
  const id = await ford.addVehicle()
  const { rows } = await forecourt.owner.query<{ id: string; customer_id: string }>(
    `select id, customer_id from users where user_name = 'northgate.dealer'`,
  )
  const [person] = rows
  await forecourt.owner.query(
    `insert into user_permissions (customer_id, user_id, func, opr, is_allowed) values ($1, $2, $3, $4, false)`,
    [person?.customer_id, person?.id, files.upload.allow.func, files.upload.allow.opr],
  )
  const refused = await send(await forecourt.as('northgate.dealer'), id, [
    { name: '1.png', bytes: png('no') },
  ])
  expect([refused.status, refused.message]).toEqual([403, "You don't have permission to upload files."])
})

test('a photo URL is shown through our server, only for vehicles the user sees and only if it is a photo', async () => {
  const certificate = makeCertificate()
  const trusted = getCACertificates()
  setDefaultCACertificates([...trusted, certificate.cert])
  const web = await startFakeHttpsServer(certificate)
  try {
    web.files.set('/1.gif', 'GIF89a, a photo')
    web.files.set('/2.jpg', '<script>alert(1)</script>')
    const places = ['/1.gif', '/2.jpg', '/3.jpg'].map((path) => `https://localhost:${web.port}${path}`)
    const [good = '', page = '', missing = ''] = places
    const id = await ford.addVehicle({
      lotId: await ford.addLot(),
      photos: places.map((place) => ({ kind: 'address', place, alt: '' })),
    })
    const view = (caller: Caller, place: string) =>
      forecourt.app.inject({
        url: `${vehiclePhotos.view.path}?${new URLSearchParams({ id, place })}`,
        headers: { authorization: `Bearer ${caller.token}` },
      })
    const shown = await view(dealer, good)
    expect(shown.statusCode).toBe(200)
    expect(shown.headers['content-type']).toContain('image/gif')
    expect(shown.headers['cache-control']).toBe('private, max-age=3600')
    expect(shown.body).toBe('GIF89a, a photo')
    const before = web.requests.length
    const harbor = await forecourt.as('harbor.dealer')
    expect((await view(harbor, good)).statusCode).toBe(404)
    expect((await view(dealer, `${good}?other`)).statusCode).toBe(404)
    expect(web.requests).toHaveLength(before)
    expect((await view(dealer, page)).json()).toMatchObject({
      data: null,
      message: "This photo can't be loaded from its URL.",
    })
    expect((await view(dealer, missing)).statusCode).toBe(404)
  } finally {
    setDefaultCACertificates(trusted)
    await web.close()
  }
})
