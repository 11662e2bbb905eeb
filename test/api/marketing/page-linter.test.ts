import { afterAll, beforeAll, expect, test } from 'vitest'
import { files } from '#contract/files/files.ts'
import { largeUploads } from '#contract/files/large-uploads.ts'
import { dvpLayouts } from '#contract/marketing/layouts/layouts.ts'
import { forms } from '#contract/marketing/forms/forms.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { checkPublishedPages } from '#server/marketing/index.ts'
import { refusalOf, testApp, type TestApp } from '#test/app.ts'
import { downloadFile, sendFiles } from '#test/factories/files/file-calls.ts'
import { phonePhoto } from '#test/factories/phone-photo.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let place: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  place = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

const block = (type: string, data: Record<string, unknown>) => ({ id: type, type, v: 1, data })
const publish = async ({ id }: { id: string }) => {
  const { version } = await place.call(promoPages.get, { id })
  return place.call(promoPages.publish, { id, version })
}
const textBlock = (text: string) => ({ id: 'text', type: 'text', v: 1, data: { heading: '', text } })

test('a draft that breaks a rule of advertising is saved, and publishing it is refused with every finding', async () => {
  const page = await place.addPage({}, { isPublished: true })
  const { id } = page
  const draft = { id, title: 'Last chance', blocks: [textBlock('The lowest prices, below invoice.')] }
  const { version } = await place.call(promoPages.update, draft)
  const { status, refusal } = await refusalOf(place.call(promoPages.publish, { id, version }))
  expect(status).toBe(400)
  expect(refusal.fields?.['title']).toContain('Title: “Last chance”.')
  expect(refusal.fields?.['blocks']).toContain('Block 1 (Text), Text: “lowest prices”.')
  expect(refusal.fields?.['blocks']).toContain('Block 1 (Text), Text: “below invoice”.')
  expect(await place.call(promoPages.get, { id })).toMatchObject({ publishedNumber: 1, needsLook: false })
  // A note doesn't stop it.
  const noted = { id, title: 'Clearance', blocks: [textBlock('A free car wash.')] }
  const saved = await place.call(promoPages.update, noted)
  const published = await place.call(promoPages.publish, { id, version: saved.version })
  expect(published).toMatchObject({ publishedNumber: 2, needsLook: false, findings: 2 })
})

test('a published page stays and is listed when a rule is broken later', async () => {
  const page = await place.addPage({}, { isPublished: true })
  await forecourt.owner.query('update promo_page_versions set blocks = $1 where page_id = $2', [
    JSON.stringify([textBlock('The lowest prices.')]),
    page.id,
  ])
  await checkPublishedPages(forecourt.appPool, [place.customerId])
  const listed = await place.call(promoPages.list, { search: page.name, filter: 'needsLook' })
  expect(listed.results).toMatchObject([{ id: page.id, status: 'published', needsLook: true, findings: 2 }])
  await place.call(promoPages.unpublish, { id: page.id })
  expect(await place.call(promoPages.get, { id: page.id })).toMatchObject({ needsLook: false, findings: 0 })
})

test('a published page is marked when its layout no longer allows a block, its vehicle is sold or its form is closed', async () => {
  const layoutId = await place.addLayout()
  const { id: formId, key } = await place.addForm()
  const vehicleId = await place.addVehicle({
    year: 2021,
    status: 'live',
    priceCents: 2_000_000,
    photos: [{ kind: 'address', place: 'https://photos.example/1.jpg', alt: 'Front' }],
  })
  const form = block('form', { formKey: key, heading: '' })
  const page = await place.addPage(
    { layoutId, blocks: [textBlock('Only words'), form] },
    { isPublished: true },
  )
  const needsLook = async () => (await place.call(promoPages.get, { id: page.id })).needsLook
  const check = () => checkPublishedPages(forecourt.appPool, [place.customerId])
  await check()
  expect(await needsLook()).toBe(false)
  // A layout counts as soon as it is saved.
  await place.call(dvpLayouts.update, { id: layoutId, allowed: ['form'] })
  expect(await needsLook()).toBe(true)
  await place.call(dvpLayouts.update, { id: layoutId, allowed: [] })
  expect(await needsLook()).toBe(false)
  const { version } = await place.call(promoPages.get, { id: page.id })
  const chosen = block('vehicles', {
    heading: '',
    source: 'chosen',
    search: '',
    vehicleIds: [vehicleId],
    most: 6,
  })
  await place.call(promoPages.update, { id: page.id, version, blocks: [chosen, form] })
  await publish(page)
  expect(await needsLook()).toBe(false)
  await place.call(vehicles.update, { id: vehicleId, status: 'sold' })
  await check()
  expect(await needsLook()).toBe(true)
  expect(await place.call(promoPages.facts, { id: page.id })).toMatchObject({
    gone: { vehicles: [vehicleId], forms: [] },
  })
  // That is no reason not to publish, but a closed form is.
  expect(await publish(page)).toMatchObject({ needsLook: true })
  await place.call(forms.close, { id: formId })
  const { refusal } = await refusalOf(publish(page))
  expect(refusal.fields?.['blocks']).toContain("Block 2 (Form): Its form isn't published.")
})

