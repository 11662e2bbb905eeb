import { expect, test } from 'vitest'
import { stage } from './stage.ts'
import { button, field, heading, miss, see, signIn } from './steps.ts'

const { page: newPage } = stage()

const FEED = `Stock number,VIN,Year,Make,Model,Price,Stock Type
A1,1FTFW1E50PFA00001,2023,FORD,F-150,"$45,000",new
A2,1FTFW1E50PFA00002,2022,FORD,F-150,Please Call,used
,,2022,FORD,F-150,1,used
`

test('an administrator drops a sample, sees what becomes of it, saves, changes it and goes back', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/provider-mappings')
  await see(heading(page, 'Provider mappings'), page.getByRole('link', { name: 'HomeNet nightly' }))
  await button(page, 'Add mapping').first().click()
  await see(heading(page, 'New provider mapping'))
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'feed.csv', mimeType: 'text/csv', buffer: Buffer.from(FEED) })
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

  await button(page, 'Leave Price empty').click()
  await page.keyboard.press('Control+s')
  await see(page.getByText(/^Version 2,/))
  await button(page, 'Versions').click()
  await page.getByRole('menuitem', { name: /^Restore 1:/ }).click()
  await see(page.getByText(/^Version 3,/))
  expect(await page.getByLabel('Where Price comes from').inputValue()).toBe('Column')

  await button(page, 'Delete').click()
  await page
    .getByRole('dialog', { name: 'Delete Nightly of our site?' })
    .getByRole('button', { name: 'Delete mapping' })
    .click()
  await see(heading(page, 'Provider mappings'))
  await miss(page.getByRole('link', { name: 'Nightly of our site' }))
})
