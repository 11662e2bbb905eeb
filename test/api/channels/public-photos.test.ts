import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { files } from '#contract/files/files.ts'
import { PICTURE_WIDTHS, pictureIn } from '#contract/files/picture-widths.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { ownFolder, sendFiles } from '#test/factories/files/file-calls.ts'
import { PHONE, phonePhoto } from '#test/factories/phone-photo.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
let admin: Caller
let ford: TestOrganization
beforeAll(async () => {
  forecourt = await testApp()
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(() => forecourt.close())

/** The first bytes of a PNG. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const open = (url: string) => forecourt.anonymous.send({ method: 'GET', url })

describe('a public photo', () => {
  const upload = async (bytes: Buffer, name = 'Phone.jpg') => {
    const folder = await ownFolder(admin)
    await sendFiles(forecourt, admin, { path: folder }, [{ name, bytes }])
    const place = `${folder}/${name}`
    const id = await ford.addVehicle({
      year: 2022,
      make: 'Ford',
      model: 'Escape',
      status: 'live',
      priceCents: 1_900_000,
      photos: [{ kind: 'file' as const, place, alt: '' }],
    })
    const { jsonLd } = await admin.call(channels.ofVehicle, { id })
    return {
      id,
      place,
      pathname: new URL(String(Array.isArray(jsonLd.image) ? jsonLd.image[0] : '')).pathname,
    }
  }

  test('has nothing of the phone in it: no position, no camera, no comment, and stands upright', async () => {
    const original = await phonePhoto()
    expect(original.toString('latin1')).toContain(PHONE)
    const { pathname } = await upload(original)
    for (const address of [pathname, ...PICTURE_WIDTHS.map((width) => pictureIn(pathname, width))]) {
      const { status, headers, bytes } = await open(address)
      expect(status).toBe(200)
      // The browser shows it: it doesn't download a file.
      expect(headers['content-disposition']).toMatch(/^inline;/)
      expect(bytes.toString('latin1')).not.toMatch(/Marker|Exif|GPS/)
      const { exif, xmp, orientation, width, height } = await sharp(bytes).metadata()
      expect({ exif, xmp, orientation }).toEqual({})
      expect(height).toBeGreaterThan(width)
      expect(height).toBeLessThanOrEqual(Number(/w=(\d+)/.exec(address)?.[1] ?? 1600))
    }
    expect((await open(`${pathname}?w=5000`)).status).toBe(400)
  })

  test('changes when its file is replaced, and is gone with it', async () => {
    const { id, pathname, place } = await upload(await phonePhoto())
    const before = (await open(pathname)).bytes
    expect((await open(pathname)).bytes.equals(before)).toBe(true)
    const [folder, name] = [place.split('/').slice(0, -1).join('/'), place.split('/').at(-1) ?? '']
    await sendFiles(forecourt, admin, { path: folder, overwrite: 'true' }, [
      { name, bytes: await phonePhoto({ noise: 20 }) },
    ])
    expect((await open(pathname)).bytes.equals(before)).toBe(false)
    const { version } = await admin.call(vehicles.get, { id })
    await admin.call(vehicles.update, { id, version, photos: [] })
    await admin.call(files.delete, { container: 'media', toDelete: [place] })
    expect((await open(pathname)).status).toBe(404)
  })

  test.each([
    ['a file that only begins like a picture', Buffer.concat([PNG, Buffer.alloc(2_000)])],
    ['a program', Buffer.from('MZ'.padEnd(500, ' '))],
  ])('is not shown if it is %s', async (_what, bytes) => {
    const { pathname, place } = await upload(await phonePhoto(), 'Odd.png')
    // A vehicle takes only pictures, and what it shows is replaced only by one.
    const path = place.split('/').slice(0, -1).join('/')
    const replaced = await sendFiles(forecourt, admin, { path, overwrite: 'true' }, [
      { name: 'Odd.png', bytes },
    ])
    expect([replaced.status, (await open(pathname)).status]).toEqual([409, 200])
    // An earlier version took it.
    const stored = (await readdir(forecourt.filesFolder, { recursive: true })).find((one) =>
      one.endsWith(place),
    )
    await writeFile(join(forecourt.filesFolder, stored ?? ''), bytes)
    expect((await open(pathname)).status).toBe(404)
  })

  test('of a drawing is a picture, without what the drawing could run', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><script>alert(1)</script><rect width="600" height="400" fill="red"/></svg>'
    const { pathname } = await upload(Buffer.from(svg), 'Drawing.svg')
    const { status, bytes } = await open(pictureIn(pathname, 320))
    expect([status, bytes.includes('script'), (await sharp(bytes).metadata()).format]).toEqual([
      200,
      false,
      'webp',
    ])
  })
})

test('the office gets thumbnails of its media, and no other file as one', async () => {
  const folder = await ownFolder(admin)
  await sendFiles(forecourt, admin, { path: folder }, [
    { name: 'Phone.jpg', bytes: await phonePhoto() },
    { name: 'Text.txt', bytes: Buffer.from('No picture') },
  ])
  const read = (name: string, more = '') =>
    admin.send({
      method: 'GET',
      url: `${files.download.path}?${new URLSearchParams({ container: 'media', path: `${folder}/${name}` })}${more}`,
    })
  const [whole, small] = [await read('Phone.jpg'), await read('Phone.jpg', '&w=320')]
  expect(whole.bytes.toString('latin1')).toContain(PHONE)
  expect(small.bytes.length).toBeLessThan(whole.bytes.length)
  expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'webp', width: 240, height: 320 })
  expect((await read('Text.txt', '&w=320')).status).toBe(404)
  expect((await read('Phone.jpg', '&w=321')).status).toBe(400)
})
