// @module-tag release
import { expect, test } from 'vitest'
import { activities } from '#contract/carbon/activity/activity.ts'
import { addYear, callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('attaches evidence to a record, shows it in the grid, opens and removes it, and flags records without it', async () => {
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
  await see(files.getByText('No evidence files yet.'), page.getByRole('gridcell', { name: 'None' }).first())
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
    .filter({ hasText: 'meter.png removed' })
    .getByRole('button', { name: 'Undo' })
    .click()
  await see(page.getByRole('gridcell', { name: '2 files' }))
  // Ctrl+Z in the grid does the same as the Undo button.
  await button(page, 'Remove meter.png').click()
  const notice = page.getByRole('status').filter({ hasText: 'meter.png removed' })
  await see(page.getByRole('gridcell', { name: '1 file' }), notice.getByRole('button', { name: 'Undo' }))
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+z')
  await see(page.getByRole('gridcell', { name: '2 files' }))

  // A file type that isn't accepted as evidence is rejected.
  await files
    .locator('input[type=file]')
    .setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<html><p>Hello') })
  await see(files.getByRole('alert').getByText(/page\.html can't be used as evidence/))

  await callAs(page, activities.submit, {
    inventoryId: id,
    records: rows.flatMap(({ record }) => (record ? [{ id: record.id, version: record.version }] : [])),
  })
  await page.goto(`/carbon/emission?inventory=${id}&tab=review`)
  await see(page.getByText('No evidence'), page.getByText('2 files'))
})
