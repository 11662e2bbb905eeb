// @module-tag release
import { expect, test } from 'vitest'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { findA11yViolations } from '#e2e/harness/find-a11y-violations.ts'
import { stage } from '#e2e/harness/stage.ts'
import { miss, see, sideways, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const FILTER = 'status == "live" && make == "Lincoln" && model == "Nautilus" && price > 0'

test('prices of selected vehicles are lowered with the keyboard alone, with the effect before, and undone', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.goto(`/inventory/vehicle-data?sort=stock&filter=${encodeURIComponent(FILTER)}`)
  const boxes = page.getByRole('checkbox', { name: /^Select \d+ Lincoln/ })
  await see(boxes.first())
  const prices = async () =>
    (await callAs(page, vehicles.list, { filter: FILTER, sort: 'stock' })).results
      .slice(0, 2)
      .map(({ priceCents }) => priceCents)
  const before = await prices()
  await boxes.first().press('Space')
  await boxes.nth(1).press('Space')
  const verb = page
    .getByRole('group', { name: 'Selected rows' })
    .getByRole('button', { name: 'Price', exact: true })
  await verb.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change prices' })
  const action = dialog.getByRole('combobox', { name: 'Change' })
  await expect.poll(() => action.evaluate((at) => at === document.activeElement)).toBe(true)
  await expect.poll(() => action.inputValue()).toBe('Lower by')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  // The last of the endings.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => dialog.getByRole('combobox', { name: 'Round to' }).inputValue())
    .toMatch(/^Ending in 99/)
  const effect = dialog.getByRole('region', { name: 'Effect' })
  await see(effect.getByText('2 of 2 vehicles'), effect.getByText('All lower'))
  expect(await findA11yViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await see(effect.getByText('2 of 2 vehicles'))
  expect(await sideways(page)).toEqual([0, 0])
  expect(await dialog.evaluate((at) => at.scrollWidth - at.clientWidth)).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1152, height: 800 })
  await dialog.getByRole('button', { name: 'Change 2 prices' }).press('Enter')
  const offer = page.getByText(/^Lower the price of 2 vehicles by 2%.*: done$/)
  await see(offer)
  await offer.hover()
  await miss(dialog)
  const after = await prices()
  expect(
    after.every((cents, at) => (cents ?? 0) < (before[at] ?? 0) && (cents ?? 0) % 10_000 === 9_900),
  ).toBe(true)
  await page.keyboard.press('Control+z')
  await expect.poll(prices).toEqual(before)
})
