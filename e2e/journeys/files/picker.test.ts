// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { drawLogo } from '../../../demo/pictures.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const picker = (page: Page) => page.getByRole('dialog', { name: 'Choose a picture' })
const inPicker = (page: Page, name: string) => picker(page).getByRole('button', { name, exact: true })
const tile = (page: Page, name: string) => picker(page).getByRole('radio', { name: new RegExp(`^${name}`) })
const logo = (page: Page) => drawer(page).getByRole('img', { name: 'Selected logo' })
const choose = (page: Page) => button(page, 'Choose from media: logo')

const svg = (name: string, text: string) => ({
  name,
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(text),
})

async function uploadInPicker(page: Page, file: ReturnType<typeof svg>): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await inPicker(page, 'Upload').click()
  await (await choosing).setFiles([file])
}

test('a logo can be chosen from media with the keyboard, and is saved like an uploaded one', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/domain-white-label?domain=new')
  await field(page, 'Domain').fill('picked.localhost')
  await field(page, 'Title').fill('Picked')

  await choose(page).focus()
  await page.keyboard.press('Enter')
  await see(inPicker(page, 'Logos'))
  await page.keyboard.press('Escape')
  await miss(picker(page))
  // The drawer below stays open, and focus returns.
  await expect.poll(() => choose(page).evaluate((one) => one === document.activeElement)).toBe(true)

  await page.keyboard.press('Enter')
  await inPicker(page, 'Logos').focus()
  await page.keyboard.press('Enter')
  await see(tile(page, 'Northgate.svg'))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await see(picker(page).getByRole('status').getByText('Northgate dark.svg'))
  await page.keyboard.press('ArrowDown')
  await see(picker(page).getByRole('status').getByText('Northgate.svg', { exact: true }))
  await page.keyboard.press('Enter')
  await miss(picker(page))
  await see(logo(page))
  expect(await logo(page).getAttribute('src')).toMatch(/^data:image\/svg\+xml;base64,/)
  await expect.poll(() => choose(page).evaluate((one) => one === document.activeElement)).toBe(true)

  await button(page, 'Add domain').last().click()
  await page.waitForURL(/domain=\d+/)
  await expect
    .poll(() => logo(page).getAttribute('src'))
    .toMatch(/^\/api\/auth\/brand-picture\/[0-9a-f]{64}$/)
})

test('a picture can be uploaded in the picker; large and executable files are rejected', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/domain-white-label')
  await page.getByRole('link', { name: 'cars.northgate.example' }).click()
  await choose(page).click()
  await inPicker(page, 'Vehicles').click()
  await see(tile(page, 'F 150 front.png'))

  await uploadInPicker(page, svg('Large.svg', `${drawLogo('L', '#7a1fa2')}<!--${'x'.repeat(200_000)}-->`))
  await see(picker(page).getByText('Too large: at most 200 kB'))
  await tile(page, 'Large.svg').click({ force: true })
  await see(picker(page).getByText('Nothing chosen yet'))
  expect(await inPicker(page, 'Use picture').getAttribute('aria-disabled')).toBe('true')

  await uploadInPicker(page, svg('Active.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"></svg>'))
  // The uploaded file is selected.
  await see(picker(page).getByRole('status').getByText('Active.svg', { exact: true }))
  await uploadInPicker(page, svg('Active.svg', drawLogo('A', '#7a1fa2')))
  const refusal = page.getByRole('dialog', { name: 'Error' })
  await see(refusal.getByText(/^A file named Active.svg already exists here/))
  await page.keyboard.press('Escape')
  await miss(refusal)
  await see(picker(page))
  await inPicker(page, 'Use picture').click()
  await button(page, 'Save domain').click()
  await see(drawer(page).getByText(/This SVG contains scripts/))

  await choose(page).click()
  await picker(page).getByRole('searchbox').fill('show')
  await see(tile(page, 'Showroom.png'))
  await miss(inPicker(page, 'Logos'))
  await picker(page).getByRole('searchbox').fill('zebra')
  await see(picker(page).getByText('No results for “zebra”'))
  await inPicker(page, 'Clear search').click()
  await tile(page, 'Showroom.png').dblclick({ force: true })
  await miss(picker(page))
  await button(page, 'Save domain').click()
  await see(page.getByText('Domain saved'))
})

test('the picker fits at 390 px, and an upload in it can be canceled', { tags: 'release' }, async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } })
  await signIn(page, 'harbor.admin')
  await page.goto('/administration/domain-white-label?domain=new')
  await choose(page).click()
  await see(inPicker(page, 'Logos'))
  const isCut = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(isCut).toBe(false)
  const slow = await page.context().newCDPSession(page)
  await slow.send('Network.enable')
  const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 }
  await slow.send('Network.emulateNetworkConditions', line)
  await uploadInPicker(page, { name: 'long.png', mimeType: 'image/png', buffer: Buffer.alloc(8_000_000, 7) })
  await see(picker(page).getByRole('progressbar', { name: 'Progress: long.png' }))
  await inPicker(page, 'Cancel long.png').click()
  await see(picker(page).getByText('Canceled'))
})

test('a media picture is inserted into an email template at the cursor, and shown in its preview', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/email-templates?template=invitation')
  const layout = drawer(page).getByRole('textbox', { name: 'Layout' })
  await see(layout, page.frameLocator('iframe').getByText('Hello Sofia,'))
  await layout.evaluate((area: HTMLTextAreaElement) => {
    const place = area.value.lastIndexOf('<mj-button')
    area.setSelectionRange(place, place)
  })
  await button(page, 'Insert picture').click()
  await inPicker(page, 'Logos').click()
  await see(tile(page, 'Northgate.svg'))
  expect(await tile(page, 'Northgate.svg').getAttribute('aria-disabled')).toBe('true')
  await see(picker(page).getByText('Only PNG, JPEG, GIF').first())
  await inPicker(page, 'Media').click()
  await tile(page, 'Showroom.png').check({ force: true })
  await inPicker(page, 'Use picture').click()
  await miss(picker(page))
  await expect.poll(() => layout.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await layout.inputValue()).toMatch(
    /<mj-image src="media:Showroom\.png" alt="Showroom" \/>\s+<mj-button/,
  )
  const picture = page.frameLocator('iframe').getByRole('img', { name: 'Showroom' })
  await see(picture)
  expect(await picture.getAttribute('src')).toMatch(/^data:image\/png;base64,/)
  await button(page, 'Save template').click()
  await see(page.getByText('Email template saved'))
  await page.reload()
  await see(page.frameLocator('iframe').getByRole('img', { name: 'Showroom' }))
})
