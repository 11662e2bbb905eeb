import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { files } from '#contract/files/files.ts'
import { mediaMoves, TakenNames } from '#contract/files/media-moves.ts'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { downloadFile, namesIn, ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const container = 'media'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
let photo: Buffer
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
  photo = await phonePhoto()
})
afterAll(() => forecourt.close())

const send = (path: string, ...names: string[]) =>
  sendFiles(
    forecourt,
    admin,
    { path },
    names.map((name) => ({ name, bytes: `${name} ${randomUUID()}` })),
  )
const read = async (path: string) => (await downloadFile(admin, path)).status
const foldersOf = async () => [await ownFolder(admin), await ownFolder(admin)] as const

test('vehicles, pages and layouts show moved pictures where they are, also within a moved folder, and after undo', async () => {
  const [from, to] = await foldersOf()
  await admin.call(files.createDirectory, { container, folder: from, dirName: 'Set' })
  await sendFiles(forecourt, admin, { path: `${from}/Set` }, [{ name: 'a.jpg', bytes: photo }])
  await sendFiles(forecourt, admin, { path: from }, [{ name: 'b.jpg', bytes: photo }])
  const [a, b] = [`${from}/Set/a.jpg`, `${from}/b.jpg`]
  const picture = (path: string) => [
    { id: 'x', type: 'picture', v: 1, data: { picture: { path, alt: 'Front' }, caption: '' } },
  ]
  const { id } = await admin.call(vehicles.add, {
    lotId: await ford.addLot(),
    photos: [
      { kind: 'address', place: 'https://photos.example/1.jpg' },
      { kind: 'file', place: a },
      { kind: 'file', place: b },
    ],
  })
  const before = await admin.call(vehicles.get, { id })
  const page = await ford.addPage({ blocks: picture(a) }, { isPublished: true })
  const layout = await admin.call(dvpLayouts.add, { name: fresh('Layout'), top: picture(b) })

  // Someone without access to the vehicle moves them, too.
  const other = await forecourt.as('northgate.admin', 'Northgate Toyota')
  const done = await other.call(mediaMoves.move, { paths: [`${from}/Set`, b, a], to })
  expect(done).toMatchObject({
    moved: [
      { from: `${from}/Set`, to: `${to}/Set` },
      { from: b, to: `${to}/b.jpg` },
    ],
    followed: 3,
    kept: [],
  })
  const after = await admin.call(vehicles.get, { id })
  expect(after.photos.map(({ place }) => place)).toEqual([
    'https://photos.example/1.jpg',
    `${to}/Set/a.jpg`,
    `${to}/b.jpg`,
  ])
  // A form from before must not bring the former path back.
  expect(after.version).toBeGreaterThan(before.version)
  const shown = await admin.call(promoPages.get, { id: page.id })
  expect([shown.hasChanges, JSON.stringify(shown.blocks)]).toEqual([
    false,
    expect.stringContaining(`${to}/Set/a.jpg`),
  ])
  expect((await admin.call(dvpLayouts.get, { id: layout.id })).top).toMatchObject(picture(`${to}/b.jpg`))
  expect((await admin.call(files.uses, { container, path: from })).total).toBe(0)
  expect((await admin.call(files.uses, { container, path: to })).total).toBe(3)
  expect(await read(`${to}/Set/a.jpg`)).toBe(200)

  const back = await admin.call(mediaMoves.undo, { undo: done.undo ?? '' })
  expect([back.moved.length, back.kept]).toEqual([2, []])
  expect((await admin.call(vehicles.get, { id })).photos.map(({ place }) => place)).toEqual(
    before.photos.map(({ place }) => place),
  )
  expect((await admin.call(files.uses, { container, path: from })).total).toBe(3)
  await expect(admin.call(mediaMoves.undo, { undo: done.undo ?? '' })).toRefuse(404)
})

