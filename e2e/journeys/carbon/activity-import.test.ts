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

  await drawer(page).getByRole('checkbox', { name: 'Yes, this is right' }).check()
  await button(page, 'Import 11 records').click()
  await see(drawer(page).getByText(/^11 records imported\./))
  const download = page.waitForEvent('download')
  await button(page, 'Download 1 line not imported').click()
  expect((await download).suggestedFilename()).toBe('gas 2025 not imported.csv')

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
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
  await see(drawer(page).getByText(/^Undone/))
  await button(page, 'Close').click()
  await see(page.getByRole('button', { name: 'Submit 0 records' }))
})

/** Every quantity has a point and three digits, one unit isn't known, and the last day of a bill is the first of the next. */
const UNCLEAR = `From;To;Usage;Usage Units
2025-01-01;2025-02-01;1.150;therms
2025-02-01;2025-03-01;1.075;therms
2025-03-01;2025-04-01;1.020;MBtu
Total;;3.245;
`
const unclear = { name: 'gas unclear.csv', mimeType: 'text/csv', buffer: Buffer.from(UNCLEAR) }

test('asks once about what a file leaves open, and shows what it would import', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id, gas } = await addYear(page, { boundary: 'equity' })
  await page.goto(`/carbon/emission?inventory=${id}&tab=activity&source=${gas}`)
  await button(page, 'Import').click()
  await drawer(page).locator('input[type=file]').setInputFiles(unclear)
  const questions = drawer(page).getByRole('region', { name: 'Questions about the file' })
  await see(
    questions.getByText('How much is “1.150”?'),
    questions.getByText(/Which bill does that day belong to/),
  )
  await questions.getByRole('radio', { name: '1,150', exact: true }).check()
  await see(drawer(page).getByText('4 lines: 2 valid, 1 left out, 1 waiting for an answer.'))
  await questions.getByRole('combobox', { name: /Which unit is “MBtu”/ }).click()
  await page.getByRole('option', { name: /^mmBtu/ }).click()
  await see(
    drawer(page).getByText('4 lines: 3 valid, 1 left out.'),
    drawer(page).getByText(/^2,225 therm \+ 1,020 mmBtu: [\d,.]+ kg CO2e$/),
    drawer(page).getByRole('row', { name: /1,150 therm [\d,.]+ kg CO2e/ }),
  )
  const layout = drawer(page).getByRole('region', { name: 'Layout of the file' })
  await see(layout.getByText('“Usage Units”'), layout.getByText(/^Line 2, .*: 1,150 therm$/))
  expect(await button(page, 'Import 3 records').getAttribute('aria-disabled')).toBe('true')
  await layout.getByRole('checkbox', { name: 'Yes, this is right' }).check()
  await button(page, 'Import 3 records').click()
  await see(drawer(page).getByText(/^3 records imported\./))
  expect(await drawer(page).getByText('3 valid').count()).toBe(1)
})

const METER = `Read date,Meter reading (therm),Remark
02/03/2024,98000,first
02/04/2024,99950,
02/05/2024,120,new meter
`

test('asks which order the dates have and what happened to a meter, and shows the use before the import', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id, gas } = await addYear(page, { year: 2024 })
  await page.goto(`/carbon/emission?inventory=${id}&tab=activity&source=${gas}`)
  await button(page, 'Import').click()
  await drawer(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'meter.csv', mimeType: 'text/csv', buffer: Buffer.from(METER) })
  const questions = drawer(page).getByRole('region', { name: 'Questions about the file' })
  await questions.getByLabel('Mar 2, 2024: the day is first').check()
  await questions.getByLabel('The meter was replaced').check()
  await questions.getByLabel('Last reading of the old meter').fill('99,990')
  await questions.getByLabel('First reading of the new meter').fill('5')
  await button(page, 'Use these readings').click()
  await see(drawer(page).getByRole('row', { name: /^4 Ready to import.*155 therm/ }))
  await see(drawer(page).getByText('first; new meter'))
  await drawer(page).getByRole('checkbox', { name: 'Yes, this is right' }).check()
  await button(page, 'Import 2 records').click()
  await see(drawer(page).getByText(/^2 records imported\./))
  const download = page.waitForEvent('download')
  await button(page, 'All lines of meter.csv').click()
  expect((await download).suggestedFilename()).toBe('meter lines.csv')
})
