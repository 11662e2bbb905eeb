// @module-tag release
import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const STOCK = 'FN10021'

/** A distinct picture for each name or seed. */
const png = async (name: string, word = name) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp(createHash('sha256').update(word).digest().subarray(0, 27), {
    raw: { width: 3, height: 3, channels: 3 },
  })
    .png()
    .toBuffer(),
})

async function choose(page: Page, label: string, files: readonly ReturnType<typeof png>[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await drawer(page).getByRole('button', { name: label }).click()
  await (await choosing).setFiles(await Promise.all(files))
}

test('photos are matched by file name, added after the existing ones, and removed by undo', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/vehicle-data')
  await button(page, 'Add photos').click()
  await see(drawer(page).getByText('Drop photos here'))
  await choose(page, 'Choose photos', [
    png(`${STOCK.toLowerCase()}_2.png`),
    png(`${STOCK}_1.png`),
    png(`${STOCK}_3.png`, `${STOCK}_1.png`),
    png('Party.png'),
  ])
  const found = drawer(page).getByRole('list', { name: '1 vehicle matched' })
  await see(
    found.getByText('3 photos,'),
    drawer(page).getByText('No vehicle you have access to has this VIN or stock number.'),
  )
  await button(page, 'Add 3 photos to 1 vehicle').click()
  await see(drawer(page).getByText('2 photos added to 1 vehicle, 1 already on the vehicle'))
  await see(drawer(page).getByText('This photo is already on the vehicle.'))

  await found.getByRole('link').click()
  await see(page.getByRole('heading', { level: 1 }), button(page, 'Upload photos'))
  const photos = page.getByRole('list', { name: 'Photos' }).getByRole('listitem')
  const looks = page.getByRole('list', { name: 'Photos' }).getByRole('button', { name: /^View/ })
  await see(looks.filter({ visible: true }).first())
  const names = await looks.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  expect(names.slice(-2)).toEqual([`View ${STOCK}_1.png`, `View ${STOCK.toLowerCase()}_2.png`])
  const many = await photos.count()

  await page.goBack()
  await button(page, 'Undo').click()
  await see(button(page, 'Add 3 photos to 1 vehicle'))
  await drawer(page).getByRole('list', { name: '1 vehicle matched' }).getByRole('link').click()
  await see(page.getByText(`${many - 2} photos. The first one`))
})

test('photos dropped on the list are matched, and a failed upload is retried', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/vehicle-data')
  await see(heading(page, 'Vehicle data'), page.getByText(/ of [\d,]+ vehicles$/))
  const { buffer } = await png('dropped')
  const transfer = await page.evaluateHandle(
    ({ stock, bytes }) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], `${stock}-07.png`, { type: 'image/png' }))
      return data
    },
    { stock: STOCK, bytes: [...buffer] },
  )
  const list = page.getByRole('main').locator('.fc-drop-zone').first()
  for (const type of ['dragenter', 'dragover', 'drop'])
    await list.dispatchEvent(type, { dataTransfer: transfer })
  await see(button(page, 'Add 1 photo to 1 vehicle'))
  await page.route('**/api/inventory/add-photos', (route) => route.abort())
  await button(page, 'Add 1 photo to 1 vehicle').click()
  await see(drawer(page).getByText('1 not uploaded'))
  await page.unroute('**/api/inventory/add-photos')
  await button(page, 'Retry 1 photo').click()
  await see(drawer(page).getByText('1 photo added to 1 vehicle'))
  await button(page, 'Done').click()
  await miss(page.getByRole('dialog'))
  expect(new URL(page.url()).searchParams.has('panel')).toBe(false)
})

test('photos added by URL say whether they are copied', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto(`/inventory/vehicle-data?search=${STOCK}`)
  await page.getByRole('row').filter({ hasText: STOCK }).getByRole('link').first().click()
  const sections = page.getByRole('navigation', { name: 'Sections of this vehicle' })
  await sections.getByRole('link', { name: /^Media/ }).click()
  await button(page, 'Add photo URLs').click()
  await page.getByRole('textbox', { name: 'Photo URLs' }).fill('https://photos.example/front.jpg')
  await page.getByRole('dialog').getByRole('button', { name: 'Add photos' }).click()
  const note = page.getByText(/^Copied: /)
  await see(note)
  expect(await note.textContent()).toMatch(/^Copied: 0 of 1 photo on other servers\. \w/)
})
