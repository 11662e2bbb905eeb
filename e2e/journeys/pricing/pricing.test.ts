// @module-tag release
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, miss, see, signIn } from '#e2e/harness/steps.ts'
import { PICKUP } from '#e2e/pages/home/work.ts'

const { page: newPage } = stage()

test('from a wrong price to its corrected rule in three clicks, with the effect before saving', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto(`/inventory/vehicle-data?search=${PICKUP.stock}`)
  await page.getByRole('main').getByRole('link', { name: PICKUP.name }).click()
  await see(page.getByText('Published').first())

  // First click: how the price is made. Second: the rule. Third, after the correction: save.
  await page
    .getByRole('navigation', { name: 'Sections of this vehicle' })
    .getByRole('link', { name: 'Price' })
    .click()
  const lines = page.getByRole('region', { name: 'How the total price is calculated' })
  await see(lines.getByRole('row', { name: /Truck month.*800/ }))
  const total = page.getByRole('region', { name: 'Total price', exact: true })
  const before = await total.textContent()
  await lines.getByRole('link', { name: 'Truck month' }).click()
  const editor = page.getByRole('region', { name: 'Truck month' })
  await see(editor.getByText(/^Matches \d+ of \d+ vehicles/))
  await field(page, 'Amount').first().fill('600')
  await see(
    editor.getByText('Prices that change'),
    editor.getByRole('columnheader', { name: 'After saving' }),
  )
  await button(page, 'Save rule').click()
  await see(page.getByText('Rule saved'))

  await page.goBack()
  await see(lines.getByRole('row', { name: /Truck month.*600/ }))
  expect(await total.textContent()).not.toBe(before)
})

/** A rule that someone got wrong, and how the Price tab of the pickup shows it. */
const PLANTED = [
  {
    what: 'an amount with a digit too many',
    rule: { name: 'Planted amount', kind: 'discount', cents: 800_000, condition: 'model == "F-150"' },
    row: /Planted amount.*−\$8,000/,
    corrected: { cents: 80_000 },
  },
  {
    what: 'a condition that forgets the model',
    rule: { name: 'Planted condition', kind: 'accessory', cents: 45_000, condition: 'make == "Ford"' },
    row: /Planted condition.*\+\$450/,
    corrected: { condition: 'make == "Ford" && model == "Transit"' },
  },
  {
    what: 'a group that keeps the right rule from applying',
    rule: {
      name: 'Planted group',
      kind: 'discount',
      cents: 85_000,
      condition: 'model == "F-150"',
      exclusiveGroup: 'Trucks',
    },
    row: null,
    corrected: { exclusiveGroup: null },
  },
] as const

test.for(PLANTED)(
  'a wrong rule is found from the car in three clicks, without search: $what',
  async ({ rule, row, corrected }) => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await page.goto(`/inventory/vehicle-data?search=${PICKUP.stock}`)
    const car = page.getByRole('main').getByRole('link', { name: PICKUP.name })
    // The list is loaded with the session's new token.
    await see(car)
    const confirmed = { confirmPrices: true, confirmEvery: true }
    const { id } = await callAs(page, pricingRules.add, { ...rule, ...confirmed })
    await car.click()
    await see(page.getByText('Published').first())

    const clicks = await countClicks(page)
    await page
      .getByRole('navigation', { name: 'Sections of this vehicle' })
      .getByRole('link', { name: 'Price' })
      .click()
    const lines = page.getByRole('region', { name: 'How the total price is calculated' })
    await page.setViewportSize({ width: 1440, height: 480 })
    if (row === null) {
      // Why the usual discount doesn't apply, with the rule that took its place.
      await lines.getByText(/did not apply:/).click()
      const reason = lines.getByRole('listitem').filter({ hasText: 'Truck month: another rule in its group' })
      await reason.getByRole('link', { name: rule.name }).click()
    } else {
      await see(lines.getByRole('row', { name: row }))
      await lines.getByRole('link', { name: rule.name }).click()
    }
    await see(page.getByRole('region', { name: rule.name }).getByText(/^Matches \d+ of \d+ vehicles/))
    expect(await clicks()).toBeLessThanOrEqual(3)
    // The list beside it marks the rule, and shows it also where it has little room.
    const marked = page.locator('[aria-current="true"]').filter({ hasText: rule.name })
    await expect
      .poll(() => marked.evaluate((place) => place.getBoundingClientRect().bottom <= innerHeight - 40))
      .toBe(true)

    await callAs(page, pricingRules.update, { id, ...corrected, ...confirmed })
    await page.goBack()
    if (row === null) await see(lines.getByRole('row', { name: rule.name }))
    else await miss(lines.getByRole('row', { name: row }))
    // The next rule is the only wrong one.
    await callAs(page, pricingRules.update, { id, isActive: false, ...confirmed })
  },
)

