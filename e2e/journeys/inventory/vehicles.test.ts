import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { vins } from '#contract/inventory/vin/vin.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, heading, miss, see, signIn } from '#e2e/harness/steps.ts'
import { PICKUP } from '#e2e/pages/home/work.ts'

const { page: newPage } = stage()

const vehicle = (page: Page, name: RegExp) => page.getByRole('main').getByRole('link', { name })

test('a dealer opens a vehicle on a page of its own, and comes back to the list as it was', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vehicle data' }).click()
  await see(heading(page, 'Vehicle data'), page.getByText(/ of 360 vehicles$/))
  await page.getByLabel('Search vehicles').fill(PICKUP.stock)
  await see(page.getByText(/^1 of 360 vehicles$/))
  await vehicle(page, PICKUP.name).click()
  await see(heading(page, PICKUP.title), page.getByText('Buyers see it'))
  await page.reload()
  await see(page.getByText('Gasoline').first(), page.getByText(/ nightly feed, /).first())
  // Dealers do not see what a vehicle cost.
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

test('a vehicle is added, edited with its lock, deleted and brought back', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/vehicle-data?search=Journey')
  await button(page, 'Add vehicle').first().click()
  const form = drawer(page)
  await form.getByRole('button', { name: 'Add vehicle' }).click()
  await see(form.getByText('Lot is required.'))
  await form.getByRole('combobox', { name: 'Lot' }).click()
  await page.getByRole('option', { name: /^Northgate Ford, / }).click()
  await form.getByLabel('Stock', { exact: true }).fill('JOURNEY 1')
  await form.getByLabel('Year').fill('2031')
  await form.getByLabel('Make').fill('Ford')
  await form.getByLabel('Model').fill('Journey')
  await form.getByLabel('Price', { exact: true }).fill('19,999.50')
  await form.getByRole('button', { name: 'Add vehicle' }).click()
  await see(
    heading(page, '2031 Ford Journey'),
    page.getByText('Incoming, no photos, no VIN'),
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
  await see(page.getByText('2031 Ford Journey is deleted'))
  await button(page, 'Undo').click()
  await see(heading(page, '2031 Ford Journey'))
  await page.getByRole('link', { name: 'Timeline' }).click()
  await see(page.getByText('Brought back'))
  expect(await page.getByRole('list', { name: 'Timeline' }).getByText('Deleted').count()).toBe(1)
})

test('photos are put in order by keys, described, and taken out with a way back', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto(PICKUP.list)
  await vehicle(page, PICKUP.name).click()
  await page
    .getByRole('navigation', { name: 'Sections of this vehicle' })
    .getByRole('link', { name: /^Media/ })
    .click()
  const photos = page.getByRole('list', { name: 'Photos' }).getByRole('listitem')
  await see(photos.first().getByRole('button', { name: /^Look at / }))
  const before = await photos.count()
  const first = (await photos.first().textContent()) ?? ''
  await page
    .getByRole('button', { name: /^Move / })
    .first()
    .focus()
  await page.keyboard.press('Space')
  await see(page.getByText(/ is lifted\.$/))
  await page.keyboard.press('ArrowRight')
  await see(page.getByText(/ is over place 2\.$/))
  await page.keyboard.press('Space')
  await expect.poll(async () => photos.nth(1).textContent()).toBe(first.replace(/^1/, '2'))
  await page
    .getByRole('button', { name: /^Describe / })
    .first()
    .click()
  await page.getByRole('dialog').getByLabel('In words').fill('Parked at dusk')
  await button(page, 'Save words').click()
  await see(photos.first().getByText('Parked at dusk'))
  await button(page, 'Take out Parked at dusk').click()
  await see(page.getByText('Parked at dusk is taken out'))
  await expect.poll(async () => photos.count()).toBe(before - 1)
  await button(page, 'Undo').click()
  await expect.poll(async () => photos.count()).toBe(before)
  await button(page, 'Look at Parked at dusk').click()
  await see(page.getByRole('button', { name: 'Zoom in' }))
})

test('what the VIN says stands beside the vehicle, and differences are marked', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.goto(PICKUP.list)
  await vehicle(page, PICKUP.name).click()
  const says = page.getByRole('region', { name: 'What the VIN says' })
  await see(
    says.getByText('Check digit right'),
    says.getByText('F-150', { exact: true }),
    says.getByText(/^Character 10: /),
  )
  expect(await says.getByText(/differences?$/).count()).toBe(0)

  // The same vehicle as its feed could have it: another model, and a VIN with a slip of the pen.
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
    says.getByText('Check digit wrong'),
    says.getByText(/^The check digit, character 9, is \w and should be \w\.$/),
    says.getByText('1 difference'),
    says.getByText('Here: Ranger'),
  )
  // Too short to be one at all.
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
  await see(says.getByText('Not a VIN'), says.getByText('A VIN has 17 characters; this has 4.'))
})
