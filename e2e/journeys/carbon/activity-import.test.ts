// @module-tag release
import { expect, test } from 'vitest'
import { addYear } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

/** Twelve bills; the quantity of May has a letter O in place of a zero. */
const BILLS = `Service from,Service to,Usage (therm),Calorific value,Invoice no.
${Array.from({ length: 12 }, (_, month) => {
  const last = new Date(Date.UTC(2025, month + 1, 0)).getUTCDate()
  const quantity = month === 4 ? '1O00' : '"1,000.5"'
  return `${month + 1}/1/2025,${month + 1}/${last}/2025,${quantity},gross,G-${month + 1}`
}).join('\n')}
`
const file = { name: 'gas 2025.csv', mimeType: 'text/csv', buffer: Buffer.from(BILLS) }

test('imports gas bills from a file, rejects the invalid one, and undoes the import', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id, gas } = await addYear(page)
  await page.goto(`/carbon/emission?inventory=${id}&tab=activity&source=${gas}`)
  await button(page, 'Import').click()
  await drawer(page).locator('input[type=file]').setInputFiles(file)
  await see(drawer(page).getByText('12 lines: 11 valid, 1 rejected.'))
  const wrong = drawer(page).getByRole('row', { name: /^6 Rejected/ })
  await see(wrong.getByText('"1O00" isn\'t a number.'))

  await button(page, 'Import 11 records').click()
  await see(drawer(page).getByText(/^11 records imported\./))
  const download = page.waitForEvent('download')
  await button(page, 'Download 1 rejected line').click()
  expect((await download).suggestedFilename()).toBe('gas 2025 rejected.csv')

  // The same file again: its records aren't imported twice, and its mapping is remembered.
  await drawer(page).locator('input[type=file]').setInputFiles(file)
  await see(
    drawer(page).getByText('12 lines: 0 valid, 11 already imported, 1 rejected.'),
    drawer(page).getByText('Using the column mapping of your last file with these columns.'),
  )
  await button(page, 'Close').click()
  await see(
    page.getByRole('gridcell', { name: '12/31/2025' }),
    page.getByRole('button', { name: 'Submit 11 records' }),
  )

  await button(page, 'Import').click()
  await button(page, 'Undo 11 records').click()
  await see(drawer(page).getByText(/^Undone/))
  await button(page, 'Close').click()
  await see(page.getByRole('button', { name: 'Submit 0 records' }))
})
