// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { field, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('what was typed into a rule stays while the window becomes narrow and wide again', async () => {
  const page = await newPage()
  await page.setViewportSize({ width: 1400, height: 900 })
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/pricing-rules?rule=new')
  await see(page.getByRole('region', { name: 'New rule' }))
  await field(page, 'Name').fill('Winter discount')

  await page.setViewportSize({ width: 1000, height: 900 })
  const drawer = page.getByRole('dialog', { name: 'New rule' })
  await see(drawer)
  expect(await field(page, 'Name').inputValue()).toBe('Winter discount')

  await page.setViewportSize({ width: 1400, height: 900 })
  await expect.poll(() => drawer.isVisible()).toBe(false)
  expect(await field(page, 'Name').inputValue()).toBe('Winter discount')
})
