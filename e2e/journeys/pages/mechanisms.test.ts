import { expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { findWrongStates } from '#e2e/harness/check-states.ts'
import type { PagePath } from '#e2e/harness/page-case.ts'
import { signInFor } from '#e2e/harness/people.ts'
import { stage } from '#e2e/harness/stage.ts'
import { see, signIn } from '#e2e/harness/steps.ts'
import { PAGES } from '#e2e/pages/pages.ts'

const { page: newPage } = stage()

/** One page for each mechanism that loads data. All pages: `npm run prove -- states`. */
const MECHANISMS: readonly (readonly [mechanism: string, path: PagePath, load: number])[] = [
  ['a list', '/customers/lots', 0],
  ['a drawer next to its list', '/customers/lots', 1],
  ['a record page', '/administration/users/$id', 0],
  ['a form on a page', '/customers/details', 0],
  ['a wizard step', '/organizations/facility', 0],
  ['a grid', '/inventory/vehicle-data/edit-grid', 0],
  ['a board', '/carbon/emission', 1],
  ['a choice before the shell', '/auth/organization', 0],
]

test.for(MECHANISMS)('%s, in every state', async ([, path, at]) => {
  const { person, loads } = PAGES[path]
  const load = loads[at]
  if (load === undefined) throw new Error(`${path} has no call number ${at}.`)
  const page = await newPage()
  await signInFor(page, person)
  expect(await findWrongStates(page, load)).toEqual([])
})

test('an unknown address shows a message and a way back', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.goto('/customers/nowhere')
  await see(page.getByText("This page doesn't exist"))
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.waitForURL('**/dashboard')
  await expect.poll(() => page.title()).toMatch(/^Dashboard \| /)
})

test('the static menu is shown when the menu cannot be loaded', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.route(`**${auth.menu.path}`, (route) => route.fulfill({ status: 500 }))
  await page.goto('/dashboard')
  const menu = page.getByRole('navigation', { name: 'Main' })
  await see(menu.getByRole('link', { name: 'Lots' }), menu.getByRole('link', { name: 'Dashboard' }))
  expect(await menu.getByRole('link').allTextContents()).toEqual([
    'Dashboard',
    'Lots',
    'Leads',
    'Lead routing',
    'Details',
    'Vehicle data',
    'Pricing rules',
    'Feeds',
    'Channels',
    'Advertised prices',
    'DVP forms',
    'DVP campaigns',
    'Submissions',
    'Provider mappings',
    'Data mappings',
    'Media',
    'Promo pages',
    'DVP layouts',
    'Short URLs',
    'Email templates',
    'Reports',
  ])
})
