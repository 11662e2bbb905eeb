// @module-tag release
import { expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { addYear, callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('a bill is put to its record, seen in the grid, opened and taken away, and the review says what has none', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id, power } = await addYear(page)
  const { rows } = await callAs(page, activities.save, {
    inventoryId: id,
    rows: ['2025-01', '2025-02'].map((month) => ({
      key: month,
      record: {
        sourceId: power,
        quantity: '1200',
        unit: 'kWh',
        periodStart: `${month}-01`,
        periodEnd: `${month}-28`,
      },
    })),
  })
  await page.goto(`/carbon/emission?inventory=${id}&tab=activity&source=${power}`)
  const files = page.getByRole('region', { name: 'Evidence' })
  await see(
    files.getByText('No file proves this record yet.'),
    page.getByRole('gridcell', { name: 'None' }).first(),
  )
  await files.locator('input[type=file]').setInputFiles([
    { name: 'bill of January.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 a bill') },
    { name: 'meter.png', mimeType: 'image/png', buffer: Buffer.from('89504e470d0a1a0a00', 'hex') },
  ])
  await see(page.getByRole('gridcell', { name: '2 files' }), files.getByText('meter.png'))
  const download = page.waitForEvent('download')
  await files.getByRole('button', { name: 'bill of January.pdf', exact: true }).click()
  expect((await download).suggestedFilename()).toBe('bill of January.pdf')
  await button(page, 'Remove meter.png').click()
  await see(page.getByRole('gridcell', { name: '1 file' }))
  await page
    .getByRole('status')
    .filter({ hasText: 'is taken away' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await see(page.getByRole('gridcell', { name: '2 files' }))
  // By the key as well, from the table that is written in.
  await button(page, 'Remove meter.png').click()
  // The key does what the notice offers.
  const notice = page.getByRole('status').filter({ hasText: 'is taken away' })
  await see(page.getByRole('gridcell', { name: '1 file' }), notice.getByRole('button', { name: 'Undo' }))
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+z')
  await see(page.getByRole('gridcell', { name: '2 files' }))

  // What is no evidence says so and changes nothing.
  await files
    .locator('input[type=file]')
    .setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<html><p>Hello') })
  await see(files.getByRole('alert').getByText(/page\.html is no evidence/))

  await callAs(page, activities.submit, {
    inventoryId: id,
    records: rows.flatMap(({ record }) => (record ? [{ id: record.id, version: record.version }] : [])),
  })
  await page.goto(`/carbon/emission?inventory=${id}&tab=review`)
  await see(page.getByText('No evidence'), page.getByText('2 files'))
})
