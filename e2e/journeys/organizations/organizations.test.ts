// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

/** A success notice. */
const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const facility = (page: Page, name: string) =>
  page.getByRole('treegrid').getByRole('link', { name, exact: true })

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('adds an organization, completes it step by step, and adds its first facility', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/organizations')
  await see(
    row(page, 'Northgate Ford').getByText('Complete'),
    row(page, 'Northgate Toyota').getByText('In progress'),
  )

  await button(page, 'Add organization').click()
  await see(heading(page, 'New organization'), page.getByText('Locked'))
  await button(page, 'Add organization').click()
  await see(page.getByText('Name is required.'))
  await field(page, 'Name').fill('Northgate Kia')
  await button(page, 'Add organization').click()
  await see(notice(page, 'Organization added'), heading(page, 'Northgate Kia'))

  await page.getByRole('link', { name: 'Facility', exact: true }).click()
  await see(page.getByRole('heading', { name: 'This step is locked' }))
  await page.getByRole('link', { name: 'Go to organization' }).click()
  await choose(page, 'Country', 'United States')
  await see(page.getByText('1 field changed'))
  await page.keyboard.press('Control+s')
  await see(notice(page, 'Organization saved'))
  await page.getByRole('link', { name: 'Continue to facilities' }).click()

  await see(page.getByRole('heading', { name: 'No facilities yet' }))
  await button(page, 'Add facility').click()
  await field(page, 'Code').fill('kia')
  await field(page, 'Name').fill('Kia showroom')
  await field(page, 'State or province').fill('CA')
  await field(page, 'Postal code').fill('95841')
  await see(page.getByText('Suggested by state and ZIP code.'))
  await drawer(page).getByRole('button', { name: 'Add facility' }).click()
  await see(notice(page, 'Facility added'), drawer(page).getByText(/^Site KIA, changed/))

  // Half is sold on a date: from then on the inclusion is 50%.
  await drawer(page).getByRole('button', { name: 'Add row' }).click()
  await drawer(page).getByLabel('From').last().fill('2026-07-01')
  await drawer(page).getByLabel('Ownership, %').last().fill('50')
  await drawer(page).getByRole('button', { name: 'Save facility' }).click()
  await see(notice(page, 'Facility saved'))
  await page.keyboard.press('Escape')
  await miss(drawer(page))
  await choose(page, 'Consolidation approach', 'Equity share')
  await see(row(page, 'Kia showroom').getByText('50%', { exact: true }))
  await field(page, 'As of').fill('2026-06-30')
  await see(row(page, 'Kia showroom').getByText('100%', { exact: true }))
  expect(page.url()).toContain('on=2026-06-30')

  await facility(page, 'Kia showroom').click()
  await drawer(page).getByRole('button', { name: 'Delete facility' }).click()
  await see(page.getByText('Kia showroom deleted'), page.getByRole('heading', { name: 'No facilities yet' }))
  await button(page, 'Undo').click()
  await see(row(page, 'Kia showroom').getByText('100%', { exact: true }))
})

test('deletes an organization that is empty, and says what is still in another one', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const remove = async (name: string) => {
    await page.goto('/organizations')
    await page.getByRole('main').getByRole('link', { name }).click()
    await button(page, 'Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete organization' }).click()
  }
  await page.goto('/organizations')
  await button(page, 'Add organization').click()
  await field(page, 'Name').fill('Added by mistake')
  await button(page, 'Add organization').click()
  await see(heading(page, 'Added by mistake'))
  await remove('Added by mistake')
  await see(notice(page, 'Organization deleted'))
  await miss(row(page, 'Added by mistake'))
  await page.getByRole('main').getByRole('link', { name: 'Northgate Toyota' }).click()
  expect(await button(page, 'Delete').getAttribute('aria-description')).toMatch(
    /^Northgate Toyota has \d+ facilit/,
  )
})

test('archives an organization, shows it as archived, and restores it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const openToyota = async () => {
    await page.goto('/organizations')
    await page.getByRole('main').getByRole('link', { name: 'Northgate Toyota' }).click()
  }
  await openToyota()
  await button(page, 'Archive').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive organization' }).click()
  const archived = page.getByText('no one can choose it or add to it until it is restored')
  await see(notice(page, 'Organization archived'), archived)
  await page.goto('/organizations')
  await see(row(page, 'Northgate Toyota').getByText('Archived'))
  expect(await row(page, 'Northgate Ford').getByText('Archived').count()).toBe(0)
  await openToyota()
  await button(page, 'Restore').click()
  await see(notice(page, 'Organization restored'), button(page, 'Archive'))
  await miss(archived)
})

test('navigates, collapses and expands the tree by keyboard only', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/organizations')
  await page.getByRole('main').getByRole('link', { name: 'Northgate Ford' }).click()
  await facility(page, 'Auburn Boulevard').focus()
  await page.keyboard.press('ArrowLeft')
  await miss(facility(page, 'Service wing'))
  expect(await row(page, 'Auburn Boulevard').getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('ArrowRight')
  await see(facility(page, 'Service wing'))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  expect(await facility(page, 'Service wing').evaluate((link) => link === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await see(drawer(page).getByText(/^Building AUB-S/))
})

test('shows the steps only to users with operation 3 on function 6', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.auditor')
  await page.goto('/organizations')
  await page.getByRole('main').getByRole('link', { name: 'Northgate Ford' }).click()
  await see(facility(page, 'Auburn Boulevard'))
  expect(await page.getByRole('link', { name: 'Set up' }).count()).toBe(0)
  expect(await button(page, 'Add facility').getAttribute('aria-description')).toMatch(
    /Organization wizard, create/,
  )
  for (const step of ['organization', 'facility']) {
    await page.goto(`/organizations/${step}`)
    await see(page.getByRole('heading', { name: "You don't have access to this page" }))
    await see(page.getByText(/Organization wizard, create \(6, 3\)/))
  }
})
