// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, miss, see, signIn } from '#e2e/harness/steps.ts'
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
  await see(question.getByText('Now: $22,700, Newer. Until you end it.'), card.getByText('Newer'))
  await question.getByRole('button', { name: 'Keep it as it is' }).click()
  await miss(question)
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

test('a description and an order of photos meet what someone else made of them meanwhile, and nothing typed is lost', async () => {
  const { page, id } = await openPickup('media')
  const photosOf = async () => (await callAs(page, vehicles.get, { id })).photos
  const places = async () => (await photosOf()).map(({ place }) => place)
  const [first, ...others] = await photosOf()
  if (first === undefined) throw new Error('The pickup has no photo.')
  await page
    .getByRole('button', { name: /^Describe / })
    .first()
    .click()
  await field(page, 'Alternative text').fill('Mine')
  await callAs(page, vehicles.update, { id, photos: [{ ...first, alt: 'Theirs' }, ...others] })
  const dialog = page.getByRole('dialog', { name: 'Describe photo' })
  await button(page, 'Save text').click()
  await see(dialog.getByText('Saved meanwhile: Alternative text: Theirs.', { exact: false }))
  expect(await field(page, 'Alternative text').inputValue()).toBe('Mine')
  await button(page, 'Save text').click()
  await miss(dialog)
  expect((await photosOf())[0]?.alt).toBe('Mine')

  // Something else of the vehicle was changed: that stays, and nothing is asked.
  const before = await places()
  await callAs(page, vehicles.update, { id, mileage: 12_345 })
  const move = async () => {
    await page
      .getByRole('button', { name: /^Move / })
      .first()
      .focus()
    for (const key of ['Space', 'ArrowRight', 'Space']) {
      await page.keyboard.press(key)
      await page.waitForTimeout(300)
    }
  }
  await move()
  await expect.poll(places).toEqual([before[1], before[0], ...before.slice(2)])
  // Another order.
  const photos = await photosOf()
  await callAs(page, vehicles.update, { id, photos: photos.toReversed() })
  await move()
  await see(page.getByRole('dialog', { name: "The photos weren't moved" }))
  expect(await places()).toEqual(photos.map(({ place }) => place).toReversed())
})

test('an outcome that someone else set meanwhile is shown, and asked about before it is replaced', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/leads?search=Nadia Rossi')
  await page
    .getByRole('link', { name: /Nadia Rossi/ })
    .first()
    .click()
  await see(page.getByRole('button', { name: /^Outcome/ }))
  const { results } = await callAs(page, leads.list, { search: 'Nadia Rossi' })
  const id = new URL(page.url()).searchParams.get('lead') ?? results[0]?.id ?? ''
  await callAs(page, leads.setOutcome, { id, outcome: 'lost', lostReason: 'Price' })
  await page.getByRole('button', { name: /^Outcome/ }).click()
  await page.getByRole('menuitem', { name: 'Contacted' }).click()
  const question = page.getByRole('dialog', { name: / changed this lead/ })
  await see(question.getByText(/Outcome: Lost, Price\./))
  await question.getByRole('button', { name: 'Set to Contacted' }).click()
  await see(button(page, 'Outcome: Contacted'))
  expect((await callAs(page, leads.get, { id })).outcome).toBe('contacted')
})

test('a rule for leads can be duplicated more than once', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/lead-routing')
  const main = page.getByRole('main')
  for (const copy of ['Price watchers (copy)', 'Price watchers (copy) 2']) {
    await page.goto('/customers/lead-routing')
    await button(page, 'More for Price watchers').click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await see(
      main
        .getByText(copy, { exact: true })
        .or(page.getByRole('dialog', { name: copy }))
        .first(),
    )
  }
  const rules = await callAs(page, leadRoutingRules.list, {})
  expect(rules.filter(({ name }) => name.startsWith('Price watchers (copy)'))).toHaveLength(2)
})

test('a facility that someone saves while its deletion is on its way stays, and its deletion is asked about again', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const all = await callAs(page, organizations.listAll, {})
  const organizationId = all.find(({ name }) => name === 'Northgate Ford')?.id ?? ''
  const control = [
    { validFrom: '2020-01-01', ownership: '100', operationalControl: true, financialControl: true },
  ]
  const added = { organizationId, level: 'site' as const, code: 'HELD', name: 'Held yard', control }
  const { id } = await callAs(page, facilities.add, added)
  await page.goto(`/organizations/${organizationId}?facility=${id}`)
  await see(field(page, 'Code'))
  let isHeld = false
  await page.route('**/api/organizations/delete-facility/*', async (route) => {
    if (!isHeld) await callAs(page, facilities.update, { id, name: 'Renamed yard' })
    isHeld = true
    await route.continue()
  })
  await drawer(page).getByRole('button', { name: 'Delete facility' }).click()
  const question = page.getByRole('dialog', { name: /^Delete facility HELD/ })
  await see(question.getByText(/changed this facility .*, after it was shown here\./))
  expect((await callAs(page, facilities.get, { id })).name).toBe('Renamed yard')

  await question.getByRole('button', { name: 'Delete facility' }).click()
  await see(page.getByText('Renamed yard deleted'))
  await button(page, 'Undo').click()
  await see(page.getByRole('treegrid').getByRole('link', { name: 'Renamed yard', exact: true }))
})
