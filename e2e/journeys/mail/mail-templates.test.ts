// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('an administrator customizes the invitation, previews it, and restores the built-in version', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/email-templates')
  await see(heading(page, 'Email templates'))
  await page.getByRole('link', { name: 'Invitation', exact: true }).click()
  const frame = page.frameLocator('iframe')
  await see(frame.getByText('Hello Sofia,'), frame.getByRole('link', { name: 'Set your password' }))

  await field(page, 'Subject').fill('Welcome, {{ fristName }}')
  await see(
    drawer(page)
      .getByRole('list', { name: 'Problems' })
      .getByText(/fristName/),
  )
  await button(page, 'Save template').click()
  await see(drawer(page).getByText(/Line 1: .*fristName/))
  await field(page, 'Subject').fill('Welcome, {{ firstName }}')
  await button(page, 'Save template').click()
  await see(drawer(page).getByText('Customized, version 2'), drawer(page).getByText('Welcome, Sofia'))
  await button(page, 'Text').click()
  await see(
    drawer(page)
      .getByText(/Set your password here:/)
      .last(),
  )

  await drawer(page).getByRole('combobox', { name: 'Earlier version' }).click()
  await page.getByRole('option', { name: '1, built-in' }).click()
  await button(page, 'Restore').click()
  await see(drawer(page).getByText('Built-in version'))
  expect(await field(page, 'Subject').inputValue()).toBe('Your account at {{ title }}')
})
