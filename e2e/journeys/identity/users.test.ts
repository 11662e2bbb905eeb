import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, filterBy, heading, miss, see, sideways, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const cell = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of this user' }).getByRole('link', { name })
const why = (locator: Locator) => locator.getAttribute('aria-description')

async function openUsers(page: Page, search = ''): Promise<void> {
  await page.goto(`/administration/users${search}`)
  await see(heading(page, 'Users'), page.getByText(/ of \d+ (person|people)$/))
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

/** Picks from a list that opens under a field. */
async function pick(page: Page, label: string, option: string): Promise<void> {
  await page
    .getByRole('combobox', { name: label })
    .or(page.getByRole('textbox', { name: label }))
    .first()
    .click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('an administrator adds a person with two rights that differ, and every cell says why, also after a reload', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openUsers(page, '?search=northgate')
  await button(page, 'Add user').click()
  await see(heading(page, 'New user'))
  await button(page, 'Add user').click()
  await see(page.getByText('First name is required.'), page.getByText('User type is required.'))

  await field(page, 'First name').fill('Ana')
  await field(page, 'Last name').fill('Silva')
  await field(page, 'E-mail').fill('ana.silva@northgate.example')
  expect(await field(page, 'User name').inputValue()).toBe('ana.silva@northgate.example')
  await field(page, 'User name').fill('ana.silva')
  await pick(page, 'User type', 'Dealer user')
  await pick(page, 'Organizations', 'Northgate Ford')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+s')
  await see(notice(page, 'User added'), heading(page, 'Ana Silva'), page.getByText('Until they work here'))

  await tab(page, 'Permissions').click()
  await see(cell(page, 'Lots, delete'))
  expect(await why(cell(page, 'Lots, delete'))).toBe('Dealer user grants this.')
  await cell(page, 'Lots, delete').uncheck()
  await cell(page, 'Users, list').check()
  await see(page.getByText('2 permission changes'), page.getByText('Ana Silva: + Users list, − Lots delete'))
  expect(await why(cell(page, 'Users, list'))).toBe('Allowed for this person only. Not saved yet.')
  await page.keyboard.press('Control+s')
  await see(notice(page, 'Permissions saved'))
  await miss(page.getByText('2 permission changes'))

  await page.reload()
  await see(cell(page, 'Lots, delete'))
  expect(await cell(page, 'Lots, delete').isChecked()).toBe(false)
  expect(await cell(page, 'Users, list').isChecked()).toBe(true)
  expect(await why(cell(page, 'Lots, delete'))).toBe('Denied for this person: Dealer user grants it.')
  expect(await why(cell(page, 'Users, list'))).toBe('Allowed for this person only.')
  await cell(page, 'Lots, delete').hover()
  await see(page.getByRole('tooltip', { name: 'Denied for this person: Dealer user grants it.' }))
  await page.getByRole('switch', { name: 'Only differences (2)' }).click()
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
  await see(page.getByRole('row', { name: /Ana Silva.*2 differences/ }))
})

test('a person is switched off, on again by undo, mailed, and deleted by name', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openUser(page, 'Theo Lindqvist')
  await button(page, 'Switch off').click()
  await see(page.getByText('Theo Lindqvist is switched off'), button(page, 'Switch on'))
  expect(await button(page, 'Send password mail').getAttribute('aria-description')).toMatch(
    /^Switch them on first/,
  )
  await button(page, 'Undo').click()
  await see(button(page, 'Switch off'))

  await button(page, 'Send password mail').click()
  const question = page.getByRole('dialog', { name: 'Send Theo Lindqvist a mail?' })
  await see(question.getByText(/theo\.lindqvist@northgate\.example/))
  await question.getByRole('button', { name: 'Send mail' }).click()
  await see(notice(page, 'Mail sent'))

  await button(page, 'More for Theo Lindqvist').click()
  await page.getByRole('menuitem', { name: 'Delete user' }).click()
  await page
    .getByRole('dialog', { name: 'Delete Theo Lindqvist?' })
    .getByRole('button', { name: 'Delete user' })
    .click()
  await see(notice(page, 'User deleted'), heading(page, 'Users'))
  await miss(page.getByRole('link', { name: 'Theo Lindqvist' }))
})

