import { timeCode } from '#test/factories/identity/time-code.ts'
import type { Locator, Page } from 'playwright-core'
import { DEMO_PASSWORD } from '../../demo/world.ts'
import { PARKING } from './profiles.ts'
import { createSession, type StoredSession } from './sessions.ts'
import { now, sessionOf, type World } from './world.ts'

/** Waits until the elements are visible. */
export async function see(...locators: readonly Locator[]): Promise<void> {
  for (const locator of locators) await locator.waitFor({ state: 'visible' })
}

/** Waits until the elements are hidden. */
export async function miss(...locators: readonly Locator[]): Promise<void> {
  for (const locator of locators) await locator.waitFor({ state: 'hidden' })
}

/**
 * Presses Enter on an element that keeps the focus: a page that was just opened, or a list that was just changed, moves the
 * focus once more.
 */
export async function pressEnter(element: Locator): Promise<void> {
  let isHeld = false
  while (!isHeld) {
    await element.focus()
    isHeld = await element.evaluate(
      (focused) =>
        new Promise<boolean>((resolve) => {
          setTimeout(() => resolve(document.activeElement === focused), 50)
        }),
    )
  }
  await element.press('Enter')
}

/** How far the page and its main part overflow horizontally, in px. */
export const sideways = (page: Page) =>
  page
    .getByRole('main')
    .evaluate((main) => [
      document.documentElement.scrollWidth - innerWidth,
      main.scrollWidth - main.clientWidth,
    ])

export const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
export const drawer = (page: Page) => page.getByRole('dialog').first()
/** The link on a lot's name, which opens it. */
export const lotLink = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true })

/** Fills in and submits the sign-in form. */
export async function giveCredentials(page: Page, userName: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel('User name or email').fill(userName)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
}

/**
 * Gives the page the stored session of a demo user, in the given organization if they have several. The next URL is
 * opened with it. Tests share this session: a test that ends it uses `signInAgain`.
 */
export async function signIn(page: Page, userName: string, organization?: string): Promise<void> {
  await putSession(page, sessionOf(userName, organization))
}

/** Like `signIn`, with a separate session. */
export async function signInAgain(
  page: Page,
  { address }: World,
  userName: string,
  organization: string | null = null,
): Promise<void> {
  await putSession(page, await createSession(address, { userName, organization, now: now() }))
}

async function putSession(page: Page, { cookies, origins }: StoredSession): Promise<void> {
  await page.context().addCookies(cookies)
  // The smallest resource of the product, from which local storage can be written.
  if (!page.url().endsWith(PARKING)) await page.goto(PARKING)
  await page.evaluate(
    (stored) => {
      for (const { name, value } of stored) localStorage.setItem(name, value)
    },
    origins.flatMap(({ localStorage }) => localStorage),
  )
}

/** Signs a demo user in through the form, which creates a separate session, and waits for the dashboard. */
export async function signInByForm(page: Page, userName: string, organization?: string): Promise<void> {
  await page.goto('/auth/signin')
  await giveCredentials(page, userName)
  if (organization !== undefined) await page.getByRole('button', { name: organization }).click()
  await page.waitForURL('**/dashboard')
  await see(heading(page, /^Good /))
}

/** Opens the dashboard and waits for its greeting. */
export async function openDashboard(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await see(heading(page, /^Good /))
}

/** Opens the list of lots and waits for its rows. */
export async function openLots(page: Page, search = ''): Promise<void> {
  await page.goto(`/customers/lots${search}`)
  await see(heading(page, 'Lots'), page.getByText(/ of \d+ lots?$/))
}

/** Filters the open list by a field and one of its values, both by label. */
export async function filterBy(page: Page, title: string, value: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'Filter', exact: true }).click()
  const form = page.getByRole('dialog', { name: /filter/i })
  await form.getByRole('button', { name: title, exact: true }).click()
  await form.getByLabel(value, { exact: true }).check()
  await form.getByRole('button', { name: 'Apply' }).click()
  await miss(form)
}

/** Signs out and waits until it is complete: before that, it could clear the cookies of another session. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/auth/signin*')
}

/** Pastes tab-separated text at the active cell of a grid. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('grid').evaluate((grid, block) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', block)
    grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

/** Sets up the second factor that a new administrator needs where no emails are sent, on the page after the password. */
export async function setUpFactor(page: Page): Promise<void> {
  await button(page, 'Set up an authenticator').click()
  const secret = (await page.getByLabel('Setup key').innerText()).replaceAll(' ', '')
  await field(page, '6-digit code').fill(await timeCode({ secret }))
  await button(page, 'Turn on').click()
  await button(page, "I've saved my codes").click()
}
