import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const cell = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const changes = (page: Page, words: string) => page.getByText(words, { exact: true })
const warning = (page: Page) => page.getByRole('dialog', { name: 'There are unsaved changes.' })
const WARNED = 'Are you sure you want to continue without saving?'

async function openFresh(page: Page): Promise<void> {
  await page.goto('/carbon')
  await page
    .getByRole('row')
    .filter({ hasText: 'Northgate Toyota' })
    .filter({ hasText: 'Draft' })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('link', { name: 'Emission', exact: true }).click()
}

test('edits and saves suggested assignments, and asks once about unsaved changes', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Toyota')
  await openFresh(page)
  await see(page.getByText(/^\d+ suggested$/))
  await button(page, 'Edit').click()
  await see(page.getByText(/^\d+ assignment changes$/))

  // Leaving shows the warning; staying loses nothing.
  await page.getByRole('link', { name: 'Facility', exact: true }).click()
  await see(warning(page).getByText(WARNED))
  await warning(page).getByRole('button', { name: 'Cancel' }).click()
  await miss(warning(page))

  // Continuing without saving discards the changes: returning doesn't ask again.
  await page.getByRole('link', { name: 'Facility', exact: true }).click()
  await warning(page).getByRole('button', { name: 'Confirm' }).click()
  await see(page.getByRole('rowheader', { name: /Fulton Avenue/ }))
  await page.getByRole('link', { name: 'Emission', exact: true }).click()
  await see(page.getByText(/^\d+ suggested$/))
  expect(await warning(page).count()).toBe(0)

  // What a reload interrupted is asked about once, and can be restored.
  await button(page, 'Edit').click()
  await cell(page, 'Propane at Fulton Avenue').check()
  const bar = page.getByText(/^\d+ assignment changes$/)
  const words = (await bar.textContent()) ?? ''
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
  await see(warning(page).getByText(WARNED))
  await warning(page).getByRole('button', { name: 'Cancel' }).click()
  await see(changes(page, words))
  expect(await cell(page, 'Propane at Fulton Avenue').isChecked()).toBe(true)

  await page.getByRole('button', { name: /Propane at Fulton Avenue$/ }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Data owner' }).click()
  await page.getByRole('option', { name: 'Priya Raman' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await see(page.getByRole('button', { name: 'Priya Raman, Propane at Fulton Avenue' }))
  await page.keyboard.press('Control+s')
  await see(notice(page, 'Assignments saved'))
  await miss(bar)

  // The stored changes are discarded for good.
  await cell(page, 'Propane at Fulton Avenue').uncheck()
  await see(changes(page, '1 assignment change'))
  await page.getByRole('link', { name: 'Start', exact: true }).click()
  await warning(page).getByRole('button', { name: 'Confirm' }).click()
  await see(field(page, 'Name'))
  await page.getByRole('link', { name: 'Emission', exact: true }).click()
  await see(cell(page, 'Propane at Fulton Avenue'))
  expect(await cell(page, 'Propane at Fulton Avenue').isChecked()).toBe(true)
  await page.reload()
  await see(page.getByRole('button', { name: 'Priya Raman, Propane at Fulton Avenue' }))
  expect(await warning(page).count()).toBe(0)
})

test('shows a missing factor in the list and at its cell, and a custom factor fixes it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/carbon/emission?inventory=3')
  const list = page.getByRole('region', { name: 'No published factor' })
  await see(
    list.getByText('Used oil, recycled: No published factor for US-CAMX'),
    list.getByText(/The library has a factor for GB/),
  )
  const oilCell = page.getByRole('cell').filter({ has: cell(page, 'Used oil, recycled at Service wing') })
  await see(oilCell.getByTitle('No published factor for US-CAMX'))
  await oilCell.getByRole('button').click()
  await see(page.getByRole('dialog').getByText('No published factor for US-CAMX'))
  await page
    .getByRole('dialog')
    .getByRole('link', { name: 'Add custom factor: Used oil, recycled, US-CAMX' })
    .click()
  await see(heading(page, 'Emission factors'))
  const form = drawer(page)
  expect(
    await form
      .getByLabel(/^Activity/)
      .first()
      .inputValue(),
  ).toBe('waste/closed-loop/mineral-oil')
  expect(await form.getByLabel(/^Unit/).first().inputValue()).toBe('short ton')
  expect(
    await form
      .getByLabel(/^Region/)
      .first()
      .inputValue(),
  ).toBe('US-CAMX')
  await form.getByLabel(/^Name/).first().fill('Oil collector')
  await form
    .getByLabel(/^Category/)
    .first()
    .fill('Waste > Oil')
  await form.getByRole('combobox', { name: 'Covers' }).click()
  await page.getByRole('option', { name: 'Waste treatment' }).click()
  await form
    .getByLabel(/^Valid from/)
    .first()
    .fill('2020-01-01')
  await form.getByLabel(/^kg per unit/).fill('21')
  await form.getByRole('combobox', { name: /^GWP set/ }).click()
  await page.getByRole('option', { name: 'AR5 GWPs' }).click()
  await form
    .getByLabel(/^Source/)
    .first()
    .fill('Letter of the collector')
  // What it changes is shown first: adding it confirms that.
  await see(form.getByText(/^Adding it changes \d+ records?$/))
  await form.getByRole('button', { name: 'Add factor', exact: true }).click()
  await see(notice(page, 'Emission factor added'))
  await page.goto('/carbon/emission?inventory=3')
  await see(cell(page, 'Used oil, recycled at Service wing'))
  await miss(list.getByText(/^Used oil/))
  expect(await oilCell.getByTitle(/No published factor/).count()).toBe(0)
})

test('a locked inventory is read-only, and a new one can be added', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/carbon/emission?inventory=2')
  await see(page.getByText(/This inventory is locked/))
  expect(await cell(page, 'Electricity at Auburn Boulevard').isDisabled()).toBe(true)
  await page.goto('/carbon')
  await button(page, 'Add inventory').click()
  await see(heading(page, 'New inventory'))
  await field(page, 'Name').fill('Equity view')
  await page.getByRole('combobox', { name: 'Consolidation approach' }).click()
  await page.getByRole('option', { name: 'Equity share' }).click()
  await button(page, 'Add inventory').click()
  await see(notice(page, 'Inventory added'), heading(page, 'Equity view'))
})

test(
  'shows only steps whose function the user has operation 3 on, and redirects links to the others',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.auditor')
    for (const step of ['start', 'facility', 'emission']) {
      await page.goto(`/carbon/${step}?inventory=3`)
      await page.waitForURL(/\/carbon\/insights\?inventory=3$/)
    }
    await see(page.getByText('Total, location-based', { exact: true }))
    expect(await page.getByRole('link', { name: 'Emission', exact: true }).count()).toBe(0)
  },
)