test('a name that is taken is asked about, gets a number, or stays; nothing is overwritten', async () => {
  const [from, to] = await foldersOf()
  await send(from, 'a.txt', 'b.txt')
  await send(to, 'a.txt')
  const theirs = (await downloadFile(admin, `${to}/a.txt`)).text
  const paths = [`${from}/a.txt`, `${from}/b.txt`, `${from}/gone.txt`]
  const { status, refusal } = await refusalOf(admin.call(mediaMoves.move, { paths, to }))
  expect([status, TakenNames.parse(refusal.preview)]).toEqual([409, [`${from}/a.txt`]])
  expect(await namesIn(admin, from)).toEqual(['a.txt', 'b.txt'])

  const skipped = await admin.call(mediaMoves.move, { paths, to, taken: 'skip' })
  expect(skipped.kept.map(({ path }) => path)).toEqual([`${from}/a.txt`, `${from}/gone.txt`])
  expect(await namesIn(admin, to)).toEqual(['a.txt', 'b.txt'])
  const numbered = await admin.call(mediaMoves.move, { paths: [`${from}/a.txt`], to, taken: 'number' })
  expect(numbered.moved).toEqual([{ from: `${from}/a.txt`, to: `${to}/a 2.txt` }])
  expect((await downloadFile(admin, `${to}/a.txt`)).text).toBe(theirs)

  // The former name is in use again.
  await send(from, 'a.txt')
  const undone = await admin.call(mediaMoves.undo, { undo: numbered.undo ?? '' })
  expect(undone).toMatchObject({ moved: [], kept: [{ path: `${to}/a 2.txt` }] })
})

test('a folder is not moved into itself, nor anything into a folder that is missing or of another customer', async () => {
  const folder = await ownFolder(admin)
  await admin.call(files.createDirectory, { container, folder, dirName: 'Inner' })
  await send(folder, 'a.txt')
  for (const to of [folder, `${folder}/Inner`])
    await expect(admin.call(mediaMoves.move, { paths: [folder], to })).toRefuse(
      400,
      "can't be moved into itself",
    )
  await expect(admin.call(mediaMoves.move, { paths: [folder], to: 'Nowhere' })).toRefuse(404)
  const harbor = await forecourt.as('harbor.admin')
  const theirs = await ownFolder(harbor)
  await expect(admin.call(mediaMoves.move, { paths: [folder], to: theirs })).toRefuse(404)
  const { moved, kept } = await harbor.call(mediaMoves.move, { paths: [`${folder}/a.txt`], to: theirs })
  expect([moved, kept.length]).toEqual([[], 1])
  const { undo } = await admin.call(mediaMoves.move, { paths: [`${folder}/a.txt`], to: `${folder}/Inner` })
  await expect(harbor.call(mediaMoves.undo, { undo: undo ?? '' })).toRefuse(404)
})

test('two moves at once, and a deletion of the target, lose nothing', async () => {
  const [from, to] = await foldersOf()
  await send(from, 'a.txt')
  const third = await ownFolder(admin)
  const answers = await Promise.all(
    [to, third].map((target) => admin.call(mediaMoves.move, { paths: [`${from}/a.txt`], to: target })),
  )
  expect(answers.flatMap(({ moved }) => moved)).toHaveLength(1)
  const [one] = answers.flatMap(({ moved }) => moved)
  expect(await read(one?.to ?? '')).toBe(200)

  // Each into the other: the second finds its folder gone.
  const both = await Promise.allSettled([
    admin.call(mediaMoves.move, { paths: [to], to: third }),
    admin.call(mediaMoves.move, { paths: [third], to }),
  ])
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a move that a killed server left is finished by the next one', async () => {
  const [from, to] = await foldersOf()
  await sendFiles(forecourt, admin, { path: to }, [{ name: 'left.jpg', bytes: photo }])
  await sendFiles(forecourt, admin, { path: from }, [{ name: 'other.jpg', bytes: photo }])
  const { id } = await admin.call(vehicles.add, {
    lotId: await ford.addLot(),
    photos: [{ kind: 'file', place: `${to}/left.jpg` }],
  })
  await forecourt.owner.query(
    `update vehicles set photos = jsonb_set(photos, '{0,place}', to_jsonb($1::text)) where id = $2`,
    [`${from}/left.jpg`, id],
  )
  await forecourt.owner.query(
    `insert into media_moves (customer_id, items, touched_at)
     select customer_id, $1, app_now() - interval '3 minutes' from vehicles where id = $2`,
    [JSON.stringify([{ from: `${from}/left.jpg`, to: `${to}/left.jpg` }]), id],
  )
  await admin.call(mediaMoves.move, { paths: [`${from}/other.jpg`], to })
  expect((await admin.call(vehicles.get, { id })).photos).toMatchObject([{ place: `${to}/left.jpg` }])
})
