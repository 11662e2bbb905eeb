import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { MAX_RESULTS } from '#contract/home/search.ts'
import { auth } from '#contract/identity/auth.ts'
import { findOverlayProblems } from '#e2e/harness/check-overlays.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  drawer,
  field,
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

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search everything' })
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const html = (page: Page, attribute: string) =>
  page.evaluate((name) => document.documentElement.getAttribute(name), attribute)

/** Opens it by keyboard, ready for typing. */
async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('combobox')
}

async function openCustomizer(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Appearance' }).click()
  await see(page.getByRole('dialog', { name: 'Appearance' }))
}

/** Makes a change and waits until the server has saved it. */
async function keep(page: Page, choose: () => Promise<void>): Promise<void> {
  const kept = page.waitForResponse((response) => response.url().endsWith(auth.saveAppearance.path))
  await choose()
  expect((await kept).status()).toBe(200)
}

test('the palette opens pages, actions and users without the mouse', { tags: 'release' }, async () => {
  const page = await newPage()
  const { keyboard } = page
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openDashboard(page)
  await openPalette(page)
  await see(option(page, /^Dashboard/))
  await keyboard.type('lo')
  await expect.poll(() => option(page, /^Lots/).getAttribute('aria-selected')).toBe('true')
  await keyboard.press('Enter')
  await see(heading(page, 'Lots'))
  await miss(palette(page))

  await openPalette(page)
  await see(palette(page).getByRole('group', { name: 'Recent' }).getByRole('option', { name: /^Lots/ }))
  await keyboard.type('add lot')
  await keyboard.press('Enter')
  await see(field(page, 'Code'))
  await keyboard.press('Escape')
  await miss(drawer(page))

  await openPalette(page)
  await keyboard.type('sofia marino')
  await see(option(page, /^Sofia Marino/))
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowUp')
  await keyboard.press('Enter')
  await page.waitForURL(/\/administration\/users\/\d+$/)

  await openPalette(page)
  await keyboard.type('zebra')
  await see(palette(page).getByText(/^No results for/))
  await keyboard.press('Escape')
  await miss(palette(page))
})

test(
  'the palette finds records by kind, and links to all of them in their list',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.dealer')
    await openDashboard(page)
    await openPalette(page)
    await page.keyboard.type('ford')
    const vehicles = palette(page).getByRole('group', { name: 'Vehicles' })
    await see(vehicles.getByRole('option', { name: 'See all in Vehicle data' }))
    expect(await vehicles.getByRole('option').count()).toBe(MAX_RESULTS + 1)
    await see(
      palette(page)
        .getByRole('group', { name: 'Lots' })
        .getByRole('option', { name: /^Northgate Ford/ }),
    )
    // Dealers can't list users.
    expect(await palette(page).getByRole('group', { name: 'Users' }).count()).toBe(0)
    await vehicles.getByRole('option', { name: 'See all in Vehicle data' }).click()
    await see(heading(page, 'Vehicle data'))
    expect(new URL(page.url()).search).toBe('?search=ford')

    await openPalette(page)
    await page.keyboard.type('FN10063')
    await see(vehicles.getByRole('option', { name: /Ford F-150/ }))
    await page.keyboard.press('Enter')
    await see(heading(page, /Ford F-150/), page.getByText('FN10063').first())
  },
)

test(
  'the palette offers only what the user may do, and shows when records cannot be searched',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signInAgain(page, product(), 'northgate.auditor')
    await openDashboard(page)
    await button(page, 'Search everything').click()
    await see(option(page, /^Lots/), option(page, 'Sign out'))
    expect(await option(page, /^Add /).count()).toBe(0)
    await page.keyboard.press('Escape')
    await signOut(page)

    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openDashboard(page)
    await page.route('**/api/home/search*', (route) => route.abort())
    await openPalette(page)
    await page.keyboard.type('sofia')
    await see(palette(page).getByText(/^Couldn't search records/))
    await page.unroute('**/api/home/search*')
    await palette(page).getByRole('button', { name: 'Try again' }).click()
    await see(option(page, /^Sofia Marino/))
  },
)

test('platform staff can find users of every customer', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'super', 'Northgate Ford')
  await openDashboard(page)
  await openPalette(page)
  await page.keyboard.type('ortega')
  await option(page, /^Search .ortega. in users of all customers/).click()
  await see(heading(page, 'Find users'), page.getByText('Luis Ortega'))
  expect(new URL(page.url()).search).toBe('?search=ortega')
})

test('a question mark shows the shortcuts, but not while typing', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await openDashboard(page)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Shortcuts' })
  await see(sheet.getByText('Search the list'), sheet.getByText('Ctrl K'))
  await page.keyboard.press('Escape')
  await miss(sheet)
  await openLots(page)
  await page.keyboard.press('/')
  await page.keyboard.type('a?')
  expect(await page.getByRole('searchbox', { name: 'Search lots' }).inputValue()).toBe('a?')
  expect(await sheet.count()).toBe(0)
})

