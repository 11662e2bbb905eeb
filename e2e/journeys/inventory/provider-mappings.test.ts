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

async function give(page: Page, name: string, text: string): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, name).click()])
  await chooser.setFiles({ name: 'feed.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
}

/** Chooses from a list that opens under its field. */
async function pick(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('an administrator drops a sample, sees what becomes of it, saves, changes it and goes back', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/provider-mappings')
  await see(heading(page, 'Provider mappings'), page.getByRole('link', { name: 'HomeNet nightly' }))
  await button(page, 'Add mapping').first().click()
  await see(heading(page, 'New provider mapping'))
  await give(page, 'Choose a file', FEED)
  await see(
    page.getByText('2 of 3 rows became vehicles when the sample was last checked.'),
    page.getByText('1 refused: Neither a VIN nor a stock number.'),
    page.getByText('Price: \u201cPlease Call\u201d is no price: it stays empty.'),
    page.getByRole('heading', { name: '2023 Ford F-150' }),
  )
  await field(page, 'Name').fill('Nightly of our site')
  await button(page, 'Save changes').click()
  await page.waitForURL(/provider-mappings\/\d+$/)
  await see(heading(page, 'Nightly of our site'), page.getByText(/^Version 1,/))

  await pick(page, 'Where Price comes from', 'Not filled')
  await page.keyboard.press('Control+s')
  await see(page.getByText(/^Version 2,/))
  await button(page, 'Versions').click()
  await page.getByRole('menuitem', { name: /^Restore 1:/ }).click()
  await see(page.getByText(/^Version 3,/))
  expect(await page.getByRole('combobox', { name: 'Where Price comes from', exact: true }).inputValue()).toBe(
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

test('what is said of the files, of a second one and of rows to leave out counts at once and is kept', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/provider-mappings/new')
  await give(page, 'Choose a file', FEED.split('\n').slice(1).join('\n'))
  await field(page, 'Name').fill('Two files, no names')
  await page.getByText('The file: found out').click()
  await pick(page, 'First line', 'Is a vehicle already')
  await see(page.getByText(/^The sample was read before this was said/))
  await button(page, 'Match again').click()
  await see(page.getByRole('rowheader', { name: /^Column 7/ }), page.getByText('The file: no line of names'))
  await miss(page.getByText(/^The sample was read before this was said/))

  await page.getByText('A second file: none').click()
  await give(page, 'Choose the second file', PRICES)
  await see(
    page.getByText('A second file: joined by Column 2'),
    page.getByRole('rowheader', { name: /^Special/ }),
    page.getByText('44,000.00').first(),
  )
  expect(await page.getByRole('combobox', { name: 'Same in the second file' }).inputValue()).toBe('VIN')

  await page.getByText('Rows left out: none').click()
  await button(page, 'Leave rows out').click()
  await button(page, 'Save changes').click()
  await see(page.getByText('Write a rule.'))
  await field(page, 'Leave out rows where').fill('column_7 == "used"')
  await field(page, 'Reason').fill('We list new ones alone.')
  await see(page.getByText('We list new ones alone.').first())
  await button(page, 'Save changes').click()
  await see(heading(page, 'Two files, no names'), page.getByText(/^Version 1,/))
  await page.reload()
  await see(
    page.getByText('The file: no line of names'),
    page.getByText('A second file: joined by Column 2'),
    page.getByText('Rows left out: column_7 == "used"'),
  )
})
