// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('an administrator adds a mail server, never sees its password again, tests it and deletes it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/email-handlers')
  await see(heading(page, 'Email handlers'), page.getByText(/No default handler/))
  await button(page, 'Add handler').first().click()
  await field(page, 'Name').fill('Relay')
  await field(page, 'From').fill('desk@northgate.example')
  await button(page, 'Add handler').last().click()
  await see(drawer(page).getByText('Server is required.'))
  await field(page, 'Server').fill('127.0.0.1')
  await field(page, 'Port').fill('9')
  await field(page, 'User name').fill('us')
  await drawer(page).getByLabel('Password', { exact: true }).fill('hush-hush')
  await button(page, 'Add handler').last().click()
  await page.waitForURL(/handler=\d+/)
  await see(drawer(page).getByPlaceholder(/^Saved/))
  expect(await drawer(page).getByLabel('Password', { exact: true }).inputValue()).toBe('')

  await field(page, 'Send a test email to').fill('someone@people.example')
  await field(page, 'Send a test email to').press('Enter')
  await see(drawer(page).getByText('Not sent'), drawer(page).getByText(/ECONNREFUSED/))

  await button(page, 'Delete handler').click()
  await page
    .getByRole('dialog', { name: 'Delete Relay?' })
    .getByRole('button', { name: 'Delete handler' })
    .click()
  await miss(page.getByRole('link', { name: 'Relay' }))
})
