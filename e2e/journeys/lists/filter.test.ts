import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findFilterProblems } from '#e2e/harness/check-overlays.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const PLANTED = 'price > cost * 1.1'

/** Opens the list of vehicles with a filter. */
async function openVehicles(filter = '', person = 'northgate.admin', width = 1280): Promise<Page> {
  const page = await newPage({ viewport: { width, height: 800 } })
  await signIn(page, person, ...(person === 'northgate.admin' ? ['Northgate Ford'] : []))
  await page.goto(`/inventory/vehicle-data${filter === '' ? '' : `?filter=${encodeURIComponent(filter)}`}`)
  await see(heading(page, 'Vehicle data'))
  return page
}

const filterOf = (page: Page) => new URL(page.url()).searchParams.get('filter')
const chip = (page: Page, name: string) => page.getByRole('group', { name, exact: true })
const rule = (page: Page) => page.getByRole('textbox', { name: 'Rule', exact: true })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Filter vehicles' })
const face = (page: Page, name: 'Builder' | 'Text') => dialog(page).getByRole('radio', { name })
/** The name of the focused element. */
const focused = (page: Page) => page.locator(':focus')

async function openAdvanced(page: Page): Promise<void> {
  await button(page, 'Filter').click()
  await button(page, 'Advanced').click()
  await see(dialog(page))
}

/**
 * Waits for the focus before pressing keys: earlier they would go elsewhere. A text must be the whole name, because 'Days is
 * over' is also the beginning of the focused chip's name.
 */
async function pressAt(page: Page, name: string | RegExp, ...keys: readonly string[]): Promise<void> {
  const exact = typeof name === 'string'
  const named = page.getByLabel(name, { exact }).or(page.getByRole('button', { name, exact }))
  await see(page.locator(':focus').and(named))
  for (const key of keys) await page.keyboard.press(key)
}

test('a chip is added, edited and removed with the keyboard alone', async () => {
  const page = await openVehicles()
  await button(page, 'Filter').focus()
  await page.keyboard.press('Enter')
  await pressAt(page, 'Search fields', 'd', 'a', 'y', 's', 'Enter')
  await see(page.getByLabel('Comparison for Days'))
  await page.getByLabel('Comparison for Days').focus()
  await page.keyboard.type('is over')
  await page.keyboard.press('Tab')
  await page.keyboard.type('45')
  await page.keyboard.press('Enter')
  await see(chip(page, 'Days is over 45'))
  expect(filterOf(page)).toBe('daysInStock > 45')
  await pressAt(page, 'Filter')

  await chip(page, 'Days is over 45').getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await pressAt(page, 'Days is over', 'Control+a', '6', '0', 'Enter')
  await see(chip(page, 'Days is over 60'))
  expect(filterOf(page)).toBe('daysInStock > 60')
  await pressAt(page, /^Days is over 60/)

  await page.keyboard.press('Tab')
  await pressAt(page, 'Remove filter: Days is over 60', 'Enter')
  await miss(chip(page, 'Days is over 60'))
  expect(filterOf(page)).toBeNull()
  await pressAt(page, 'Filter')
})

test('a choice is checked, and its chip shows it', { tags: 'release' }, async () => {
  const page = await openVehicles('daysInStock > 45')
  await button(page, 'Filter').click()
  await page.getByRole('list', { name: 'Fields' }).getByRole('button', { name: 'Lot' }).click()
  await page.getByRole('checkbox', { name: 'Northgate Ford' }).check()
  await button(page, 'Apply').click()
  await see(chip(page, 'Lot is Northgate Ford'), chip(page, 'Days is over 45'))
  await chip(page, 'Lot is Northgate Ford').getByRole('button').first().click()
  await page.keyboard.press('Escape')
  await miss(page.getByRole('checkbox', { name: 'Northgate Ford' }))
  await button(page, 'Clear').click()
  await miss(chip(page, 'Lot is Northgate Ford'))
  expect(filterOf(page)).toBeNull()
})

test('builder and text show the same rule, and a change in one appears in the other', async () => {
  const page = await openVehicles('condition=="used"')
  await openAdvanced(page)
  await page.getByRole('button', { name: 'Add condition', exact: true }).click()
  await page.getByRole('combobox', { name: 'Field of condition 2' }).click()
  await page.keyboard.type('days')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Comparison of condition 2' }).click()
  await page.getByRole('option', { name: 'is over', exact: true }).click()
  await see(dialog(page).getByText('Days: enter a number.'))
  expect(await button(page, 'Apply').getAttribute('aria-disabled')).toBe('true')
  await page.getByRole('textbox', { name: 'Value of condition 2' }).fill('45')
  await see(dialog(page).getByText(/^\d+ of \d+ vehicles$/))

  await face(page, 'Text').check()
  await see(rule(page))
  expect(await rule(page).innerText()).toBe('condition == "used" && daysInStock > 45')
  await rule(page).press('End')
  await page.keyboard.type(' && (year > 2020 || make == "Kia")')
  await face(page, 'Builder').check()
  await see(page.getByRole('combobox', { name: 'Field of condition 3.2' }))
  expect(await page.getByRole('combobox', { name: 'Field of condition 3.2' }).inputValue()).toBe('Make')
  await button(page, 'Apply').click()
  await miss(dialog(page))
  await see(chip(page, 'Condition is Used'), chip(page, '(year > 2020 || make == "Kia")'))
  expect(filterOf(page)).toContain('condition == "used" && daysInStock > 45')
})

