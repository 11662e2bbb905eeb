import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { vins } from '#contract/vehicles/vin/vin.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, heading, miss, see, signIn } from '#e2e/harness/steps.ts'
import { PICKUP } from '#e2e/pages/home/work.ts'

const { page: newPage } = stage()

/** Where a VIN is decoded, with any VIN. */
const DECODE = `**${vins.decode.path.replace('{vin}', '*')}`

const vehicle = (page: Page, name: RegExp) => page.getByRole('main').getByRole('link', { name })

test('a dealer opens a vehicle page and returns to the same list', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vehicle data' }).click()
  await see(heading(page, 'Vehicle data'), page.getByText(/ of 360 vehicles$/))
  await page.getByLabel('Search vehicles').fill(PICKUP.stock)
  await see(page.getByText(/^1 of 360 vehicles$/))
  await vehicle(page, PICKUP.name).click()
  await see(heading(page, PICKUP.title), page.getByText('Published'))
  await page.reload()
  await see(page.getByText('Gasoline').first(), page.getByText(/ nightly feed, /).first())
  // Dealers can't see costs.
  expect(await page.getByText('Cost', { exact: true }).count()).toBe(0)
  expect(await page.getByText('Invoice', { exact: true }).count()).toBe(0)
  await page.getByRole('link', { name: 'Timeline' }).click()
  await see(page.getByRole('list', { name: 'Timeline' }).getByText('Added'))
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByRole('link', { name: 'Vehicle data' })
    .click()
  await see(page.getByText(/^1 of 360 vehicles$/))
})

test('a vehicle is added, edited, unlocked, deleted and restored', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/vehicle-data?search=Journey')
  await button(page, 'Add vehicle').first().click()
  const form = drawer(page)
  await form.getByRole('button', { name: 'Add vehicle' }).click()
  await see(form.getByText('Lot is required.'))
  await form.getByRole('combobox', { name: 'Lot' }).click()
  await page.getByRole('option', { name: /^Northgate Ford, / }).click()
  await form.getByLabel('Stock number', { exact: true }).fill('JOURNEY 1')
  await form.getByLabel('Year').fill('2031')
  await form.getByLabel('Make').fill('Ford')
  await form.getByLabel('Model').fill('Journey')
  await form.getByLabel('Price', { exact: true }).fill('19,999.50')
  await form.getByRole('button', { name: 'Add vehicle' }).click()
  await see(
    heading(page, '2031 Ford Journey'),
    page.getByText('Incoming, no photos'),
    page.getByText('$19,999.50').first(),
  )
  const lock = page.getByRole('button', { name: 'Lock Price' })
  await see(page.getByRole('button', { name: 'Lock Price', pressed: true }))
  await lock.click()
  await see(page.getByRole('button', { name: 'Lock Price', pressed: false }))

  await button(page, 'Edit').click()
  await form.getByLabel('Price', { exact: true }).fill('18500')
  await form.getByRole('button', { name: 'Save vehicle' }).click()
  await miss(form)
  await see(page.getByRole('button', { name: 'Lock Price', pressed: true }))
  await page.getByRole('group', { name: 'Price history as' }).getByRole('button', { name: 'Table' }).click()
  await see(page.getByRole('cell', { name: '$18,500' }), page.getByRole('cell', { name: '$19,999.50' }))

  await page.getByRole('button', { name: 'More for 2031 Ford Journey' }).click()
  await page.getByRole('menuitem', { name: 'Delete vehicle' }).click()
  await see(page.getByText('2031 Ford Journey deleted'))
  await button(page, 'Undo').click()
  await see(heading(page, '2031 Ford Journey'))
  await page.getByRole('link', { name: 'Timeline' }).click()
  await see(page.getByText('Restored'))
  expect(await page.getByRole('list', { name: 'Timeline' }).getByText('Deleted').count()).toBe(1)
})

