// @module-tag release
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, miss, see, sideways, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const cell = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of this user' }).getByRole('link', { name })
const why = (locator: Locator) => locator.getAttribute('aria-description')

async function openUsers(page: Page, search = ''): Promise<void> {
  await page.goto(`/administration/users${search}`)
  await see(heading(page, 'Users'), page.getByText(/ of \d+ users?$/))
}

async function openUser(page: Page, name: string): Promise<void> {
  await openUsers(page)
  await page.getByRole('main').getByRole('link', { name, exact: true }).click()
  await see(heading(page, name), tab(page, 'Profile'))
}

async function openPermissions(page: Page, name: string): Promise<void> {
  await openUser(page, name)
  await tab(page, 'Permissions').click()
  await see(cell(page, 'Lots, list'))
}

/** Selects an option of a select field. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('combobox', { name: label })
    .or(page.getByRole('textbox', { name: label }))
    .first()
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('an administrator adds a user with two overrides, and every cell explains its state, even after a reload', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openUsers(page, '?search=northgate')
  await button(page, 'Add user').click()
  await see(heading(page, 'New user'))
  await button(page, 'Add user').click()
  await see(page.getByText('First name is required.'), page.getByText('User type is required.'))

  await field(page, 'First name').fill('Ana')
  await field(page, 'Last name').fill('Silva')
  await field(page, 'Email').fill('ana.silva@northgate.example')
  expect(await field(page, 'User name').inputValue()).toBe('ana.silva@northgate.example')
  await field(page, 'User name').fill('ana.silva')
  await pick(page, 'User type', 'Dealer user')
  await pick(page, 'Organizations', 'Northgate Ford')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await see(notice(page, 'User added'), heading(page, 'Ana Silva'), page.getByText('Before they can sign in'))

  await tab(page, 'Permissions').click()
  await see(cell(page, 'Lots, delete'))
  expect(await why(cell(page, 'Lots, delete'))).toBe('Dealer user grants this.')
  await cell(page, 'Lots, delete').uncheck()
  await cell(page, 'Users, list').check()
  await see(page.getByText('2 permission changes'), page.getByText('Ana Silva: + Users list, − Lots delete'))
  expect(await why(cell(page, 'Users, list'))).toBe('Granted for this user only. Not saved yet.')
  await page.keyboard.press('Control+s')
  await see(notice(page, 'Permissions saved'))
  await miss(page.getByText('2 permission changes'))

  await page.reload()
  await see(cell(page, 'Lots, delete'))
  expect(await cell(page, 'Lots, delete').isChecked()).toBe(false)
  expect(await cell(page, 'Users, list').isChecked()).toBe(true)
  expect(await why(cell(page, 'Lots, delete'))).toBe('Denied for this user. Dealer user grants it.')
  expect(await why(cell(page, 'Users, list'))).toBe('Granted for this user only.')
  await cell(page, 'Lots, delete').hover()
  await see(page.getByRole('tooltip', { name: 'Denied for this user. Dealer user grants it.' }))
  await page.getByRole('switch', { name: 'Differences only (2)' }).click()
  await see(cell(page, 'Lots, list'))
  await miss(cell(page, 'Leads, list'))

  await tab(page, 'Activity').click()
  await see(
    page
      .getByRole('list', { name: 'Activity' })
      .getByText(/Dana Whitfield/)
      .first(),
  )
  await page.getByRole('link', { name: 'Users', exact: true }).last().click()
  await page.waitForURL(/\?search=northgate$/)
  await see(page.getByRole('row', { name: /Ana Silva.*2 overrides/ }))
})

test('a user is deactivated, activated by undo, emailed, and deleted', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openUser(page, 'Theo Lindqvist')
  await button(page, 'Deactivate').click()
  await see(page.getByText('Theo Lindqvist was deactivated'), button(page, 'Activate'))
  expect(await button(page, 'Send password email').getAttribute('aria-description')).toMatch(
    /^Activate this user first/,
  )
  await button(page, 'Undo').click()
  await see(button(page, 'Deactivate'))

  await button(page, 'Send password email').click()
  const question = page.getByRole('dialog', { name: 'Email Theo Lindqvist?' })
  await see(question.getByText(/theo\.lindqvist@northgate\.example/))
  await question.getByRole('button', { name: 'Send email' }).click()
  await see(notice(page, 'Email sent'))

  await button(page, 'More for Theo Lindqvist').click()
  await page.getByRole('menuitem', { name: 'Delete user' }).click()
  await page
    .getByRole('dialog', { name: 'Delete Theo Lindqvist?' })
    .getByRole('button', { name: 'Delete user' })
    .click()
  await see(notice(page, 'User deleted'), heading(page, 'Users'))
  await miss(page.getByRole('link', { name: 'Theo Lindqvist' }))
})

test(
  'deleting a user says what is left without them, and is refused while leads would reach no one',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openUser(page, 'Sofia Marino')
    const userId = /\d+$/.exec(new URL(page.url()).pathname)?.[0] ?? ''
    const { id } = await callAs(page, leadDestinations.add, {
      name: 'Evening team',
      kind: 'team',
      memberIds: [userId],
    })
    await button(page, 'More for Sofia Marino').click()
    await page.getByRole('menuitem', { name: 'Delete user' }).click()
    const refusal = page.getByRole('dialog', { name: "Sofia Marino can't be deleted" })
    await see(refusal.getByText('No one would be left in the team Evening team.', { exact: false }))
    await refusal.getByRole('button', { name: 'Close' }).click()
    await callAs(page, leadDestinations.update, { id, isActive: false })
    await button(page, 'More for Sofia Marino').click()
    await page.getByRole('menuitem', { name: 'Delete user' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Sofia Marino?' })
    await see(
      question.getByText(
        /2 lead destinations \(Evening team, Internet sales team\).* will be left without them\./,
      ),
    )
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await callAs(page, users.get, { id: userId })).toMatchObject({ lastName: 'Marino' })
    await callAs(page, leadDestinations.remove, { id })
  },
)

test('the matrix works by keyboard: one tab stop, arrow keys, visible explanations, and restored focus', async () => {
  const page = await newPage()
  const { keyboard } = page
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openPermissions(page, 'Luis Ortega')
  await page.getByRole('switch', { name: /^Differences only/ }).focus()
  await keyboard.press('Tab')
  await expect.poll(focused).toBe('Preset for Dashboard: View')
  await keyboard.press('Control+End')
  await expect.poll(focused).toMatch(/^Data export and erasure, /)
  await keyboard.press('Control+Home')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await expect.poll(focused).toMatch(/^Preset for Lots: /)
  await keyboard.press('ArrowRight')
  await expect.poll(focused).toBe('Lots, list')
  await see(page.getByRole('tooltip', { name: 'Dealer user grants this.' }))
  await keyboard.press('ArrowUp')
  await expect.poll(focused).toBe('Users, list')
  await keyboard.press('Space')
  await expect.poll(() => cell(page, 'Users, list').isChecked()).toBe(true)
  await see(page.getByRole('tooltip', { name: 'Granted for this user only. Not saved yet.' }))
  await keyboard.press('Escape')
  await miss(page.getByRole('tooltip'))

  // Set the preset of the row with its menu.
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await see(page.getByRole('menuitem', { name: 'View' }))
  await page.getByRole('menuitem', { name: 'View' }).focus()
  await keyboard.press('Enter')
  await expect.poll(focused).toBe('Preset for Users: View')
  await expect.poll(() => cell(page, 'Users, read').isChecked()).toBe(true)

  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await miss(page.getByText('2 permission changes'))
  await expect.poll(focused).toBe('Preset for Users: None')
})

test('at 390 px users and functions are blocks, and at 320 px nothing scrolls sideways', async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } })
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openUsers(page)
  await see(page.getByRole('list', { name: 'Users' }).getByText('Sales manager · 2 overrides'))
  await page.getByRole('main').getByRole('link', { name: 'Luis Ortega' }).click()
  await see(heading(page, 'Luis Ortega'))
  await tab(page, 'Permissions').click()
  const lots = page.getByRole('group', { name: 'Lots', exact: true })
  await lots.getByText('Delete').click()
  await see(lots.getByText('Denied for this user. Dealer user grants it. Not saved yet.'))
  await see(page.getByText('1 permission change'))
  for (const url of [
    page.url(),
    page.url().replace(/\?.*/, ''),
    '/administration/users',
    '/administration/users/new',
  ]) {
    await page.setViewportSize({ width: 320, height: 640 })
    await expect.poll(() => sideways(page), { message: url }).toEqual([0, 0])
    if (await button(page, 'Discard').isVisible()) await button(page, 'Discard').click()
    await page.goto(url)
    await see(page.getByRole('heading', { level: 1 }))
  }
})
