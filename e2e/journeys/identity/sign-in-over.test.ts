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

const over = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' })
const GO_ON = 'Sign in and go on'

/** Types into the form of a new lot, so that there is something to lose. */
async function startLot(page: Page, name: string, code: string): Promise<void> {
  await openLots(page)
  await button(page, 'Add lot').click()
  await field(page, 'Name').fill(name)
  await field(page, 'Code').fill(code)
}

/** The page's own token makes a call that the page does not make. */
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

test('somebody who signed out everywhere elsewhere signs in over the form, and what was refused is saved', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.admin', 'Northgate Toyota')
  await startLot(page, 'Kept draft', 'KDR')
  const elsewhere = await newPage()
  await signInAgain(elsewhere, product(), 'northgate.admin', 'Northgate Ford')
  expect(await callAs(elsewhere, sessions.endAll.path, { which: 'others' })).toBe(200)

  await submit(page)
  await see(over(page), over(page).getByText('northgate.admin'))
  expect(
    await over(page)
      .getByLabel(/^Password/)
      .getAttribute('type'),
  ).toBe('password')
  await page.keyboard.press('Escape')
  await see(over(page))
  await over(page).getByRole('button', { name: GO_ON }).click()
  await see(over(page).getByText('Password is required.'))
  await over(page)
    .getByLabel(/^Password/)
    .fill('NotThePassword1!')
  await over(page).getByRole('button', { name: GO_ON }).click()
  await see(over(page).getByText(/is not right/))
  await over(page)
    .getByLabel(/^Password/)
    .fill(DEMO_PASSWORD)
  const saved = page.waitForResponse((answer) => answer.url().endsWith(lots.add.path) && answer.ok())
  await over(page).getByRole('button', { name: GO_ON }).click()
  await saved
  await miss(over(page))
  // In the organization that was worked in, though signing in anew leaves it open.
  await see(lotLink(page, 'Kept draft'), page.getByRole('banner').getByText('Northgate Toyota'))
})

test('whoever must give a second factor gives it there, too', async () => {
  const page = await newPage()
  await page.goto('/auth/signin')
  await giveCredentials(page, 'northgate.phone')
  await field(page, 'Code of 6 digits').fill(await timeCode())
  await button(page, 'Verify').click()
  await page.waitForURL('**/dashboard')
  await startLot(page, 'Twice shown', 'TWS')
  expect(await callAs(page, auth.signOut.path, {})).toBe(200)

  await submit(page)
  await over(page)
    .getByLabel(/^Password/)
    .fill(DEMO_PASSWORD)
  await over(page).getByRole('button', { name: GO_ON }).click()
  await over(page).getByLabel('Code of 6 digits').fill('000000')
  await over(page).getByRole('button', { name: 'Verify and go on' }).click()
  await see(over(page).getByText('This code is not right.'))
  await over(page)
    .getByLabel('Code of 6 digits')
    .fill(await timeCode({ steps: 1 }))
  await over(page).getByRole('button', { name: 'Verify and go on' }).click()
  await miss(over(page))
  await see(lotLink(page, 'Twice shown'))
})

test('another tab that had nothing to lose goes to sign-in; whoever else signs in there does not get the draft', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.admin', 'Northgate Ford')
  await startLot(page, 'Lost draft', 'LDR')
  const other = await page.context().newPage()
  await openLots(other)
  expect(await callAs(other, auth.signOut.path, {})).toBe(200)
  // It asks for something else, unless it has heard of the end before that.
  await button(other, 'Code')
    .dispatchEvent('click', {}, { timeout: 1_000 })
    .catch(() => {})
  await other.waitForURL(/\/auth\/signin/)
  // The tab with the draft heard of it and waits for its person.
  await see(over(page))
  expect(await field(page, 'Name').inputValue()).toBe('Lost draft')

  const sent: string[] = []
  page.on('request', (request) => void sent.push(request.url()))
  await giveCredentials(other, 'northgate.dealer')
  await other.waitForURL(/\/customers\/lots/)
  await page.waitForURL('**/dashboard')
  await miss(over(page))
  expect(sent.filter((url) => url.endsWith(lots.add.path))).toEqual([])
  await page.goto('/customers/lots?search=Lost')
  await see(heading(page, 'Lots'), page.getByText(/^No lots? /).first())
})

test('who leaves gives the draft up; who asked for the end in another tab is asked nothing', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.dealer')
  await startLot(page, 'Given up', 'GUP')
  expect(await callAs(page, auth.signOut.path, {})).toBe(200)
  await submit(page)
  await over(page).getByRole('button', { name: 'Leave without saving' }).click()
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