test('of two who edit one person the second sees what changed; nothing typed or chosen is lost', async () => {
  const [dana, also] = [await newPage(), await newPage()]
  for (const page of [dana, also]) {
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openUser(page, 'Mara Okafor')
  }
  await field(dana, 'Job title').fill('Porter')
  await button(dana, 'Save user').click()
  await see(notice(dana, 'User saved'))
  await field(also, 'Phone').fill('+1 916 555 0177')
  await button(also, 'Save user').click()
  const question = also.getByRole('dialog', { name: /^Dana Whitfield changed Mara Okafor/ })
  await see(question.getByText(/It differs in Phone, Job title\.$/))
  await question.getByRole('button', { name: 'Compare' }).click()
  await see(question.getByRole('row', { name: /^Job title .* Porter$/ }))
  await question.getByRole('button', { name: 'Reload' }).click()
  await miss(question)
  await expect.poll(() => field(also, 'Job title').inputValue()).toBe('Porter')

  for (const page of [dana, also]) {
    await tab(page, 'Permissions').click()
    await see(cell(page, 'Lots, export'))
  }
  await cell(dana, 'Lots, export').uncheck()
  await button(dana, 'Save changes').click()
  await see(notice(dana, 'Permissions saved'))
  await cell(also, 'Leads, delete').uncheck()
  await button(also, 'Save changes').click()
  const stale = also.getByRole('dialog', { name: /^Dana Whitfield changed Mara Okafor/ })
  await see(stale.getByText(/It differs in 2 permissions/))
  await stale.getByRole('button', { name: 'Compare' }).click()
  await see(
    stale.getByRole('row', { name: 'Lots, export Granted Not granted' }),
    stale.getByRole('row', { name: 'Leads, delete Not granted Granted' }),
  )
  await stale.getByRole('button', { name: 'Overwrite' }).click()
  await see(notice(also, 'Permissions saved'))
  await also.reload()
  await see(cell(also, 'Lots, export'))
  expect(await cell(also, 'Lots, export').isChecked()).toBe(true)
  expect(await cell(also, 'Leads, delete').isChecked()).toBe(false)
})

test('the matrix needs no mouse: one tab stop, arrows, the reason in view, and the focus comes back', async () => {
  const page = await newPage()
  const { keyboard } = page
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openPermissions(page, 'Luis Ortega')
  await page.getByRole('switch', { name: /^Only differences/ }).focus()
  await keyboard.press('Tab')
  await expect.poll(focused).toBe('Preset of Dashboard: See')
  await keyboard.press('Control+End')
  await expect.poll(focused).toMatch(/^Data export and erasure, /)
  await keyboard.press('Control+Home')
  await keyboard.press('ArrowDown')
  await keyboard.press('ArrowDown')
  await expect.poll(focused).toMatch(/^Preset of Lots: /)
  await keyboard.press('ArrowRight')
  await expect.poll(focused).toBe('Lots, list')
  await see(page.getByRole('tooltip', { name: 'Dealer user grants this.' }))
  await keyboard.press('ArrowUp')
  await expect.poll(focused).toBe('Users, list')
  await keyboard.press('Space')
  await expect.poll(() => cell(page, 'Users, list').isChecked()).toBe(true)
  await see(page.getByRole('tooltip', { name: 'Allowed for this person only. Not saved yet.' }))
  await keyboard.press('Escape')
  await miss(page.getByRole('tooltip'))

  // The preset of the row, by its menu.
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await see(page.getByRole('menuitem', { name: 'See' }))
  await page.getByRole('menuitem', { name: 'See' }).focus()
  await keyboard.press('Enter')
  await expect.poll(focused).toBe('Preset of Users: See')
  await expect.poll(() => cell(page, 'Users, read').isChecked()).toBe(true)

  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await miss(page.getByText('2 permission changes'))
  await expect.poll(focused).toBe('Preset of Users: None')
})

