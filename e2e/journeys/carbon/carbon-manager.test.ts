// @module-tag release
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { addYear, callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('whoever belongs to two organizations sees their sum, by year and boundary, and what is not in it', async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } })
  await signIn(page, 'northgate.sustain', 'Northgate Ford')
  await page.goto('/carbon')
  await button(page, 'Group').click()
  await see(heading(page, 'Group'), page.getByRole('region', { name: 'In the sum', exact: true }))
  await see(page.getByText('Total, location-based'), page.getByText('Total, market-based'))
  await button(page, 'Equity share').click()
  await page.waitForURL(/boundary=equity/)
  await see(page.getByText('Nothing is summed'), page.getByText('Other boundary').first())
  await see(
    page.getByRole('heading', { name: 'Not in the sum' }),
    page.getByText(/^Northgate Toyota/).first(),
  )
  expect(await page.getByRole('region', { name: 'In the sum', exact: true }).count()).toBe(0)
})

test('a workbook of totals is read sheet by sheet into the table, and imported', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id } = await addYear(page, { year: 2041 })
  const all = await callAs(page, carbonAssignments.facilities, { inventory: id })
  const place = all.find(({ choice }) => choice === 'included')?.name ?? ''
  const book = await writeXlsx({
    sheets: [
      { name: 'About', rows: [['Report of the group']] },
      {
        name: 'Totals',
        rows: [
          ['Facility', 'Source', 't CO2e'],
          [place, 'Natural gas', 36.125],
        ],
      },
    ],
  })
  await page.goto(`/carbon/emission?inventory=${id}&tab=imported`)
  await see(button(page, 'Upload XLSX or CSV'))
  await page.locator('input[type=file]').setInputFiles({
    name: 'totals.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: Buffer.from(book),
  })
  await page.getByRole('combobox', { name: 'Sheet' }).click()
  await page.getByRole('option', { name: /^Totals/ }).click()
  await see(page.getByText('1 total to import'), page.getByRole('gridcell', { name: '36.125' }))
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+s')
  await see(page.getByRole('rowheader', { name: new RegExp(place) }))
  expect(await page.getByText('No totals are imported.').count()).toBe(0)
})

test('what is far from the year before is told with both figures, and returned beside it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const former = await addYear(page, { year: 2042, yearRule: 'latest' })
  const later = await addYear(page, { year: 2043, yearRule: 'latest' })
  const bill = (sourceId: string, quantity: string, year: number, month: string) => ({
    key: month,
    record: {
      sourceId,
      quantity,
      unit: 'therm',
      calorificBasis: 'gross' as const,
      periodStart: `${year}-${month}-01`,
      periodEnd: `${year}-${month}-28`,
    },
  })
  await callAs(page, activities.save, {
    inventoryId: former.id,
    rows: [bill(former.gas, '100', 2042, '01'), bill(former.gas, '100', 2042, '02')],
  })
  const { rows } = await callAs(page, activities.save, {
    inventoryId: later.id,
    rows: [bill(later.gas, '450', 2043, '01'), bill(later.gas, '100', 2043, '02')],
  })
  const records = rows.map(({ record }) => ({ id: record?.id ?? '', version: 1 }))
  await callAs(page, activities.submit, { inventoryId: later.id, records })
  // The insights say so, and lead to just these rows.
  await page.goto(`/carbon/insights?inventory=${later.id}`)
  await page.getByRole('link', { name: '1 row in review wants a look' }).click()
  await page.waitForURL(/show=unusual/)
  await see(page.getByRole('checkbox', { name: 'All 1', exact: true }))
  await see(
    page.getByText('450 therm in 2043-01, 100 therm a year before: 4.5 times as much.'),
    page.getByRole('link', { name: 'Open last year' }).first(),
  )
  await page.getByRole('button', { name: /^Return: Natural gas/ }).click()
  await page.getByRole('dialog').getByLabel('What is wrong').fill('Is this the bill of the year?')
  await page.getByRole('dialog').getByRole('button', { name: 'Return records' }).click()
  await see(page.getByText(/1 record done/))
  await miss(page.getByText('4.5 times as much'))
  await see(page.getByText('Nothing that waits wants a look.'))
  await button(page, 'All that wait').click()
  await see(page.getByRole('checkbox', { name: 'All 1', exact: true }))
  expect(page.url()).not.toContain('show=')
})
