import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const exporter = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Export' }).first()

/** Chooses a format, and reads the downloaded file. */
async function take(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: format }).click()
  const file = await coming
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

/** The rows of a simple CSV without quotes or commas in cells. */
const linesOf = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('"', '')
    .trim()
    .split(/\r?\n/)

test('a list is exported exactly as shown, with its columns and rows in order', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const filter = encodeURIComponent('type != "service"')
  await page.goto(`/customers/lots?columns=name,type,code&sort=-code&filter=${filter}`)
  await see(page.getByText('4 of 5 lots', { exact: true }))
  await exporter(page).click()
  await see(page.getByText('4 lots, 3 columns, as shown'))
  const { name, bytes } = await take(page, 'CSV file')
  expect(name).toMatch(/^lots-\d{4}-\d\d-\d\d\.csv$/)
  const [head, ...rows] = linesOf(bytes)
  expect(head).toBe('Lot,Type,Code')
  expect(rows.map((row) => row.split(',').at(-1))).toEqual(['NGX', 'NGT', 'NGP', 'NGF'])
  await see(page.getByRole('alert').filter({ hasText: 'File saved' }))
})

test('selected rows are exported as a workbook', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/lots')
  await page.getByRole('checkbox', { name: 'Select Northgate Ford' }).check()
  await page.getByRole('checkbox', { name: 'Select Fulton overflow' }).check()
  await page.getByRole('group', { name: 'Selected rows' }).getByRole('button', { name: 'Export' }).click()
  await see(page.getByText(/^2 lots, \d columns, as shown$/))
  const sent = page.waitForRequest(`**${reports.exportList.path}`)
  const { name, bytes } = await take(page, 'Excel workbook')
  expect(name).toMatch(/^lots-\d{4}-\d\d-\d\d\.xlsx$/)
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  expect((await sent).postDataJSON()).toMatchObject({ list: 'lots', format: 'xlsx' })
})

test('a large export runs as a job with a file to download', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/vehicle-data')
  await see(page.getByText('620 of 620 vehicles'))
  // As if rows had been added since they were counted.
  const refusal = { status: false, data: null, message: 'These are more than 10,000 rows.' }
  await page.route(`**${reports.exportList.path}`, (route) =>
    route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify(refusal) }),
  )
  await exporter(page).click()
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  const ready = page.getByRole('region', { name: 'Background tasks' })
  await see(ready.getByRole('button', { name: 'Download' }))
  const coming = page.waitForEvent('download')
  await ready.getByRole('button', { name: 'Download' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^vehicle[a-z-]*-\d{4}-\d\d-\d\d\.csv$/)
  expect(linesOf(await readFile(await file.path()))).toHaveLength(621)

  await page.goto('/jobs')
  await see(heading(page, 'Jobs'), page.getByText(/^vehicle.*\.csv, available until /))
  const again = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download: / }).click()
  expect((await again).suggestedFilename()).toMatch(/\.csv$/)
})

test("a failed export shows the server's message", { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/lots')
  await see(page.getByText('5 of 5 lots'))
  await page.route(`**${reports.exportList.path}`, (route) => route.abort())
  await exporter(page).click()
  await page.getByRole('menuitem', { name: 'CSV file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Error' })
  await see(dialog.getByText(/^Can't reach Forecourt/))
  await button(page, 'Close').click()
  expect(await page.getByRole('region', { name: 'Background tasks' }).count()).toBe(0)
})