test('who may not change anything looks, and reads what is missing', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.auditor')
  await openUsers(page)
  expect(await button(page, 'Add user').getAttribute('aria-description')).toMatch(
    /needs Users, create \(2, 3\)/,
  )
  await page.getByRole('main').getByRole('link', { name: 'Luis Ortega' }).click()
  await see(heading(page, 'Luis Ortega'))
  expect(await field(page, 'First name').isEditable()).toBe(false)
  await tab(page, 'Permissions').click()
  await see(cell(page, 'Lots, list'))
  expect(await cell(page, 'Lots, list').getAttribute('aria-disabled')).toBe('true')
  await cell(page, 'Lots, list').click({ force: true })
  expect(await cell(page, 'Lots, list').isChecked()).toBe(true)
  await miss(page.getByText('1 permission change'))
})

test('the list says what it is for, what failed, and which permission is missing', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const answers = [
    { status: 200, data: { filteredRows: 0, totalRows: 0, results: [] }, says: 'Nobody here yet' },
    { status: 500, data: null, says: 'The list of people did not load' },
  ]
  for (const { status, data, says } of answers) {
    await page.route('**/api/administration/get-users*', (route) =>
      route.fulfill({ status, json: { status: status === 200, data, message: 'It broke.' } }),
    )
    await page.goto('/administration/users')
    await see(page.getByText(says))
    await page.unroute('**/api/administration/get-users*')
  }
  await button(page, 'Try again').click()
  await see(page.getByText('Luis Ortega'))

  const dealer = await newPage()
  await signIn(dealer, 'northgate.dealer')
  await dealer.goto('/administration/users')
  await see(dealer.getByText('You may not open this page'), dealer.getByText(/Users, list \(2, 1\)/))
  await page.goto('/administration/users/999999')
  await see(page.getByText('Not found'))
  expect(await page.getByRole('main').getByText('Luis Ortega').count()).toBe(0)
})

test('unsaved changes are asked about', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openPermissions(page, 'Luis Ortega')
  await cell(page, 'Lots, export').uncheck()
  await tab(page, 'Activity').click()
  const question = page.getByRole('dialog', { name: 'There are unsaved changes.' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await see(page.getByText('1 permission change'))
  await button(page, 'Discard').click()
  await miss(page.getByText('1 permission change'))
  expect(await cell(page, 'Lots, export').isChecked()).toBe(true)
})

test('filters live in the address and can be taken away', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openUsers(page)
  await filterBy(page, 'State', 'Switched off')
  await page.waitForURL(/filter=state/)
  await see(page.getByRole('group', { name: 'State is Switched off' }), page.getByText('Owen Price'))
  await miss(page.getByText('Luis Ortega'))
  await page.reload()
  await see(page.getByText('Owen Price'))
  await page.getByLabel('Search people').fill('zebra')
  await see(page.getByText('No person matches “zebra” and the filter'))
  await button(page, 'Clear filters').click()
  await see(page.getByText('Luis Ortega'))
  expect(new URL(page.url()).search).toBe('')
})

test('at 390 px a person is a block, and the matrix a block a function; at 320 px nothing scrolls sideways', async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } })
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openUsers(page)
  await see(page.getByRole('list', { name: 'Users' }).getByText('Sales manager · 2 differences'))
  await page.getByRole('main').getByRole('link', { name: 'Luis Ortega' }).click()
  await see(heading(page, 'Luis Ortega'))
  await tab(page, 'Permissions').click()
  const lots = page.getByRole('group', { name: 'Lots', exact: true })
  await lots.getByText('Delete').click()
  await see(lots.getByText('Denied for this person: Dealer user grants it. Not saved yet.'))
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
