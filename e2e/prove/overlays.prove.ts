import { expect, test } from 'vitest'
import { findFilterProblems, findOverlayProblems } from '#e2e/harness/check-overlays.ts'
import { stage } from '#e2e/harness/stage.ts'
import { signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('dark and mirrored, palette, shortcuts, customizer and user menu have no violations', async () => {
  const page = await newPage({ colorScheme: 'dark' })
  const look = { headerColor: 'ink', direction: 'rtl', isMenuCollapsed: true }
  expect(await findOverlayProblems(page, look)).toEqual([])
})

test('on a phone, dark and mirrored, the filter forms have no violations', async () => {
  const page = await newPage({ colorScheme: 'dark', viewport: { width: 390, height: 800 } })
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.evaluate(() => localStorage.setItem('appearance', '{"direction":"rtl"}'))
  expect(await findFilterProblems(page, { isPhone: true })).toEqual([])
})
