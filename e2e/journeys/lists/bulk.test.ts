import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { findA11yViolations } from '#e2e/harness/find-a11y-violations.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const bar = (page: Page) => page.getByRole('group', { name: 'Selected rows' })
const verb = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
const choose = (page: Page, name: RegExp | string) => page.getByRole('checkbox', { name }).check()
const vehicles = (filter: string) => `/inventory/vehicle-data?sort=stock&filter=${encodeURIComponent(filter)}`
/** The count of the list. */
const counts = (page: Page, filtered: number, noun = 'vehicles') =>
  see(page.getByText(new RegExp(`^${filtered} of \\d+ ${noun}$`)))

test('a dealer puts vehicles on hold with a reason, and undoes it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  const wanted = 'status == "live" && make == "Lincoln" && model == "Nautilus"'
  await page.goto(vehicles(wanted))
  const footer = page.getByText(/^\d+ of 360 vehicles$/)
  await see(footer)
  const before = await footer.innerText()
  await page
    .getByRole('checkbox', { name: /^Select \d+ Lincoln/ })
    .first()
    .check()
  await page
    .getByRole('checkbox', { name: /^Select \d+ Lincoln/ })
    .nth(1)
    .check()
  await see(bar(page).getByText('2 selected'))
  await verb(page, 'Status').click()
  const dialog = page.getByRole('dialog', { name: 'Change status' })
  await dialog.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Hold' }).click()
  await dialog.getByRole('button', { name: 'Change 2 vehicles' }).click()
  await see(dialog.getByText('Reason is required.'))
  await dialog.getByLabel('Reason').fill('Open recall 23V-158')
  await dialog.getByRole('button', { name: 'Change 2 vehicles' }).click()
  const offer = page.getByText('Set 2 vehicles to Hold: done')
  await see(offer)
  // Hovering keeps the undo offer open until the list is refreshed.
  await offer.hover()
  await miss(bar(page))
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await expect.poll(() => footer.innerText()).not.toBe(before)
  await page.keyboard.press('Control+z')
  await expect.poll(() => footer.innerText()).toBe(before)
  await miss(offer)
})

test('all matching rows except deselected ones move to another lot', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto(`${vehicles('make == "Ford"')}&size=25`)
  const footer = page.getByText(/^\d+ of 620 vehicles$/)
  await see(footer)
  const matching = Number(/^\d+/.exec(await footer.innerText())?.[0])
  await choose(page, 'Select all on this page')
  await see(bar(page).getByText('25 selected'))
  await bar(page)
    .getByRole('button', { name: `Select all ${matching} matching` })
    .click()
  await page
    .getByRole('checkbox', { name: /^Select \d+ Ford/ })
    .first()
    .uncheck()
  await see(bar(page).getByText(`${matching - 1} selected`))
  await verb(page, 'Lot').click()
  const dialog = page.getByRole('dialog', { name: 'Move to another lot' })
  await dialog.getByRole('combobox', { name: 'Lot' }).click()
  await page.getByRole('option', { name: /^Fulton overflow/ }).click()
  await dialog.getByRole('button', { name: `Move ${matching - 1} vehicles` }).click()
  await see(page.getByText(`Move ${matching - 1} vehicles to Fulton overflow: done`))
  await button(page, 'Undo').click()
  await see(page.getByRole('alert').filter({ hasText: /^Undo: Move/ }))
  await expect.poll(() => footer.innerText()).toMatch(new RegExp(`^${matching} `))
})

test(
  'deleting lots asks for confirmation with the count, and lists those that remain with the reason',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const { id } = await callAs(page, lots.add, { code: 'FREE', name: 'Free lot' })
    await page.goto('/customers/lots')
    await choose(page, 'Select Northgate Ford')
    await choose(page, 'Select Free lot')
    await verb(page, 'Delete').click()
    const question = page.getByRole('dialog', { name: 'Delete 2 lots?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await miss(question)
    await see(bar(page).getByText('2 selected'))
    await verb(page, 'Delete').click()
    await question.getByRole('button', { name: 'Delete 2 lots' }).click()
    const refused = page.getByRole('link', { name: /^Show \d rejected$/ })
    await see(refused)
    expect(await findA11yViolations(page)).toEqual([])
    await refused.click()
    await see(
      heading(page, 'Jobs'),
      drawer(page).getByText(/vehicles are on this lot\. Move them first\.$/),
      drawer(page).getByRole('link', { name: 'Northgate Ford' }),
    )
    await drawer(page).getByRole('button', { name: 'Undo' }).click()
    await see(page.getByRole('alert').filter({ hasText: 'Undo: Delete 2 lots' }))
    await page.goto('/customers/lots')
    await counts(page, 6, 'lots')
    await callAs(page, lots.remove, { id })
  },
)

test(
  'of the lots to delete, one that someone changes while the question is open stays and is listed',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const added = []
    for (const code of ['SEEN1', 'SEEN2'])
      added.push(await callAs(page, lots.add, { code, name: `Seen ${code}` }))
    await page.goto('/customers/lots')
    await choose(page, 'Select Seen SEEN1')
    await choose(page, 'Select Seen SEEN2')
    await verb(page, 'Delete').click()
    await callAs(page, lots.update, { id: added[1]?.id ?? '', city: 'Akron' })
    await page
      .getByRole('dialog', { name: 'Delete 2 lots?' })
      .getByRole('button', { name: 'Delete 2 lots' })
      .click()
    await page.getByRole('link', { name: 'Show 1 rejected' }).click()
    await see(
      drawer(page).getByText('Someone changed it in the meantime.'),
      drawer(page).getByRole('link', { name: 'Seen SEEN2' }),
    )
    const stayed = { id: added[1]?.id ?? '' }
    expect(await callAs(page, lots.get, stayed)).toMatchObject({ city: 'Akron' })
    await callAs(page, lots.remove, stayed)
  },
)

test('many users are deactivated and activated again', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/administration/users')
  await choose(page, 'Select Sofia Marino')
  await choose(page, 'Select Theo Lindqvist')
  await verb(page, 'Deactivate').click()
  await see(button(page, 'Undo'))
  const row = page.getByRole('row').filter({ hasText: 'Sofia Marino' })
  await see(row.getByText('Deactivated'))
  await page.keyboard.press('Control+z')
  await see(row.getByText('Active'))
  expect(await row.getByText('Deactivated').count()).toBe(0)
})
