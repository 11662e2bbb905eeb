// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  field,
  giveCredentials,
  heading,
  lotLink,
  see,
  signIn,
  signInAgain,
} from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage({
  environment: { FORECOURT_IDLE_SECONDS: '8', FORECOURT_IDLE_WARNING_SECONDS: '4' },
})

test('a link survives signing in and the choice of an organization, which names who is signed in', async () => {
  const page = await newPage()
  await page.goto(`${product().address}/customers/lots?search=service`)
  await page.waitForURL(/\/auth\/signin\?next=/)
  await giveCredentials(page, 'northgate.admin')
  await see(heading(page, 'Choose an organization'), page.getByText('Signed in as northgate.admin'))
  await button(page, 'Sign out').click()
  await page.waitForURL(/\/auth\/signin/)
  await page.goto(`${product().address}/customers/lots?search=service`)
  await giveCredentials(page, 'northgate.admin')
  await page.getByRole('button', { name: 'Northgate Ford' }).click()
  await page.waitForURL(/\/customers\/lots\?search=service/)
  await see(lotLink(page, 'Northgate Service'))
  expect(await page.title()).toMatch(/^Lots \| /)
})

test('without a connection, the page stays until the next one can be loaded', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  // Other tests add lots.
  await page.goto('/customers/lots?search=service')
  await see(lotLink(page, 'Northgate Service'))
  await page.context().setOffline(true)
  await see(page.getByText("You're offline. Data may be out of date", { exact: false }))
  const channels = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channels' })
  await channels.click()
  await see(
    page.getByText('Open that page again once the connection is back.'),
    lotLink(page, 'Northgate Service'),
  )
  expect(new URL(page.url()).pathname).toBe('/customers/lots')
  await page.context().setOffline(false)
  await channels.click()
  await see(heading(page, 'Channels'))
  // Also with its styles, which were asked for without a connection.
  await expect
    .poll(() => page.evaluate(() => [...document.styleSheets].filter(({ href }) => href !== null).length))
    .toBe(await page.locator('link[rel="stylesheet"]').count())
})

test('a tab with unsaved changes asks before it follows another one to its organization', async () => {
  const first = await newPage()
  await signInAgain(first, product(), 'northgate.admin', 'Northgate Ford')
  await first.goto(`${product().address}/customers/lots?lot=1`)
  const type = async (text: string) => {
    await see(field(first, 'City'))
    await field(first, 'City').fill(text)
    await see(first.getByText('1 field changed'))
  }
  await type('Typed here')
  const second = await first.context().newPage()
  const choose = async () => {
    await second.goto(`${product().address}/auth/organization`)
    await second.getByRole('button', { name: 'Northgate Toyota' }).click()
    await second.waitForURL('**/dashboard')
  }
  await choose()
  const dialog = first.getByRole('dialog', { name: 'You switched to Northgate Toyota in another tab' })
  await dialog.getByRole('button', { name: 'Return to Northgate Ford' }).click()
  await see(second.getByRole('banner').getByText('Northgate Ford'))
  expect(await field(first, 'City').inputValue()).toBe('Typed here')
  await choose()
  await dialog.getByRole('button', { name: 'Continue in Northgate Toyota' }).click()
  await first.waitForURL('**/dashboard')
  await first.getByRole('link', { name: 'Switch organization' }).click()
  await first.getByRole('button', { name: 'Northgate Ford' }).click()
  await first.waitForURL('**/dashboard')
  await first.goto(`${product().address}/customers/lots?lot=1`)
  await button(first, 'Put it back').click()
  await expect.poll(() => field(first, 'City').inputValue()).toBe('Typed here')
})

test('after the idle time, the sign-in page says why, and the text is offered on the same page', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.dealer')
  await page.goto(`${product().address}/customers/lots?lot=1`)
  await see(field(page, 'City'))
  await field(page, 'City').fill('Before lunch')
  await see(page.getByText('1 field changed'))
  await page.waitForURL(/\/auth\/signin\?next=/, { timeout: 30_000 })
  await see(page.getByText('You were signed out after 8 seconds without activity.', { exact: false }))
  await giveCredentials(page, 'northgate.dealer')
  await page.waitForURL(/\/customers\/lots\?lot=1/)
  await button(page, 'Put it back').click()
  await expect.poll(() => field(page, 'City').inputValue()).toBe('Before lunch')
})
