import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('an administrator decides on values of feeds, takes one back, and applies them to vehicles', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/unmapped-values')
  await see(heading(page, 'Unmapped values'))
  const value = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true })
  await button(page, 'Accept Automatic for Atomatic').click()
  await see(page.getByText('Atomatic becomes Automatic.'))
  await miss(value('Atomatic'))
  await button(page, 'Undo').click()
  await see(value('Atomatic'))

  await value('SelectShift').click()
  await see(drawer(page).getByText('Vehicles that have it'))
  await drawer(page).getByLabel('Becomes').fill('')
  await button(page, 'Save word').click()
  await see(drawer(page).getByText('Give a word.'))
  await drawer(page).getByLabel('Becomes').fill('Automatic')
  await page.keyboard.press('Enter')
  await miss(value('SelectShift'))

  await page.getByRole('link', { name: 'Data mappings', exact: true }).last().click()
  await see(page.getByRole('main').getByRole('link', { name: 'SelectShift', exact: true }))
  await page.getByRole('link', { name: 'Apply to vehicles' }).click()
  const changes = drawer(page).getByRole('list', { name: 'Changes' })
  await see(changes.getByText('10-SPD SelectShift'), changes.getByText('SelectShift', { exact: true }))
  await drawer(page)
    .getByRole('button', { name: /^Change \d+ vehicles$/ })
    .click()
  await see(page.getByText(/Apply data mappings to \d+ vehicles/).first())
  await expect
    .poll(
      async () => {
        await page.goto('/administration/data-mappings?panel=apply')
        await page
          .getByText(/Nothing to change|Some of the vehicles/)
          .first()
          .waitFor()
        return page.getByText('Nothing to change').count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
})

test('a mapping is added by the keyboard, deleted, and comes back', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/data-mappings?value=new')
  await field(page, 'Value in feeds').fill('Ute')
  await drawer(page).getByLabel('Becomes').fill('Truck')
  await drawer(page).getByRole('button', { name: 'Add mapping' }).click()
  const added = page.getByRole('main').getByRole('link', { name: 'Ute', exact: true })
  await added.click()
  await button(page, 'Delete mapping').click()
  await miss(added)
  await button(page, 'Undo').click()
  await see(added)
  expect(await added.count()).toBe(1)
})

test('a dealer id of a feed gets its lot, and a dealer reads data mappings without changing them', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/lots')
  const waiting = page.getByRole('region', { name: 'Unmatched dealer ids' })
  await waiting.getByRole('button', { name: 'Assign' }).click()
  await waiting.getByLabel('Lot of MP20417').first().click()
  await page.getByRole('option', { name: /^Fulton overflow/ }).click()
  await button(page, 'Assign MP20417').click()
  await see(page.getByText('MP20417 leads to Fulton overflow.'))
  await miss(waiting)
  await page.getByRole('main').getByRole('link', { name: 'Fulton overflow', exact: true }).click()
  await see(drawer(page).getByText('MP20417'))

  const dealer = await newPage()
  await signIn(dealer, 'northgate.dealer')
  await dealer.goto('/administration/data-mappings')
  await see(dealer.getByText('Quad Cab 4x4'))
  expect(await dealer.getByRole('button', { name: 'Add mapping' }).getAttribute('aria-disabled')).toBe('true')
})