test('a picture that a page or layout shows says where, in its draft and in what is published', async () => {
  const [path, folder] = ['Pages here/front.jpg', 'Pages here']
  const picture = { path, alt: 'The front' }
  const layout = fresh('With picture')
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const front = [{ name: 'front.jpg', bytes: await phonePhoto({ width: 30, height: 20 }) }]
  await admin.call(files.createDirectory, { container: 'media', dirName: folder })
  await sendFiles(forecourt, admin, { path: folder }, front)
  const page = await place.addPage(
    { blocks: [block('picture', { picture, caption: '' })] },
    { isPublished: true },
  )
  await place.call(dvpLayouts.add, {
    name: layout,
    top: [block('picture', { picture, caption: '' })],
  })
  // The draft shows another one, and visitors still the former.
  const { version } = await place.call(promoPages.get, { id: page.id })
  await place.call(promoPages.update, { id: page.id, version, blocks: [textBlock('Only words')] })
  for (const one of [path, folder]) {
    const { total, uses } = await place.call(files.uses, { container: 'media', path: one })
    expect([total, uses.map(({ kind }) => kind).toSorted()]).toEqual([2, ['dvpLayout', 'promoPage']])
  }
  expect((await place.call(files.uses, { container: 'media', path: 'Pages her' })).total).toBe(0)
  // What the page shows stays as it is for users who don't manage everything that may show it.
  const dealer = await forecourt.as('northgate.dealer')
  const replaced = await sendFiles(forecourt, dealer, { path: folder, overwrite: 'true' }, front)
  expect(replaced).toMatchObject({
    status: 409,
    message: expect.stringContaining('2 vehicles and pages show'),
  })
  expect((await sendFiles(forecourt, admin, { path: folder, overwrite: 'true' }, front)).status).toBe(200)
  // Nor does anyone put there what can't be shown: visitors would have it at once.
  for (const [bytes, why] of [
    [Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1'), 'damaged or incomplete'],
    [Buffer.from('No picture'), 'isn’t a picture'],
  ] as const) {
    const broken = [{ name: 'front.jpg', bytes }]
    const { status, message } = await sendFiles(forecourt, admin, { path: folder, overwrite: 'true' }, broken)
    expect([status, message]).toEqual([409, expect.stringContaining('2 vehicles and pages show it')])
    expect(message).toContain(why)
    const large = { container: 'media', path: folder, name: 'front.jpg', bytes: bytes.length, fileTime: 1 }
    const { id } = await admin.call(largeUploads.begin, { ...large, overwrite: true })
    await forecourt.app.inject({
      method: 'POST',
      url: `${largeUploads.part.path}?id=${id}&offset=0`,
      payload: bytes,
      headers: { 'content-type': 'application/octet-stream', authorization: `Bearer ${admin.token}` },
    })
    await expect(admin.call(largeUploads.complete, { id, overwrite: true })).toRefuse(409, why)
  }
  expect((await downloadFile(admin, path)).bytes.equals(front[0]?.bytes ?? Buffer.alloc(0))).toBe(true)
})

test('a page with a file that can’t be shown as a picture isn’t published', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const photo = await phonePhoto()
  await sendFiles(forecourt, admin, {}, [
    { name: 'words.jpg', bytes: Buffer.from('<html><script>alert(1)</script></html>') },
    { name: 'half.jpg', bytes: photo.subarray(0, photo.length / 3) },
  ])
  for (const [path, why] of [
    ['words.jpg', 'This isn’t a picture'],
    ['half.jpg', 'damaged or incomplete'],
    ['gone.jpg', 'isn’t in the media library'],
  ] as const) {
    const shown = [block('picture', { picture: { path, alt: 'Something' }, caption: '' })]
    const page = await place.addPage({ blocks: shown })
    const { fields } = (await refusalOf(publish(page))).refusal
    expect(fields?.['blocks']).toContain(`Block 1 (Picture), “${path}”: `)
    expect(fields?.['blocks']).toContain(why)
    // A layout is shown as soon as it is saved.
    const layout = { name: fresh('Broken'), bottom: shown }
    expect((await refusalOf(place.call(dvpLayouts.add, layout))).refusal.fields?.['bottom']).toContain(why)
    const id = await place.addLayout()
    await expect(place.call(dvpLayouts.update, { id, bottom: shown })).toRefuse(400)
  }
})
