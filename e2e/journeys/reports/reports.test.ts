import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const reportButton = (page: Page, format: string) =>
  page.getByRole('button', { name: `User access review as ${format}` })

/** Presses a button that leads to a file, and reads the file. */
async function take(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download')
  await reportButton(page, format).click()
  const file = await coming
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test('an administrator takes the user access review away in both formats', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Reports' }).click()
  await see(heading(page, 'Reports'))
  const pdf = await take(page, 'PDF')
  expect(pdf.name).toMatch(/\.pdf$/)
  expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-')
  await see(page.getByRole('alert').filter({ hasText: 'File saved' }))
  const workbook = await take(page, 'Excel')
  expect(workbook.name).toMatch(/\.xlsx$/)
  // A workbook is a ZIP archive.
  expect(workbook.bytes.subarray(0, 2).toString()).toBe('PK')
})

test('who may not make a report reads why', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.goto('/administration/reports')
  for (const format of ['PDF', 'Excel']) {
    const action = reportButton(page, format)
    await see(action)
    expect(await action.getAttribute('aria-disabled')).toBe('true')
    expect(await action.getAttribute('aria-description')).toMatch(/Reports, export/)
  }
})

test('a report that cannot be made says so, and can be tried again', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/reports')
  await page.route('**/api/reports/user-access-review', (route) => route.abort())
  await reportButton(page, 'PDF').click()
  const dialog = page.getByRole('dialog', { name: 'Error' })
  await see(dialog.getByText(/^Forecourt cannot be reached/))
  await page.keyboard.press('Escape')
  await page.unroute('**/api/reports/user-access-review')
  expect((await take(page, 'PDF')).name).toMatch(/\.pdf$/)
})
