import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { vehicles } from '#contract/inventory/vehicles.ts'
import { vins } from '#contract/inventory/vin.ts'
import { stage } from './stage.ts'
import { drawer, heading, miss, see, signIn } from './steps.ts'
import { PICKUP } from './work-pages.ts'

const { page: newPage } = stage()

const vehicle = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true })

test('a dealer reads a vehicle in its drawer, which has an address of its own', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vehicle data' }).click()
  await see(heading(page, 'Vehicle data'), page.getByText(/ of 360 vehicles$/))
  await page.getByLabel('Search vehicles').fill(PICKUP.stock)
  await see(page.getByText(/^1 of 360 vehicles$/))
  await vehicle(page, PICKUP.name).click()
  await see(drawer(page).getByRole('heading', { name: PICKUP.name }), drawer(page).getByText(PICKUP.stock))
  await page.reload()
  await see(
    drawer(page)
      .getByText(/^\$[\d,]+$/)
      .first(),
    drawer(page).getByText('Gasoline').first(),
  )
  // Dealers do not see what a vehicle cost.
  expect(await drawer(page).getByText('Cost').count()).toBe(0)
  await drawer(page).getByRole('link', { name: 'Northgate Ford' }).click()
  await see(heading(page, 'Lots'), drawer(page).getByText(/^Lot NGF/))
  await page.goBack()
  await see(drawer(page).getByText('Stock number'))
  await page.keyboard.press('Escape')
  await miss(drawer(page))
  expect(new URL(page.url()).search).toBe('?search=FN10063')
})

test('costs are there for those who may see them, as a column and in the drawer', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto(`${PICKUP.list}&columns=name,price,cost`)
  await see(page.getByRole('columnheader', { name: 'Cost' }))
  await vehicle(page, PICKUP.name).click()
  await see(drawer(page).getByText('Cost', { exact: true }))

  const dealer = await newPage()
  await signIn(dealer, 'northgate.dealer')
  await dealer.goto(`${PICKUP.list}&columns=name,price,cost`)
  await see(vehicle(dealer, PICKUP.name))
  expect(await dealer.getByRole('columnheader', { name: 'Cost' }).count()).toBe(0)
})

test('what the VIN says stands beside the vehicle, and differences are marked', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.goto(PICKUP.list)
  await vehicle(page, PICKUP.name).click()
  const says = drawer(page).getByRole('region', { name: 'What the VIN says' })
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

test('vehicles of another customer stay unseen', async () => {
  const page = await newPage()
  await signIn(page, 'harbor.dealer')
  await page.goto(PICKUP.list)
  await see(page.getByText(`No vehicle matches “${PICKUP.stock}”`))
  await page.goto('/inventory/vehicle-data?vehicle=1')
  await see(drawer(page).getByText('Not found'))
  expect(await vehicle(page, PICKUP.name).count()).toBe(0)
})
