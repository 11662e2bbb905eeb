// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, see, signIn } from '#e2e/harness/steps.ts'
import { PICKUP } from '#e2e/pages/home/work.ts'

const { page: newPage } = stage()

test('from a wrong price to its corrected rule in three clicks, with the effect before saving', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto(`/inventory/vehicle-data?search=${PICKUP.stock}`)
  await page.getByRole('main').getByRole('link', { name: PICKUP.name }).click()
  await see(page.getByText('Published').first())

  // First click: how the price is made. Second: the rule. Third, after the correction: save.
  await page
    .getByRole('navigation', { name: 'Sections of this vehicle' })
    .getByRole('link', { name: 'Price' })
    .click()
  const lines = page.getByRole('region', { name: 'How the total price is calculated' })
  await see(lines.getByRole('row', { name: /Truck month.*800/ }))
  const total = page.getByRole('region', { name: 'Total price', exact: true })
  const before = await total.textContent()
  await lines.getByRole('link', { name: 'Truck month' }).click()
  const editor = page.getByRole('region', { name: 'Truck month' })
  await see(editor.getByText(/^Matches \d+ of \d+ vehicles/))
  await field(page, 'Amount').first().fill('600')
  await see(
    editor.getByText('Prices that change'),
    editor.getByRole('columnheader', { name: 'After saving' }),
  )
  await button(page, 'Save rule').click()
  await see(page.getByText('Rule saved'))

  await page.goBack()
  await see(lines.getByRole('row', { name: /Truck month.*600/ }))
  expect(await total.textContent()).not.toBe(before)
})
