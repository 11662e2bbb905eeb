// @module-tag release
import { expect, test } from 'vitest'
import { addYear } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

/** Twelve bills, of which that of May has a letter in its quantity. */
const BILLS = `Service from,Service to,Usage (therm),Calorific value,Invoice no.
${Array.from({ length: 12 }, (_, month) => {
  const last = new Date(Date.UTC(2025, month + 1, 0)).getUTCDate()
  const quantity = month === 4 ? '1O00' : '"1,000.5"'
  return `${month + 1}/1/2025,${month + 1}/${last}/2025,${quantity},gross,G-${month + 1}`
}).join('\n')}
`
const file = { name: 'gas 2025.csv', mimeType: 'text/csv', buffer: Buffer.from(BILLS) }

test('twelve gas bills come in from a file but for the one that is wrong, and can be taken back', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id, gas } = await addYear(page)
  await page.goto(`/carbon/emission?inventory=${id}&tab=activity&source=${gas}`)
  await button(page, 'Import').click()
  await drawer(page).locator('input[type=file]').setInputFiles(file)
  await see(drawer(page).getByText('12 lines: 11 become records, 1 is refused.'))
  const wrong = drawer(page).getByRole('row', { name: /^6 Refused/ })
  await see(wrong.getByText('"1O00" is not a number.'))

  await button(page, 'Import 11 records').click()
  await see(drawer(page).getByText(/^11 records imported\./))
  const download = page.waitForEvent('download')
  await button(page, 'Download 1 refused line').click()
  expect((await download).suggestedFilename()).toBe('gas 2025 refused.csv')

  // The same file again: what is there is not brought in twice, and its columns are known.
  await drawer(page).locator('input[type=file]').setInputFiles(file)
  await see(
    drawer(page).getByText('12 lines: 0 become records, 11 are there already, 1 is refused.'),
    drawer(page).getByText('The columns are matched as in the last file of this form.'),
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
