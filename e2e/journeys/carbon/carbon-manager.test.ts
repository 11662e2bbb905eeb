// @module-tag release
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { addYear, callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('a member of two organizations sees their total by year and boundary, and what it excludes', async () => {
  const page = await newPage({ viewport: { width: 390, height: 844 } })
  await signIn(page, 'northgate.sustain', 'Northgate Ford')
  await page.goto('/carbon')
  await button(page, 'Group').click()
  await see(heading(page, 'Group'), page.getByRole('region', { name: 'Included inventories', exact: true }))
  await see(page.getByText('Total, location-based'), page.getByText('Total, market-based'))
  await button(page, 'Equity share').click()
  await page.waitForURL(/boundary=equity/)
  await see(page.getByText('No total', { exact: true }), page.getByText('Other boundary').first())
  await see(page.getByRole('heading', { name: 'Not included' }), page.getByText(/^Northgate Toyota/).first())
  expect(await page.getByRole('region', { name: 'Included inventories', exact: true }).count()).toBe(0)
})

test('reads a sheet of a workbook into the table and imports its totals', async () => {
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
  expect(await page.getByText('No imported totals yet.').count()).toBe(0)
})

test('flags a value far from the prior year with both values, and returns it for changes', async () => {
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
  // The insights link to exactly these rows.
  await page.goto(`/carbon/insights?inventory=${later.id}`)
  await page.getByRole('link', { name: '1 flagged record in review' }).click()
  await page.waitForURL(/show=unusual/)
  await see(page.getByRole('checkbox', { name: 'All 1', exact: true }))
  await see(
    page.getByText('450 therm in 2043-01, 4.5 times the prior year (100 therm).'),
    page.getByRole('link', { name: 'Open last year' }).first(),
  )
  await page.getByRole('button', { name: /^Return: Natural gas/ }).click()
  await page.getByRole('dialog').getByLabel('What needs to change').fill('Is this the bill of the year?')
  await page.getByRole('dialog').getByRole('button', { name: 'Return records' }).click()
  await see(page.getByText(/1 record returned/))
  await miss(page.getByText('4.5 times the prior year'))
  await see(page.getByText('No flagged records.'))
  await button(page, 'All in review').click()
  await see(page.getByRole('checkbox', { name: 'All 1', exact: true }))
  expect(page.url()).not.toContain('show=')
})
