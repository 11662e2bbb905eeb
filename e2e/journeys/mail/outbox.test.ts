// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const KEPT = "Emails aren't going out. Add an email handler to send them."
const row = (page: Page, name: RegExp) =>
  page.getByRole('table', { name: 'Outbox' }).getByRole('row', { name })

/** Requests a password reset, which sends an email. */
async function causeMail(page: Page, userName: string): Promise<void> {
  await page.goto('/auth/forgot-password')
  await page
    .getByLabel(/^User name/)
    .first()
    .fill(userName)
  await button(page, 'Send link').click()
  await see(page.getByRole('alert').getByText(/^If an account matches/))
}

test('an administrator finds an unsent email, reveals its link and shares it', async () => {
  await causeMail(await newPage(), 'northgate.dealer')
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/outbox')
  await see(heading(page, 'Outbox'), page.getByText(KEPT))
  const mail = row(page, /Reset your password.* Luis Ortega .*Not sent/)
  // The email is created after the response, and the list doesn't refresh automatically.
  await expect
    .poll(async () => {
      await page.reload()
      await see(heading(page, 'Outbox'), row(page, /Not sent/).first())
      return mail.count()
    })
    .toBeGreaterThan(0)
  await mail.getByRole('link').first().click()
  await see(drawer(page).getByText('luis.ortega@northgate.example'), drawer(page).getByText(/#•+/))
  expect(await field(page, 'Link').count()).toBe(0)
  await button(page, 'Show link').click()
  await see(field(page, 'Link'), page.getByText(/Your access is recorded in the audit log/))
  const link = await field(page, 'Link').inputValue()
  expect(link).toMatch(/\/auth\/reset-password#[\w-]{10,}/)
  await button(page, 'Send again').click()
  await see(page.getByRole('dialog', { name: 'Error' }).getByText(/Emails aren't going out/))
  await page.getByRole('dialog', { name: 'Error' }).getByRole('button', { name: 'Close' }).click()

  const luis = await newPage()
  await luis.goto(link)
  await see(luis.getByLabel('New password', { exact: true }))

  await page.reload()
  await see(drawer(page).getByText(/#•+/), button(page, 'Show link'))
})