test(
  'a rule that the builder cannot show opens as text, explains why, and stays unchanged',
  { tags: 'release' },
  async () => {
    const page = await openVehicles(PLANTED)
    const about = page.getByText(/^\d+ of \d+ vehicles\.$/)
    await see(about)
    const shown = await about.innerText()
    await chip(page, PLANTED).getByRole('button').first().click()
    await see(rule(page), dialog(page).getByText("The builder can't show this rule"))
    expect(await face(page, 'Builder').isDisabled()).toBe(true)
    expect(await rule(page).innerText()).toBe(PLANTED)
    await button(page, 'Apply').click()
    await miss(dialog(page))
    expect(filterOf(page)).toBe(PLANTED)
    await see(chip(page, PLANTED))
    expect(await about.innerText()).toBe(shown)
  },
)

test('invalid text is underlined, explained with its position and cannot be applied', async () => {
  const page = await openVehicles(PLANTED)
  await chip(page, PLANTED).getByRole('button').first().click()
  await rule(page).press('End')
  await page.keyboard.type(' && prise < 5')
  await see(dialog(page).getByText(/^Character 23: Unknown field `prise`\./))
  expect(await rule(page).getAttribute('aria-invalid')).toBe('true')
  expect(await button(page, 'Apply').getAttribute('aria-disabled')).toBe('true')
  for (const key of ['Enter', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await see(focused(page).and(button(page, 'Apply')), dialog(page))
  expect(filterOf(page)).toBe(PLANTED)
  await page.keyboard.press('Escape')
  await miss(dialog(page))
  expect(filterOf(page)).toBe(PLANTED)
  await see(focused(page).and(chip(page, PLANTED).getByRole('button').first()))
})

test('a name is completed while typing', { tags: 'release' }, async () => {
  const page = await openVehicles(PLANTED)
  await chip(page, PLANTED).getByRole('button').first().click()
  await rule(page).press('End')
  await page.keyboard.type(' && milea')
  await see(page.getByRole('option', { name: /^mileage/ }))
  await page.keyboard.press('Escape')
  await miss(page.getByRole('option', { name: /^mileage/ }))
  await see(dialog(page))
  await page.keyboard.press('Control+Space')
  await see(page.getByRole('option', { name: /^mileage/ }))
  await page.keyboard.press('Enter')
  expect(await rule(page).innerText()).toBe(`${PLANTED} && mileage`)
})

test('a rule without conditions asks for confirmation with the count', { tags: 'release' }, async () => {
  const page = await openVehicles('condition == "used"')
  await openAdvanced(page)
  await page.getByRole('button', { name: 'Remove condition 1' }).click()
  await button(page, 'Apply').click()
  const question = page.getByRole('dialog', { name: 'Show all vehicles?' })
  await see(question.getByText(/^The rule has no conditions\. This shows all \d+ vehicles\.$/))
  await question.getByRole('button', { name: 'Cancel' }).click()
  await miss(question)
  expect(filterOf(page)).toBe('condition == "used"')
  await button(page, 'Apply').click()
  await question.getByRole('button', { name: /^Show all \d+ vehicles$/ }).click()
  await miss(question, dialog(page), chip(page, 'Condition is Used'))
  expect(filterOf(page)).toBeNull()
})

test(
  'a shared rule with a field the user may not see is rejected with its name',
  { tags: 'release' },
  async () => {
    const page = await openVehicles(PLANTED, 'northgate.dealer')
    await see(page.getByText(/Unknown field `cost`/), chip(page, PLANTED))
    await button(page, 'Filter').click()
    await see(
      page
        .getByRole('list', { name: 'Fields' })
        .getByRole('button', { name: 'Price before rules', exact: true }),
    )
    await miss(page.getByRole('list', { name: 'Fields' }).getByRole('button', { name: 'Cost', exact: true }))
    await page.keyboard.press('Escape')
    await button(page, 'Clear filter').click()
    await miss(chip(page, PLANTED))
    await see(page.getByRole('table', { name: 'Vehicle data' }))
    expect(filterOf(page)).toBeNull()
  },
)

test('on a phone, one button with the count opens all filters', { tags: 'release' }, async () => {
  const page = await openVehicles('condition == "used" && daysInStock > 45', 'northgate.admin', 390)
  await page.getByRole('button', { name: 'Filters 2' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.getByRole('button', { name: 'Days is over 45', exact: true }).click()
  await sheet.getByRole('textbox', { name: 'Days is over' }).fill('60')
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await see(sheet.getByRole('button', { name: 'Days is over 60', exact: true }))
  await sheet.getByRole('button', { name: 'Remove filter: Condition is Used' }).click()
  await sheet.getByRole('button', { name: /^Show \d+ vehicles?$/ }).click()
  await miss(sheet)
  expect(filterOf(page)).toBe('daysInStock > 60')
  await see(focused(page).and(page.getByRole('button', { name: 'Filters 1' })))
})

test('the filter forms, the builder and the text editor have no accessibility violations', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  expect(await findFilterProblems(page, { isPhone: false })).toEqual([])
})
