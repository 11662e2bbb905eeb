// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, see, sideways, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const cell = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const tree = (page: Page) => page.getByRole('navigation', { name: 'User types' })
const node = (page: Page, name: string) => tree(page).getByRole('link', { name: new RegExp(`^${name} `) })

async function openTypes(page: Page, name: string): Promise<void> {
  await page.goto('/administration/user-types')
  await page.getByRole('table').getByRole('link', { name, exact: true }).click()
  await see(heading(page, name), cell(page, 'Lots, list'))
}

async function setPreset(page: Page, title: string, preset: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Preset for ${title}: `) }).click()
  await page.getByRole('menuitem', { name: preset, exact: true }).click()
}

test('an administrator adds a type below their own, and users can grant only their own permissions', async () => {
  const dana = await newPage()
  await signIn(dana, 'northgate.admin', 'Northgate Ford')
  await openTypes(dana, 'Dealer user')
  await see(
    dana.getByText(
      /^User type with \d+ users\. Access: own organizations\. Can't include more permissions than Customer administrator\.$/,
    ),
  )
  await button(dana, 'Add user type').click()
  await drawer(dana).getByRole('button', { name: 'Add user type' }).click()
  await see(dana.getByText('Name is required.'))
  await field(dana, 'Name').fill('Receptionist')
  await drawer(dana).getByRole('button', { name: 'Add user type' }).click()
  await see(notice(dana, 'User type added'), heading(dana, 'Receptionist'), node(dana, 'Receptionist'))
  await cell(dana, 'Lots, list').check()
  await setPreset(dana, 'Leads', 'Edit')
  expect(await cell(dana, 'Leads, update').isChecked()).toBe(true)
  await see(
    dana.getByText('0 users: + Lots list, + Leads list, + Leads read, + Leads create, + Leads update'),
  )
  await dana.keyboard.press('Control+s')
  await see(notice(dana, 'Permissions saved'))
  await dana.reload()
  await see(cell(dana, 'Leads, update'))
  expect(await cell(dana, 'Leads, update').isChecked()).toBe(true)
  expect(await cell(dana, 'Leads, update').getAttribute('aria-description')).toBe('Receptionist grants this.')

  await openTypes(dana, 'Dealer user')
  await setPreset(dana, 'User types', 'Full')
  await button(dana, 'Save changes').click()
  await see(notice(dana, 'Permissions saved'))

  const luis = await newPage()
  await signIn(luis, 'northgate.dealer')
  await openTypes(luis, 'Photographer')
  const locked = cell(luis, 'Carbon start, create')
  const reason = "You don't have Carbon start, create, so you can't grant it."
  expect(await locked.getAttribute('aria-disabled')).toBe('true')
  expect(await locked.getAttribute('aria-description')).toBe(reason)
  await locked.focus()
  await luis.keyboard.press('Space')
  expect(await locked.isChecked()).toBe(false)
  await cell(luis, 'Lots, list').click()
  await button(luis, 'Save changes').click()
  await see(notice(luis, 'Permissions saved'))
  await node(luis, 'Dealer user').click()
  await see(luis.getByText(/own user type|your own/i).first())
  expect(await cell(luis, 'Lots, list').getAttribute('aria-disabled')).toBe('true')
})

test('a type is renamed, duplicated and deleted; one in use shows how many users have it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openTypes(page, 'Auditor')
  await button(page, 'Duplicate').click()
  await see(drawer(page).getByText('Duplicate Auditor'))
  await drawer(page).getByRole('button', { name: 'Add user type' }).click()
  await see(notice(page, 'User type added'), heading(page, 'Copy of Auditor'))
  expect(await cell(page, 'Lots, export').isChecked()).toBe(true)

  await button(page, 'More for Copy of Auditor').click()
  await page.getByRole('menuitem', { name: 'Edit user type' }).click()
  await field(page, 'Name').fill('Inspector')
  await page.keyboard.press('Control+s')
  await see(notice(page, 'User type saved'), heading(page, 'Inspector'))
  await miss(page.getByRole('dialog'))

  await button(page, 'More for Inspector').click()
  await page.getByRole('menuitem', { name: 'Delete user type' }).click()
  const question = page.getByRole('dialog', { name: 'Delete user type Inspector?' })
  await question.getByRole('button', { name: 'Delete user type' }).click()
  await see(notice(page, 'User type deleted'))
  await miss(node(page, 'Inspector'))

  await openTypes(page, 'Auditor')
  await button(page, 'More for Auditor').click()
  await page.getByRole('menuitem', { name: 'Delete user type' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete user type' }).click()
  await see(page.getByRole('dialog', { name: "Auditor can't be deleted" }).getByText(/1 user has it/))
})

test('a conflicting change to a type can be compared and reloaded', async () => {
  const [dana, also] = [await newPage(), await newPage()]
  for (const page of [dana, also]) {
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openTypes(page, 'Sales manager')
    await cell(page, page === dana ? 'Dashboard, list' : 'Reports, export').click()
  }
  await button(dana, 'Save changes').click()
  await see(notice(dana, 'Permissions saved'))
  await button(also, 'Save changes').click()
  const question = also.getByRole('dialog', { name: /^You changed Sales manager/ })
  await question.getByRole('button', { name: 'Compare' }).click()
  await see(
    question.getByRole('row', { name: /^Dashboard, list / }),
    question.getByRole('row', { name: /^Reports, export / }),
  )
  await question.getByRole('button', { name: 'Reload' }).click()
  await miss(question, also.getByText('1 permission change'))
  expect(await cell(also, 'Dashboard, list').isChecked()).toBe(
    await cell(dana, 'Dashboard, list').isChecked(),
  )
})

test('the matrix can show only differences from the parent type', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openTypes(page, 'Dealer user')
  await page.getByRole('switch', { name: 'Differences only' }).click()
  await miss(cell(page, 'DVP forms, list'))
  await see(cell(page, 'Users, list'))
  expect(await cell(page, 'Users, list').getAttribute('aria-description')).toBe(
    "Dealer user doesn't grant this. Customer administrator does.",
  )
})

test('at 390 px the tree is a select on top, and at 320 px nothing scrolls sideways', async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } })
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/user-types')
  await page.getByRole('list', { name: 'User types' }).getByRole('link', { name: 'Auditor' }).click()
  await see(cell(page, 'Lots, list'))
  await page
    .getByRole('combobox', { name: 'User type' })
    .or(page.getByRole('textbox', { name: 'User type' }))
    .first()
    .click()
  await page.getByRole('option', { name: 'Dealer user' }).click()
  await see(heading(page, 'Dealer user'))
  const lots = page.getByRole('group', { name: 'Lots', exact: true })
  await lots.getByText('Delete').click()
  await see(page.getByText('1 permission change'), button(page, 'Save changes'))
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => sideways(page)).toEqual([0, 0])
})
