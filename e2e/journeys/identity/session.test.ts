import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  drawer,
  field,
  giveCredentials,
  heading,
  lotLink,
  miss,
  openDashboard,
  openLots,
  see,
  signIn,
  signInAgain,
  signOut,
} from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()

const QUESTION = 'There are unsaved changes.'
const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage))

test('signing out in one tab also ends the other one and clears all storage', async () => {
  const first = await newPage()
  await first.goto('/')
  await first.waitForURL('**/auth/signin')
  await giveCredentials(first, 'northgate.admin')
  await see(heading(first, 'Choose an organization'))
  await first.getByRole('button', { name: 'Northgate Ford' }).click()
  await see(heading(first, /^Good \w+, Dana$/), first.getByRole('button', { name: 'Dana Whitfield' }))

  const second = await first.context().newPage()
  await second.goto('/customers/lots')
  await see(heading(second, 'Lots'), lotLink(second, 'Northgate Toyota'))

  await signOut(first)
  await Promise.all([first, second].map((tab) => tab.waitForURL(/\/auth\/signin/)))
  await see(heading(first, 'Sign in'), heading(second, 'Sign in'))
  expect([...(await stored(first)), ...(await stored(second))]).toEqual([])
  await second.goto('/dashboard')
  await second.waitForURL('**/auth/signin')
})

test('a failed sign-in shows an error and keeps the input', { tags: 'release' }, async () => {
  const page = await newPage()
  await page.goto('/auth/signin')
  await button(page, 'Sign in').click()
  await see(page.getByText('User name is required.'), page.getByText('Password is required.'))
  await giveCredentials(page, 'northgate.dealer', 'NotThePassword1!')
  await see(page.getByRole('alert').getByText(/./))
  expect(await page.getByLabel('User name or email').inputValue()).toBe('northgate.dealer')
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('NotThePassword1!')
  await giveCredentials(page, 'northgate.dealer')
  await page.waitForURL('**/dashboard')
})

test('a session ended on the server leads to sign-in, and then back to the same page', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.dealer')
  await openLots(page, '?search=north')
  const status = await page.evaluate(async (url) => {
    const { accessToken }: { accessToken: string } = JSON.parse(localStorage.getItem('token') ?? '{}')
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    return (await fetch(url, { method: 'POST', headers, body: '{}' })).status
  }, auth.signOut.path)
  expect(status).toBe(200)
  // The page may already know, from a call of its own.
  await page
    .getByRole('button', { name: 'Code' })
    .evaluateAll(([sort]) => sort?.dispatchEvent(new MouseEvent('click', { bubbles: true })))
  await page.waitForURL(/\/auth\/signin\?next=/)
  await giveCredentials(page, 'northgate.dealer')
  await page.waitForURL(/\/customers\/lots\?search=north/)
  await see(lotLink(page, 'Northgate Ford'))
})

test('switching the organization takes the other tab to the dashboard too', { tags: 'release' }, async () => {
  const first = await newPage()
  await signInAgain(first, product(), 'northgate.admin', 'Northgate Ford')
  await openDashboard(first)
  const second = await first.context().newPage()
  await openLots(second)

  await first.getByRole('link', { name: 'Switch organization' }).click()
  await first.getByRole('button', { name: 'Northgate Toyota' }).click()
  for (const tab of [first, second]) {
    await tab.waitForURL('**/dashboard')
    await see(tab.getByRole('banner').getByText('Northgate Toyota'))
  }
  await expect.poll(() => second.title()).toMatch(/^Dashboard \| /)
})

/** Starts a new lot, so that there are unsaved changes. */
async function startLot(page: Page): Promise<void> {
  await openLots(page)
  await button(page, 'Add lot').click()
  await field(page, 'Name').fill('Half a lot')
  await see(page.getByText('1 field changed'))
}

/** Answers the unsaved changes dialog of specification section 2. */
async function answer(page: Page, name: 'Confirm' | 'Cancel'): Promise<void> {
  const question = page.getByRole('dialog', { name: QUESTION })
  await see(question, question.getByText('Are you sure you want to continue without saving?'))
  await question.getByRole('button', { name, exact: true }).click()
  await miss(question)
}

test('unsaved changes prompt before closing, navigating, switching the organization and signing out', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await startLot(page)
  const menu = page.getByRole('navigation', { name: 'Main' })

  // The drawer blocks the mouse, but links can still be followed by other means.
  const ways = [
    () => button(page, 'Cancel').click(),
    () => page.keyboard.press('Escape'),
    () => menu.getByRole('link', { name: 'Dashboard' }).dispatchEvent('click'),
    () => page.getByRole('link', { name: 'Switch organization' }).dispatchEvent('click'),
    async () => {
      await page.getByRole('button', { name: 'Dana Whitfield' }).dispatchEvent('click')
      await page.getByRole('menuitem', { name: 'Sign out' }).dispatchEvent('click')
    },
  ]
  for (const leave of ways) {
    await leave()
    await answer(page, 'Cancel')
    // The focus returns to the previous element.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
    expect(await field(page, 'Name').inputValue()).toBe('Half a lot')
  }
  await page.keyboard.press('Escape')
  await answer(page, 'Confirm')
  await miss(drawer(page))
  expect(new URL(page.url()).search).toBe('')
})

test('closing the tab with unsaved changes shows the browser prompt', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await startLot(page)
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  expect(await field(page, 'Name').inputValue()).toBe('Half a lot')
})