/** Counts the clicks from now on, in this document. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.body.dataset['clicks'] = '0'
    addEventListener(
      'click',
      () => (document.body.dataset['clicks'] = String(Number(document.body.dataset['clicks']) + 1)),
      true,
    )
  })
  return () => page.evaluate(() => Number(document.body.dataset['clicks']))
}

test('a manager builds a clearance with a limit, sees its effect before saving, and no price rises', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/pricing-rules?rule=new')
  const editor = page.getByRole('region', { name: 'New rule' })
  await field(page, 'Name').fill('October clearance')
  for (const [name, comparison, value] of [
    ['Condition', null, 'Used'],
    ['Body', 'contains', 'Truck'],
    ['Days in stock', 'is over', '60'],
  ] as const) {
    await editor.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Search fields').fill(name)
    await page.getByLabel('Search fields').press('Enter')
    if (comparison !== null)
      await page.getByLabel(`Comparison for ${name}`).selectOption({ label: comparison })
    if (comparison === null) await page.getByRole('checkbox', { name: value }).check()
    else await page.getByRole('textbox', { name: `${name} ${comparison}` }).fill(value)
    await page.getByRole('button', { name: 'Apply', exact: true }).click()
    await miss(page.getByLabel(`Comparison for ${name}`))
  }
  await see(editor.getByRole('group', { name: 'Condition is Used' }))
  await field(page, 'Percentage').fill('3')
  const limit = field(page, 'Not below invoice plus')
  await limit.click()
  const before = (await limit.boundingBox())?.y
  await limit.fill('300')
  const lacking = editor.getByText(/matching vehicles? lacks? an amount that the rule needs/)
  await see(lacking)
  // The effect stands below the fields, so it moves none of them.
  expect((await limit.boundingBox())?.y).toBe(before)
  await lacking.click()
  await see(editor.getByRole('link', { name: /^Open (this vehicle|these \d+ vehicles) in the list$/ }))
  await page.getByRole('combobox', { name: 'If an amount is missing' }).click()
  await page.getByRole('option', { name: 'Use its cost' }).click()
  await see(editor.getByText(/^Saving changes \d+ prices?, -?\S+ in total$/))
  await button(page, 'Add rule').last().click()
  await see(page.getByText('Rule added'))
  await see(page.getByText('not below invoice plus $300').first())
})

test('pausing and deleting a rule say first how prices would move', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/inventory/pricing-rules?search=Clearance')
  await page.getByRole('main').getByRole('link', { name: 'Clearance' }).click()
  const editor = page.getByRole('region', { name: 'Clearance' })
  const effect =
    /^(?:At least )?\d+ prices? rises? at once, \$[\d,.]+ in all\. The largest: .+, from \$[\d,.]+ to \$[\d,.]+\./
  const question = page.getByRole('dialog', { name: 'Pause Clearance?' })
  await editor.getByRole('button', { name: 'Pause' }).click()
  await see(question.getByText(effect))
  await question.getByRole('button', { name: 'Cancel' }).click()
  await miss(question)
  await see(editor.getByRole('button', { name: 'Pause' }))
  await editor.getByRole('button', { name: 'Delete rule' }).click()
  const deletion = page.getByRole('dialog', { name: 'Delete Clearance?' })
  await see(deletion.getByText(effect))
  await deletion.getByRole('button', { name: 'Cancel' }).click()
  await miss(deletion)
  await editor.getByRole('button', { name: 'Pause' }).click()
  await question.getByRole('button', { name: 'Pause rule' }).click()
  await see(page.getByText('Rule paused'))
  await editor.getByRole('button', { name: 'Duplicate' }).click()
  await see(page.getByText('Rule duplicated'))
  await expect.poll(() => page.getByRole('region', { name: 'Clearance (copy)' }).count()).toBe(1)
})

/** Chooses a document in the open dialog, downloads it, and reads the file. */
async function takeDocument(page: Page, document: string, { format = /^PDF/ } = {}) {
  const dialog = page.getByRole('dialog', { name: 'Documents for buyers' })
  await dialog.getByRole('radio', { name: document }).check()
  await dialog.getByRole('combobox', { name: 'Format' }).click()
  await page.getByRole('option', { name: format }).click()
  const coming = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  const file = await coming
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'latin1') }
}