test(
  'settings of the theme customizer survive a reload and apply on another machine',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signInAgain(page, product(), 'harbor.dealer')
    await openDashboard(page)
    await openCustomizer(page)
    await keep(page, async () => {
      for (const name of ['Dark', 'Top menu', 'Brand', 'Right to left'])
        await page.getByRole('radio', { name, exact: true }).check({ force: true })
      await page.getByRole('switch', { name: 'Boxed page' }).check({ force: true })
    })
    const chosen = async (tab: Page) => ({
      scheme: await html(tab, 'data-mantine-color-scheme'),
      layout: await html(tab, 'data-layout'),
      header: await html(tab, 'data-header'),
      dir: await html(tab, 'dir'),
      isBoxed: (await html(tab, 'data-boxed')) !== null,
    })
    const all = { scheme: 'dark', layout: 'horizontal', header: 'brand', dir: 'rtl', isBoxed: true }
    expect(await chosen(page)).toEqual(all)

    // Everything applies before any of our code but the first script has run.
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        const { dataset, dir } = document.documentElement
        const looks = Object.fromEntries(Object.entries(dataset))
        sessionStorage.setItem('firstPaint', JSON.stringify({ ...looks, dir }))
      })
    })
    await page.reload()
    const firstPaint = await page.evaluate(() => sessionStorage.getItem('firstPaint'))
    expect(JSON.parse(firstPaint ?? '')).toMatchObject({
      mantineColorScheme: 'dark',
      layout: 'horizontal',
      header: 'brand',
      boxed: '',
      dir: 'rtl',
    })
    await see(heading(page, /^Good /))
    expect(await chosen(page)).toEqual(all)

    await signOut(page)
    await see(heading(page, 'Sign in'))
    expect(await chosen(page)).toMatchObject({
      scheme: 'light',
      dir: 'ltr',
      layout: 'vertical',
      isBoxed: false,
    })
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])

    const elsewhere = await newPage()
    await signIn(elsewhere, 'harbor.dealer')
    await openDashboard(elsewhere)
    await expect.poll(() => chosen(elsewhere)).toEqual(all)
    await openCustomizer(elsewhere)
    await keep(elsewhere, () => button(elsewhere, 'Reset to default').click())
    expect(await chosen(elsewhere)).toEqual({
      scheme: 'light',
      layout: 'vertical',
      header: 'chrome',
      dir: 'ltr',
      isBoxed: false,
    })
  },
)

test(
  'a setting that cannot be saved shows that, stays, and is saved later',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'harbor.admin')
    await openDashboard(page)
    await page.route(`**${auth.saveAppearance.path}`, (route) => route.abort())
    await openCustomizer(page)
    await page.getByRole('radio', { name: 'Dark bar' }).check({ force: true })
    await see(page.getByText(/^Not saved for your other devices yet/))
    await page.reload()
    await see(heading(page, /^Good /))
    expect(await html(page, 'data-header')).toBe('ink')
    await page.unroute(`**${auth.saveAppearance.path}`)
    await keep(page, () => page.reload().then(() => {}))
    expect(await html(page, 'data-header')).toBe('ink')
  },
)

test(
  'a page the user may not open names the required permission instead of failing',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.dealer')
    await page.goto('/administration/user-types')
    await see(heading(page, 'User types'), page.getByText("You don't have access to this page"))
    await see(page.getByText(/^This requires User types, list \(3, 1\)/))
    expect(await page.getByText("Couldn't load").count()).toBe(0)
    await page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await see(heading(page, /^Good /))
  },
)

test(
  'administration lists the pages the user can open, or explains that there are none',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto('/admin')
    await see(heading(page, 'Administration'))
    await page.getByRole('main').getByRole('link', { name: 'User types' }).click()
    await page.waitForURL('**/administration/user-types')

    const dealer = await newPage()
    await signIn(dealer, 'northgate.dealer')
    await dealer.goto('/admin')
    await see(dealer.getByRole('main').getByRole('link', { name: 'Reports' }))
    // Provider mappings, data mappings, media, short URLs, email templates and reports.
    expect(await dealer.getByRole('main').getByRole('listitem').count()).toBe(6)
    await dealer.route(`**${auth.menu.path}`, (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"status":true,"data":[],"message":null}' }),
    )
    await dealer.reload()
    await see(dealer.getByText("You don't have access to administration"))
    expect(await dealer.getByRole('main').getByRole('listitem').count()).toBe(0)
  },
)

test('the shell shows a notice while the connection is lost', async () => {
  const page = await newPage()
  const person = page.context()
  await signIn(page, 'northgate.dealer')
  await openLots(page)
  await person.setOffline(true)
  await see(page.getByText(/^You're offline/))
  await button(page, 'Try again').first().click()
  await see(page.getByText('No connection'))
  await person.setOffline(false)
  await miss(page.getByText(/^You're offline/))
  await see(lotLink(page, 'Northgate Ford'))
  expect(await page.getByText('No connection').count()).toBe(0)
})

test('an action can be undone for a while, by mouse or by keyboard', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/users?search=sofia')
  await page.getByRole('main').getByRole('link', { name: 'Sofia Marino' }).click()
  const offer = page.getByRole('status').getByText('Sofia Marino was deactivated')
  await button(page, 'Deactivate').click()
  await see(offer)
  await button(page, 'Undo').click()
  await see(button(page, 'Deactivate'))
  await miss(offer)
  await button(page, 'Deactivate').click()
  await see(offer, button(page, 'Activate'))
  await page.keyboard.press('Control+z')
  await see(button(page, 'Deactivate'))
  await miss(offer)
  expect(await button(page, 'Activate').count()).toBe(0)
})

test(
  'palette, shortcuts, customizer and user menu have no accessibility violations',
  { tags: 'release' },
  async () => {
    expect(
      await findOverlayProblems(await newPage(), { headerColor: 'brand', layout: 'horizontal' }),
    ).toEqual([])
  },
)
