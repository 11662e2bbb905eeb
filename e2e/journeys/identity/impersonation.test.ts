import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { impersonation } from '#contract/identity/impersonation/impersonation.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  drawer,
  field,
  filterBy,
  heading,
  miss,
  openDashboard,
  openLots,
  see,
  signIn,
  signInAgain,
} from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()

const banner = (page: Page) =>
  page.getByRole('button', { name: /^super, You are Impersonating northgate\.dealer/ })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Impersonate Luis Ortega' })

async function findLuis(page: Page): Promise<void> {
  await page.goto('/customers/people?search=ortega')
  await see(button(page, 'Impersonate Luis Ortega'))
  await button(page, 'Impersonate Luis Ortega').click()
  await see(dialog(page))
}

/** Switches back with the banner, which reloads the page. */
async function switchBack(page: Page): Promise<void> {
  await banner(page).click()
  await miss(banner(page))
  await see(page.getByRole('banner').getByRole('button', { name: 'Robin Hale' }))
}

test('support finds a user, views as them in two clicks without being able to change anything, and switches back', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'super', 'Forecourt Operations')
  await findLuis(page)
  expect(await dialog(page).getByLabel('View only').isChecked()).toBe(true)
  await dialog(page).getByRole('button', { name: 'View as Luis Ortega' }).click()
  await see(banner(page))
  expect(await banner(page).textContent()).toContain('super, You are Impersonating northgate.dealer')
  await see(page.getByText('View only', { exact: true }), page.getByText('60 min left', { exact: true }))

  await openLots(page)
  await see(page.getByRole('banner').getByText('Northgate Ford').first())
  const add = button(page, 'Add lot')
  // The page is shown before the permissions of the session are read again.
  await see(page.getByRole('button', { name: 'Add lot', disabled: true }))
  expect(await add.getAttribute('aria-description')).toMatch(/^You're in view-only mode/)
  await page.goto('/account/sessions')
  await see(page.getByText("You can't do this while impersonating a user. Switch back first."))
  await switchBack(page)
  await see(page.getByText('This session'))
})

test(
  'acting requires a reason, is logged under both names, and notifies the user',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signInAgain(page, product(), 'super', 'Forecourt Operations')
    await findLuis(page)
    await dialog(page).getByLabel('Act', { exact: true }).check()
    await dialog(page).getByRole('button', { name: 'Act as Luis Ortega' }).click()
    await see(page.getByText('Reason is required.'))
    await dialog(page).getByLabel('Reason').fill('Ticket 4711')
    await dialog(page).getByRole('button', { name: 'Act as Luis Ortega' }).click()
    await see(banner(page))
    await miss(page.getByText('View only', { exact: true }))
    await openLots(page)
    await button(page, 'Add lot').click()
    await field(page, 'Code').fill('imp')
    await field(page, 'Name').fill('Fulton street')
    await drawer(page).getByRole('button', { name: 'Add lot' }).click()
    await see(page.getByRole('alert').filter({ hasText: 'Lot added' }))
    await openLots(page)
    await switchBack(page)

    const admin = await newPage()
    await signIn(admin, 'northgate.admin', 'Northgate Ford')
    await admin.goto('/administration/audit-log')
    await see(heading(admin, 'Audit log'))
    const row = admin.getByRole('row', { name: /Added lot Fulton street.*Robin Hale.*Luis Ortega/ })
    await see(row, admin.getByRole('row', { name: /Started acting as them.*Robin Hale.*Luis Ortega/ }))
    await row.getByRole('link').click()
    await see(
      drawer(admin).getByText('Robin Hale as Luis Ortega'),
      drawer(admin).getByRole('row', { name: /name.*Fulton street/ }),
    )
    await button(admin, 'Close').last().click()
    await filterBy(admin, 'Operation', 'Deleted')
    await miss(row)
    await admin.goto('/administration/audit-log?search=Ticket')
    await see(heading(admin, 'Audit log'))
    await admin.goto('/administration/outbox?search=luis.ortega')
    const email = admin.getByText(/^Robin Hale is working in your account/)
    await see(email.first())
    expect(await email.count()).toBe(1)
  },
)

test('switching back in one tab switches back in the others', { tags: 'release' }, async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'super', 'Forecourt Operations')
  await findLuis(page)
  await dialog(page).getByRole('button', { name: 'View as Luis Ortega' }).click()
  await see(banner(page))
  // Another tab switches back, and this one follows.
  const other = await page.context().newPage()
  await other.goto('/dashboard')
  await see(banner(other))
  const answered = other.waitForResponse(`**${impersonation.impersonate.path}`)
  await banner(other).click()
  expect((await answered).status()).toBe(200)
  await miss(banner(other), banner(page))
})

test(
  'a user ends one of their sessions, and an administrator sees and ends those of others',
  { tags: 'release' },
  async () => {
    const phone = await newPage()
    await signInAgain(phone, product(), 'northgate.auditor')
    await openDashboard(phone)
    const page = await newPage()
    await signInAgain(page, product(), 'northgate.auditor')
    await openDashboard(page)
    await page.getByRole('banner').getByRole('button', { name: 'Wei Zhang' }).click()
    await page.getByRole('menuitem', { name: 'My sessions' }).click()
    await see(heading(page, 'Your sessions'), page.getByText('This session'))
    const others = page
      .getByRole('list', { name: 'Your sessions' })
      .getByRole('button', { name: /^Sign out/ })
    // The phone's session, and the one from the test setup.
    expect(await others.count()).toBe(2)
    await others.first().click()
    await expect.poll(() => others.count()).toBe(1)
    await others.click()
    await miss(others)
    await phone.reload()
    await phone.waitForURL('**/auth/signin**')

    const admin = await newPage()
    await signIn(admin, 'northgate.admin', 'Northgate Ford')
    await admin.goto('/administration/users?search=zhang')
    await admin.getByRole('main').getByRole('link', { name: 'Wei Zhang', exact: true }).click()
    await admin.getByRole('link', { name: 'Sessions', exact: true }).click()
    await see(admin.getByText(/Chrome on/).first())
    await button(admin, 'Sign out everywhere').click()
    await admin
      .getByRole('dialog', { name: 'Sign Wei Zhang out everywhere?' })
      .getByRole('button', { name: 'Sign out everywhere' })
      .click()
    await see(admin.getByText('Not signed in anywhere'))
    await page.reload()
    await page.waitForURL('**/auth/signin**')
  },
)
