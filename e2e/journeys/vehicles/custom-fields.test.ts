// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, miss, see, signIn } from '#e2e/harness/steps.ts'
import { PICKUP } from '#e2e/pages/home/work.ts'

const { page: newPage } = stage()

test('an administrator adds a custom field, sets it on a vehicle and finds it in the list', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/details')
  const fields = page.getByRole('region', { name: 'Custom vehicle fields' })
  await see(fields.getByRole('listitem').first())
  const before = await fields.getByRole('listitem').count()
  await button(page, 'Add custom field').click()
  const added = fields.getByRole('listitem').nth(before)
  await added.getByLabel('Name').fill('Bay number')
  await added.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Number' }).click()
  await added.getByLabel('Unit').fill('nr')
  await page.keyboard.press('Control+s')
  await see(page.getByText('Details saved'))

  await page.goto(PICKUP.list)
  await page.getByRole('main').getByRole('link', { name: PICKUP.name }).click()
  await see(
    page.getByRole('heading', { name: 'Custom fields' }),
    page.getByText('Bay number', { exact: true }),
  )
  await button(page, 'Edit').click()
  const form = drawer(page)
  await form.getByLabel('Bay number').fill('many')
  await form.getByLabel('Market price', { exact: true }).fill('44100')
  await form.getByLabel('Market price source').fill('Manheim MMR')
  await form.getByRole('button', { name: 'Save vehicle' }).click()
  await see(form.getByText('Bay number must be a number with at most four decimal places.'))
  await form.getByLabel('Bay number').fill('12')
  await form.getByRole('button', { name: 'Save vehicle' }).click()
  await miss(form)
  await see(
    page.getByRole('button', { name: 'Lock Bay number', pressed: true }),
    page.getByText('$44,100').first(),
    page.getByText(/^Manheim MMR, as of .*today$/),
  )

  await page.goto(`${PICKUP.list}&columns=name,custom_bay_number,marketPrice`)
  await see(
    page.getByRole('columnheader', { name: 'Bay number' }),
    page.getByRole('columnheader', { name: 'Market price' }),
    page.getByRole('cell', { name: /^12.nr$/ }),
  )
  expect(await page.getByRole('cell', { name: /^12.nr$/ }).count()).toBe(1)
})
