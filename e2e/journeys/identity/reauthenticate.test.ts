// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { lots } from '#contract/customers/lots/lots.ts'
import { sessions } from '#contract/identity/sessions/sessions.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  field,
  giveCredentials,
  heading,
  lotLink,
  miss,
  openLots,
  see,
  signInAgain,
} from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
const CONTINUE = 'Sign in and continue'

/** Starts a new lot, so that there are unsaved changes. */
async function startLot(page: Page, name: string, code: string): Promise<void> {
  await openLots(page)
  await button(page, 'Add lot').click()
  await field(page, 'Name').fill(name)
  await field(page, 'Code').fill(code)
}

/** Makes a call with the page's token. */
async function callAs(page: Page, url: string, body: object): Promise<number> {
  return page.evaluate(
    async ({ url: to, body: sent }) => {
      const { accessToken }: { accessToken: string } = JSON.parse(localStorage.getItem('token') ?? '{}')
      const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
      return (await fetch(to, { method: 'POST', headers, body: JSON.stringify(sent) })).status
    },
    { url, body },
  )
}

const submit = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Add lot' }).click()

test('after signing out everywhere from another browser, signing in over the form saves the pending change', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.admin', 'Northgate Toyota')
  await startLot(page, 'Kept draft', 'KDR')
  const elsewhere = await newPage()
  await signInAgain(elsewhere, product(), 'northgate.admin', 'Northgate Ford')
  expect(await callAs(elsewhere, sessions.endAll.path, { which: 'others' })).toBe(200)

  await submit(page)
  await see(dialog(page), dialog(page).getByText('northgate.admin'))
  expect(
    await dialog(page)
      .getByLabel(/^Password/)
      .getAttribute('type'),
  ).toBe('password')
  await page.keyboard.press('Escape')
  await see(dialog(page))
  await dialog(page).getByRole('button', { name: CONTINUE }).click()
  await see(dialog(page).getByText('Password is required.'))
  await dialog(page)
    .getByLabel(/^Password/)
    .fill('NotThePassword1!')
  await dialog(page).getByRole('button', { name: CONTINUE }).click()
  await see(dialog(page).getByText(/is incorrect/))
  await dialog(page)
    .getByLabel(/^Password/)
    .fill(DEMO_PASSWORD)
  const saved = page.waitForResponse((answer) => answer.url().endsWith(lots.add.path) && answer.ok())
  await dialog(page).getByRole('button', { name: CONTINUE }).click()
  await saved
  await miss(dialog(page))
  // It is saved in the previous organization, although a new sign-in has none.
  await see(lotLink(page, 'Kept draft'), page.getByRole('banner').getByText('Northgate Toyota'))
})

test('asks for the second factor if it is required', async () => {
  const page = await newPage()
  await page.goto('/auth/signin')
  await giveCredentials(page, 'northgate.phone')
  await field(page, '6-digit code').fill(await timeCode())
  await button(page, 'Verify').click()
  await page.waitForURL('**/dashboard')
  await startLot(page, 'Twice shown', 'TWS')
  expect(await callAs(page, auth.signOut.path, {})).toBe(200)

  await submit(page)
  await dialog(page)
    .getByLabel(/^Password/)
    .fill(DEMO_PASSWORD)
  await dialog(page).getByRole('button', { name: CONTINUE }).click()
  await dialog(page).getByLabel('6-digit code').fill('000000')
  await dialog(page).getByRole('button', { name: 'Verify and continue' }).click()
  await see(dialog(page).getByText('This code is incorrect.'))
  await dialog(page)
    .getByLabel('6-digit code')
    .fill(await timeCode({ steps: 1 }))
  await dialog(page).getByRole('button', { name: 'Verify and continue' }).click()
  await miss(dialog(page))
  await see(lotLink(page, 'Twice shown'))
})

test('a tab without changes goes to sign-in; another user who signs in there does not get the draft', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.admin', 'Northgate Ford')
  await startLot(page, 'Lost draft', 'LDR')
  const other = await page.context().newPage()
  await openLots(other)
  expect(await callAs(other, auth.signOut.path, {})).toBe(200)
  // It makes another call, unless it already knows that the session ended.
  await button(other, 'Code')
    .dispatchEvent('click', {}, { timeout: 1_000 })
    .catch(() => {})
  await other.waitForURL(/\/auth\/signin/)
  // The tab with the draft waits for its user.
  await see(dialog(page))
  expect(await field(page, 'Name').inputValue()).toBe('Lost draft')

  const sent: string[] = []
  page.on('request', (request) => void sent.push(request.url()))
  await giveCredentials(other, 'northgate.dealer')
  await other.waitForURL(/\/customers\/lots/)
  await page.waitForURL('**/dashboard')
  await miss(dialog(page))
  expect(sent.filter((url) => url.endsWith(lots.add.path))).toEqual([])
  await page.goto('/customers/lots?search=Lost')
  await see(heading(page, 'Lots'), page.getByText(/^No lots? /).first())
})

test('leaving discards the draft; a sign-out in another tab ends without a prompt', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.dealer')
  await startLot(page, 'Given up', 'GUP')
  expect(await callAs(page, auth.signOut.path, {})).toBe(200)
  await submit(page)
  await dialog(page).getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(/\/auth\/signin/)
  await see(heading(page, 'Sign in'))
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])

  await giveCredentials(page, 'northgate.dealer')
  await page.waitForURL(/\/customers\/lots/)
  await startLot(page, 'Asked', 'ASK')
  const other = await page.context().newPage()
  await other.goto('/dashboard')
  await other.getByRole('banner').getByRole('button').last().click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/auth\/signin/)
})
