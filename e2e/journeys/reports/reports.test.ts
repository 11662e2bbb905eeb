// @module-tag release
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { heading, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const reportButton = (page: Page, format: string) =>
  page.getByRole('button', { name: `User access review as ${format}` })

/** Clicks a download button, and reads the file. */
async function take(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  const coming = page.waitForEvent('download')
  await reportButton(page, format).click()
  const file = await coming
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

test('an administrator downloads the user access review in both formats', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/dashboard')
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
