// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, miss, see, signIn } from '#e2e/harness/steps.ts'
import { PICKUP } from '#e2e/pages/home/work.ts'

const { page: newPage } = stage()

/** A page of the administrator that is signed in, and the ID of the vehicle that it shows. */
async function openPickup(tab: string): Promise<{ page: Page; id: string }> {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto(`/inventory/vehicle-data?search=${PICKUP.stock}`)
  await see(page.getByRole('main').getByRole('link', { name: PICKUP.name }))
  const { results } = await callAs(page, vehicles.list, { search: PICKUP.stock })
  const id = results[0]?.id ?? ''
  await page.goto(`/inventory/vehicle-data/${id}?tab=${tab}`)
  return { page, id }
}

test('a special price that someone else set meanwhile is compared before it is replaced, and asked about before it ends', async () => {
  const { page, id } = await openPickup('price')
  const card = page.getByRole('region', { name: 'Only this car' })
  await field(page, 'Price').fill('23195')
  await field(page, 'Reason').fill('Mine')
  const set = { id, cents: 2_309_500, reason: 'Theirs', confirmPrices: true }
  const { special } = await callAs(page, vehiclePrices.setSpecial, set)
  await button(page, 'Set special price').click()
  const question = page.getByRole('dialog', { name: / changed the special price/ })
  await see(question.getByText('Changed by both: Price, Reason.'))
  await question.getByRole('button', { name: 'Close' }).click()
  await miss(question)
  expect(await field(page, 'Reason').inputValue()).toBe('Mine')
  await button(page, 'Set special price').click()
  await question.getByRole('button', { name: 'Overwrite' }).click()
  const unusual = page.getByRole('button', { name: 'Save prices' })
  await unusual.or(card.getByText('Mine')).first().waitFor()
  if (await unusual.isVisible()) await unusual.click()
  await see(card.getByText('Mine'), button(page, 'End special price'))

  const mine = (await callAs(page, vehiclePrices.get, { id })).special
  expect(mine?.version).not.toBe(special?.version)
  await callAs(page, vehiclePrices.setSpecial, { ...set, cents: 2_270_000, reason: 'Newer' })
  await button(page, 'End special price').click()
  const newer = page.getByRole('dialog', { name: 'End the newer special price?' })
  await see(newer.getByText('$22,700 meanwhile: Newer.', { exact: false }), card.getByText('Newer'))
  await newer.getByRole('button', { name: 'Keep it' }).click()
  await miss(newer)
  await button(page, 'End special price').click()
  await see(button(page, 'Set special price'))

  // Reload takes what was set meanwhile.
  await field(page, 'Reason').fill('Again')
  await callAs(page, vehiclePrices.setSpecial, set)
  await button(page, 'Set special price').click()
  await question.getByRole('button', { name: 'Reload' }).click()
  await see(card.getByText('Theirs'))
  await button(page, 'End special price').click()
  await see(button(page, 'Set special price'))
})
