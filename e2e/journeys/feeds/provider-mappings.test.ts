// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const FEED = `Stock number,VIN,Year,Make,Model,Price,Stock Type
A1,1FTFW1E50PFA00001,2023,FORD,F-150,"$45,000",new
A2,1FTFW1E50PFA00002,2022,FORD,F-150,Please Call,used
,,2022,FORD,F-150,1,used
`

const PRICES = `VIN,Special
1FTFW1E50PFA00001,44000
1FTFW1E50PFA00002,39000
`

async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, name).click()])
  await chooser.setFiles({ name: 'feed.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/** Chooses an option of a combobox. */
async function pick(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('creates a mapping from a sample, previews it, saves, changes and restores it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/provider-mappings')
  await see(heading(page, 'Provider mappings'), page.getByRole('link', { name: 'HomeNet nightly' }))
  await button(page, 'Add mapping').first().click()
  await see(heading(page, 'New provider mapping'))
  await chooseFile(page, 'Choose file', FEED)
  await see(
    page.getByText('2 of 3 rows were valid vehicles in the last check.'),
    page.getByText('1 rejected: No VIN or stock number.'),
    page.getByText("Price: \u201cPlease Call\u201d isn't a price. Left blank."),
    page.getByRole('heading', { name: '2023 Ford F-150' }),
  )
  await field(page, 'Name').fill('Nightly of our site')
  await button(page, 'Save changes').click()
  await page.waitForURL(/provider-mappings\/\d+$/)
  await see(heading(page, 'Nightly of our site'), page.getByText(/^Version 1,/))

  await pick(page, 'Source of Price', 'Not mapped')
  await page.keyboard.press('Control+s')
  await see(page.getByText(/^Version 2,/))
  await button(page, 'Versions').click()
  await page.getByRole('menuitem', { name: /^Restore version 1:/ }).click()
  await see(page.getByText(/^Version 3,/))
  expect(await page.getByRole('combobox', { name: 'Source of Price', exact: true }).inputValue()).toBe(
    'Column',
  )

  await button(page, 'Delete').click()
  await page
    .getByRole('dialog', { name: 'Delete Nightly of our site?' })
    .getByRole('button', { name: 'Delete mapping' })
    .click()
  await see(heading(page, 'Provider mappings'))
  await miss(page.getByRole('link', { name: 'Nightly of our site' }))
})

test('applies and saves file settings, a second file and a skip rule', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/provider-mappings/new')
  await chooseFile(page, 'Choose file', FEED.split('\n').slice(1).join('\n'))
  await field(page, 'Name').fill('Two files, no names')
  await page.getByText('File format: auto-detect').click()
  await pick(page, 'First line', 'First vehicle')
  await see(page.getByText(/^The file settings changed after the sample was read/))
  await button(page, 'Match again').click()
  await see(page.getByRole('rowheader', { name: /^Column 7/ }), page.getByText('File format: no header'))
  await miss(page.getByText(/^The file settings changed after the sample was read/))

  await page.getByText('Second file: none').click()
  await chooseFile(page, 'Choose second file', PRICES)
  await see(
    page.getByText('Second file: joined by Column 2'),
    page.getByRole('rowheader', { name: /^Special/ }),
    page.getByText('44,000.00').first(),
  )
  expect(await page.getByRole('combobox', { name: 'Matching column in the second file' }).inputValue()).toBe(
    'VIN',
  )

  await page.getByText('Skipped rows: none').click()
  await button(page, 'Add skip rule').click()
  await button(page, 'Save changes').click()
  await see(page.getByText('Enter a rule.'))
  await field(page, 'Skip rows where').fill('column_7 == "used"')
  await field(page, 'Reason').fill('We list new vehicles only.')
  await see(page.getByText('We list new vehicles only.').first())
  await button(page, 'Save changes').click()
  await see(heading(page, 'Two files, no names'), page.getByText(/^Version 1,/))
  await page.reload()
  await see(
    page.getByText('File format: no header'),
    page.getByText('Second file: joined by Column 2'),
    page.getByText('Skipped rows: column_7 == "used"'),
  )
})