test(
  'photos are reordered with the keyboard, described, removed and restored',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto(PICKUP.list)
    await vehicle(page, PICKUP.name).click()
    await page
      .getByRole('navigation', { name: 'Sections of this vehicle' })
      .getByRole('link', { name: /^Media/ })
      .click()
    const photos = page.getByRole('list', { name: 'Photos' }).getByRole('listitem')
    await see(photos.first().getByRole('button', { name: /^View / }))
    const before = await photos.count()
    const first = (await photos.first().textContent()) ?? ''
    await page
      .getByRole('button', { name: /^Move / })
      .first()
      .focus()
    await page.keyboard.press('Space')
    await see(page.getByText(/ picked up\.$/))
    // The arrow keys work from the frame after that, when the places have been measured.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    await page.keyboard.press('ArrowRight')
    await see(page.getByText(/ is over position 2\.$/))
    await page.keyboard.press('Space')
    await expect.poll(async () => photos.nth(1).textContent()).toBe(first.replace(/^1/, '2'))
    await page
      .getByRole('button', { name: /^Describe / })
      .first()
      .click()
    await page.getByRole('dialog').getByLabel('Alternative text').fill('Parked at dusk')
    await button(page, 'Save text').click()
    await see(photos.first().getByText('Parked at dusk'))
    await button(page, 'Remove Parked at dusk').click()
    await see(page.getByText('Parked at dusk removed'))
    await expect.poll(async () => photos.count()).toBe(before - 1)
    await button(page, 'Undo').click()
    await expect.poll(async () => photos.count()).toBe(before)
    await button(page, 'View Parked at dusk').click()
    await see(page.getByRole('button', { name: 'Zoom in' }))
  },
)

test(
  'a typed VIN fills in the vehicle and stays, like everything typed while it is decoded',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const decoding = Promise.withResolvers<void>()
    await page.route(DECODE, async (route) => {
      await decoding.promise
      await route.continue()
    })
    await page.goto('/inventory/vehicle-data?vehicle=new')
    const form = drawer(page)
    const asked = page.waitForRequest(DECODE)
    await form.getByLabel('VIN', { exact: true }).pressSequentially('1FMCU9GD0JUA12345')
    await asked
    await form.getByLabel('Stock number', { exact: true }).fill('TYPED 1')
    decoding.resolve()
    await see(form.getByText(/^Filled in from the VIN: Year, Make, Model/))
    expect(await form.getByLabel('VIN', { exact: true }).inputValue()).toBe('1FMCU9GD0JUA12345')
    expect(await form.getByLabel('Stock number', { exact: true }).inputValue()).toBe('TYPED 1')
    expect(await form.getByLabel('Make').inputValue()).toBe('Ford')
  },
)

test(
  'the VIN decode is shown next to the vehicle data, with differences marked',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.dealer')
    await page.goto(PICKUP.list)
    await vehicle(page, PICKUP.name).click()
    const decode = page.getByRole('region', { name: 'VIN decode' })
    await see(
      decode.getByText('Valid VIN'),
      decode.getByText('F-150', { exact: true }),
      decode.getByText(/^Character 10: /),
    )
    expect(await decode.getByText(/differences?$/).count()).toBe(0)

    // The same vehicle with feed errors: a different model and a typo in the VIN.
    await page.route(`**${vehicles.get.path.replace('{id}', '*')}`, async (route) => {
      const response = await route.fetch()
      const answer = z
        .object({ data: z.record(z.string(), z.unknown()) })
        .loose()
        .parse(await response.json())
      const data = { ...answer.data, model: 'Ranger', vin: `${String(answer.data.vin).slice(0, 16)}0` }
      await route.fulfill({ response, json: { ...answer, data } })
    })
    await page.reload()
    await see(
      decode.getByText('Wrong check digit'),
      decode.getByText(/^The check digit \(character 9\) is \w but should be \w\.$/),
      decode.getByText('1 difference'),
      decode.getByText('Vehicle data: Ranger'),
    )
    // A VIN that is too short.
    await page.unrouteAll()
    await page.route(`**${vins.decode.path.replace('{vin}', '*')}`, (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/[^/]+$/, '1FTO'),
      }),
    )
    await page.reload()
    await see(decode.getByText('Invalid VIN'), decode.getByText('A VIN has 17 characters. This one has 4.'))
  },
)