test('a salesperson prints a deal sheet from the Price tab, and window stickers for the selected vehicles', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await page.goto(`/inventory/vehicle-data?search=${PICKUP.stock}`)
  await page.getByRole('main').getByRole('link', { name: PICKUP.name }).click()
  await page
    .getByRole('navigation', { name: 'Sections of this vehicle' })
    .getByRole('link', { name: 'Price' })
    .click()
  await button(page, 'Documents for buyers').click()
  await see(page.getByLabel('Valid through'))
  const sheet = await takeDocument(page, 'Deal sheet', { format: /^Web page/ })
  expect(sheet.name).toMatch(/^deal-sheet-.*\.html$/)
  expect(sheet.text).toMatch(/<h1 dir="auto">Deal sheet: 20\d\d Ford F-150/)
  await miss(page.getByRole('dialog', { name: 'Documents for buyers' }))

  await page.goto('/inventory/vehicle-data?search=F-150')
  const rows = page.getByRole('main').getByRole('checkbox', { name: /^Select \d+ Ford/ })
  await rows.nth(0).check()
  await rows.nth(1).check()
  await button(page, 'Documents for buyers').click()
  await page.getByRole('dialog').getByRole('radio', { name: 'Window sticker' }).check()
  await miss(page.getByLabel('Valid through'))
  const stickers = await takeDocument(page, 'Window sticker')
  expect(stickers.name).toMatch(/^window-sticker-2-.*\.pdf$/)
  expect(stickers.text.slice(0, 5)).toBe('%PDF-')
})

test('an earlier version of a rule is put into the form, shows its effect, and is saved like any change', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const rule = await callAs(page, pricingRules.add, {
    name: 'Restored rule',
    kind: 'discount',
    cents: 30_000,
    condition: 'condition == "used"',
    confirmPrices: true,
  })
  await callAs(page, pricingRules.update, { id: rule.id, cents: 10_000, confirmPrices: true })
  await page.goto(`/inventory/pricing-rules?rule=${rule.id}`)
  await see(field(page, 'Amount').first())
  expect(await field(page, 'Amount').first().inputValue()).toBe('100.00')
  await page.getByText('Versions', { exact: true }).click()
  await page.getByRole('button', { name: 'Restore this version' }).click()
  await see(page.getByText('This version is in the form'), page.getByText('Prices that change'))
  expect(await field(page, 'Amount').first().inputValue()).toBe('300.00')
  await button(page, 'Save rule').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save prices' }).click()
  await see(page.getByText('Rule saved'))
  expect((await callAs(page, pricingRules.get, { id: rule.id })).cents).toBe(30_000)
})
