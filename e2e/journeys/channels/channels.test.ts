// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('an administrator adds a channel, runs it, downloads its file and sees why a vehicle is excluded', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/channels')
  await see(heading(page, 'Channels'), page.getByRole('link', { name: 'Google listings' }))
  await button(page, 'Add channel').first().click()
  await see(field(page, 'Name'))
  await button(page, 'Add channel').last().click()
  await see(drawer(page).getByText('Name is required.'))
  await field(page, 'Name').fill('Partner file')
  await drawer(page).getByRole('combobox', { name: 'Destination' }).click()
  await page.getByRole('option', { name: 'Custom file' }).click()
  await drawer(page).getByRole('combobox', { name: 'Schedule' }).click()
  await page.getByRole('option', { name: 'On demand' }).click()
  await button(page, 'Add channel').last().click()
  await page.waitForURL(/channel=\d+/)
  const address = await drawer(page).getByLabel('Download link').inputValue()

  await drawer(page).getByRole('link', { name: 'Runs' }).click()
  await see(drawer(page).getByText(/No runs yet/))
  await button(page, 'Run now').click()
  await see(
    drawer(page)
      .getByText(/vehicles ready to download, .* excluded: not for sale/)
      .first(),
  )
  const file = await page.request.get(new URL(new URL(address).pathname, page.url()).href)
  expect(file.status()).toBe(200)
  expect((await file.text()).split('\n')[0]).toContain('vin,stock,condition')

  await drawer(page).getByRole('list').last().getByRole('link').first().click()
  await page.waitForURL(/vehicle-data\/\d+\?tab=channels/)
  await see(page.getByText('Excluded').first(), page.getByText(/Custom file: /).first())
  await page.getByText('Structured data for search engines (JSON-LD)').click()
  await see(page.getByText('"@type": "Car"'))

  await page.getByRole('link', { name: 'Partner file' }).click()
  await button(page, 'Delete channel').click()
  await page
    .getByRole('dialog', { name: 'Delete Partner file?' })
    .getByRole('button', { name: 'Delete channel' })
    .click()
  await miss(page.getByRole('link', { name: 'Partner file' }))
})

test('a custom file has the columns that its receiver expects', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/channels?channel=new')
  await field(page, 'Name').fill('Auction columns')
  await drawer(page).getByRole('combobox', { name: 'Destination' }).click()
  await page.getByRole('option', { name: 'Custom file' }).click()
  await see(drawer(page).getByText('The file has the 34 standard columns.'))
  await button(page, 'Add column').click()
  await field(page, 'Column').fill('Asking price')
  await page.getByRole('combobox', { name: 'Value' }).fill('{prise}')
  await button(page, 'Add channel').last().click()
  await see(drawer(page).getByText(/\{prise\} isn't a field/))
  await page.getByRole('combobox', { name: 'Value' }).fill('{price} {currency}')
  await button(page, 'Add channel').last().click()
  await page.waitForURL(/channel=\d+/)
  const address = await drawer(page).getByLabel('Download link').inputValue()
  await drawer(page).getByRole('link', { name: 'Runs' }).click()
  await button(page, 'Run now').click()
  // The schedule may have run it already.
  await see(
    drawer(page)
      .getByText(/vehicles ready to download/)
      .first(),
  )
  const file = await page.request.get(new URL(new URL(address).pathname, page.url()).href)
  expect((await file.text()).split('\n').slice(0, 2)).toEqual([
    'Asking price',
    expect.stringMatching(/^\d+\.\d\d USD$/),
  ])
})
