import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { reports } from '#contract/reports/reports.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const exporter = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Export' }).first()

/** Chooses a format, and reads the file that comes. */
async function take(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: format }).click()
  const file = await coming
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

/** The lines of a plain table; no cell of these has quotes or commas in it. */
const linesOf = (bytes: Buffer) =>
  bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replaceAll('"', '')
    .trim()
    .split(/\r?\n/)

test('a list is taken away exactly as it is shown: its columns in their order, its rows in theirs', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const filter = encodeURIComponent('type != "service"')
  await page.goto(`/customers/lots?columns=name,type,code&sort=-code&filter=${filter}`)
  await see(page.getByText('4 of 5 lots', { exact: true }))
  await exporter(page).click()
  await see(page.getByText('4 lots, 3 columns, as shown'))
  const { name, bytes } = await take(page, 'Plain table')
  expect(name).toMatch(/^lots-\d{4}-\d\d-\d\d\.csv$/)
  const [head, ...rows] = linesOf(bytes)
  expect(head).toBe('Lot,Type,Code')
  expect(rows.map((row) => row.split(',').at(-1))).toEqual(['NGX', 'NGT', 'NGP', 'NGF'])
  await see(page.getByRole('alert').filter({ hasText: 'File saved' }))
})

test('chosen rows are taken away as a workbook', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/lots')
  await page.getByRole('checkbox', { name: 'Choose Northgate Ford' }).check()
  await page.getByRole('checkbox', { name: 'Choose Fulton overflow' }).check()
  await page.getByRole('group', { name: 'Chosen rows' }).getByRole('button', { name: 'Export' }).click()
  await see(page.getByText(/^2 lots, \d columns, as shown$/))
  const sent = page.waitForRequest(`**${reports.exportList.path}`)
  const { name, bytes } = await take(page, 'Excel workbook')
  expect(name).toMatch(/^lots-\d{4}-\d\d-\d\d\.xlsx$/)
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  expect((await sent).postDataJSON()).toMatchObject({ list: 'lots', format: 'xlsx' })
})

test('what is too much for one answer becomes a job, whose file waits to be taken', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/vehicle-data')
  await see(page.getByText('620 of 620 vehicles'))
  // As if more rows had come since they were counted.
  const refusal = { status: false, data: null, message: 'These are more than 10,000 rows.' }
  await page.route(`**${reports.exportList.path}`, (route) =>
    route.fulfill({ status: 409, contentType: 'application/json', body: JSON.stringify(refusal) }),
  )
  await exporter(page).click()
  await page.getByRole('menuitem', { name: 'Plain table' }).click()
  const ready = page.getByRole('region', { name: 'Work in the background' })
  await see(ready.getByRole('button', { name: 'Download' }))
  const coming = page.waitForEvent('download')
  await ready.getByRole('button', { name: 'Download' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/^vehicle[a-z-]*-\d{4}-\d\d-\d\d\.csv$/)
  expect(linesOf(await readFile(await file.path()))).toHaveLength(621)

  await page.goto('/jobs')
  await see(heading(page, 'Jobs'), page.getByText(/^vehicle.*\.csv, kept until /))
  const again = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download: / }).click()
  expect((await again).suggestedFilename()).toMatch(/\.csv$/)
})

test('an export that fails says so in the words of the server', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/lots')
  await see(page.getByText('5 of 5 lots'))
  await page.route(`**${reports.exportList.path}`, (route) => route.abort())
  await exporter(page).click()
  await page.getByRole('menuitem', { name: 'Plain table' }).click()
  const dialog = page.getByRole('dialog', { name: 'Error' })
  await see(dialog.getByText(/^Forecourt cannot be reached/))
  await button(page, 'Close').click()
  expect(await page.getByRole('region', { name: 'Work in the background' }).count()).toBe(0)
})
