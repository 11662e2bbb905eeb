import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { placesKept } from '#e2e/harness/places-kept.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const LIST = '/inventory/vehicle-data'
const GRID = `${LIST}/edit-grid?sort=stock&filter=${encodeURIComponent('status == "live" && make == "Ford"')}`

const grid = (page: Page) => page.getByRole('grid', { name: 'Vehicle grid' })
const cell = (page: Page, row: number, column: number) =>
  grid(page).getByRole('row').nth(row).getByRole('gridcell').nth(column)
const notice = (page: Page, words: string) => page.getByText(words, { exact: true }).first()
const PRICE = 3
const STOCK = 2

/** Moves to a cell with the keyboard, starting at the first cell. */
async function goTo(page: Page, row: number, column: number): Promise<void> {
  await grid(page).focus()
  await page.keyboard.press('Control+Home')
  for (let at = 1; at < row; at += 1) await page.keyboard.press('ArrowDown')
  for (let at = 0; at < column; at += 1) await page.keyboard.press('ArrowRight')
}

async function write(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

async function openGrid(page: Page, person: string, ...rest: string[]): Promise<void> {
  await signIn(page, person, ...rest)
  await page.goto(GRID)
  await see(grid(page), heading(page, 'Edit vehicles'))
}

test('quick filters update the counts, show a chip and are kept in the URL', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto(LIST)
  await see(page.getByText('620 of 620 vehicles', { exact: true }))
  await button(page, 'Quick filters').click()
  const facets = page.getByRole('complementary', { name: 'Quick filters for vehicles' })
  const live = facets.getByRole('checkbox', { name: /^For sale \d+$/ })
  const counted = Number(/\d+/.exec(await labelOf(live))?.[0])
  await live.check()
  await see(
    page.getByText(`${counted} of 620 vehicles`, { exact: true }),
    page.getByText('Status is For sale').first(),
  )
  // Values chosen in a field don't narrow its own counts.
  const hold = facets.getByRole('checkbox', { name: /^Hold \d+$/ })
  const more = Number(/\d+/.exec(await labelOf(hold))?.[0])
  await hold.check()
  await see(page.getByText(`${counted + more} of 620 vehicles`, { exact: true }))
  await page.reload()
  await see(page.getByText(`${counted + more} of 620 vehicles`, { exact: true }))
  await live.uncheck()
  await see(page.getByText(`${more} of 620 vehicles`, { exact: true }))
  await button(page, 'Clear').click()
  await see(page.getByText('620 of 620 vehicles', { exact: true }))
  expect(await hold.isChecked()).toBe(false)
})

test('prices are typed or pasted into the grid, undone, redone and saved', async () => {
  const page = await newPage()
  await openGrid(page, 'northgate.admin', 'Northgate Ford')
  await goTo(page, 1, PRICE)
  await write(page, '21,500')
  await write(page, '22000.50')
  await see(page.getByText('2 vehicles changed'))
  await grid(page).focus()
  await page.keyboard.press('Control+z')
  await see(page.getByText('1 vehicle changed'))
  await page.keyboard.press('Control+y')
  await see(page.getByText('2 vehicles changed'))

  await goTo(page, 3, PRICE)
  await page.evaluate(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', '$30,100\tHold\tOpen recall\n200 USD\tNowhere\t')
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  await see(page.getByText('4 vehicles changed'), button(page, '1 error: next'))
  await page.keyboard.press('Control+s')
  await confirmPrices(page)
  await see(notice(page, '3 vehicles saved'), page.getByText('1 vehicle changed'))
  await button(page, '1 error: next').click()
  await see(page.getByText(/"Nowhere" isn't one of the choices/).first())
  await write(page, 'For sale')
  await page.keyboard.press('Control+s')
  // Going back saves nothing and keeps what was entered.
  await page
    .getByRole('dialog', { name: 'Save unusual prices?' })
    .getByRole('button', { name: 'Go back' })
    .click()
  await see(page.getByText('1 vehicle changed'))
  // Behind the question, and until the declined save has ended, Ctrl+S saves nothing.
  await miss(page.getByRole('dialog', { name: 'Save unusual prices?' }))
  await expect.poll(() => page.locator('.fc-save-bar [data-loading]').count()).toBe(0)
  await page.keyboard.press('Control+s')
  await confirmPrices(page)
  await see(notice(page, '1 vehicle saved'))
  await miss(page.getByText('1 vehicle changed'))
  expect(await cell(page, 3, PRICE).count()).toBe(1)
  await page.reload()
  await see(cell(page, 1, PRICE).getByText('21,500'), cell(page, 2, PRICE).getByText('22,000.50'))
  // The vehicle on hold no longer matches the filter, so the next one moved up.
  await see(cell(page, 3, PRICE).getByText('200', { exact: true }))
})

const priceAt = async (page: Page, row: number): Promise<number> =>
  Number((await cell(page, row, PRICE).innerText()).replaceAll(',', ''))

test(
  'a cell that is open is kept over a reload and saved with Ctrl+S, and what is typed meanwhile stays',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    page.on('dialog', (dialog) => void dialog.accept())
    await openGrid(page, 'northgate.admin', 'Northgate Ford')
    // Close to the prices that are there: nothing is asked before they are saved.
    const [first, second] = await Promise.all([1, 2].map(async (row) => priceAt(page, row)))
    const [kept, saved, later] = [(first ?? 0) - 200, (first ?? 0) - 100, (second ?? 0) - 100]
    const shown = (price: number) => price.toLocaleString('en')
    await goTo(page, 1, PRICE)
    await page.keyboard.type(String(kept))
    await see(page.getByText('1 vehicle changed'))
    await expect.poll(async () => (await placesKept(page)).length).toBe(1)
    await page.reload()
    await button(page, 'Put it back').click()
    await see(cell(page, 1, PRICE).getByText(shown(kept)))
    await page.route(/update-vehicles-cells/, async (route) => {
      await new Promise((done) => setTimeout(done, 1_500))
      await route.continue()
    })
    await goTo(page, 1, PRICE)
    await page.keyboard.type(String(saved))
    await page.keyboard.press('Control+s')
    await goTo(page, 2, PRICE)
    await page.keyboard.type(String(later), { delay: 60 })
    await see(notice(page, '1 vehicle saved'), page.getByText('1 vehicle changed'))
    await page.keyboard.press('Enter')
    await see(cell(page, 1, PRICE).getByText(shown(saved)), cell(page, 2, PRICE).getByText(shown(later)))
    await page.keyboard.press('Control+s')
    await see(notice(page, '1 vehicle saved'))
    await miss(page.getByText('1 vehicle changed'))
    expect(await cell(page, 2, PRICE).innerText()).toContain(shown(later))
  },
)

test(
  'custom fields can be shown as columns, pasted by type, undone and saved',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    const rule = encodeURIComponent('status == "live" && make == "Toyota"')
    await page.goto(`${LIST}?columns=name,status,custom_stage&sort=stock&filter=${rule}`)
    await button(page, 'Edit grid').click()
    const head = (name: string) => grid(page).getByRole('columnheader', { name, exact: true })
    await see(head('Reconditioning'))
    await miss(head('Key board'))
    await button(page, 'Custom fields').click()
    const menu = page.getByRole('dialog', { name: 'Custom fields' })
    await menu.getByRole('checkbox', { name: 'Key board' }).check()
    await page.keyboard.press('Escape')
    await see(head('Key board'))

    const BOARD = 9
    await goTo(page, 1, BOARD)
    await write(page, 'Board 9, hook 1')
    await goTo(page, 2, BOARD)
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'Board 9, hook 2\tworkshop\nBoard 9, hook 3\tElsewhere')
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    })
    await see(page.getByText('3 vehicles changed'), button(page, '1 error: next'))
    await page.keyboard.press('Control+z')
    await see(page.getByText('1 vehicle changed'))
    await page.keyboard.press('Control+y')
    await see(page.getByText('3 vehicles changed'))
    // A column with unsaved changes can't be hidden.
    await button(page, 'Custom fields').click()
    expect(await menu.getByRole('checkbox', { name: 'Key board' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')

    await grid(page).focus()
    await page.keyboard.press('Control+s')
    await see(notice(page, '2 vehicles saved'), page.getByText('1 vehicle changed'))
    await button(page, '1 error: next').click()
    await see(page.getByText(/"Elsewhere" isn't one of the choices: Inspection, Workshop/).first())
    await write(page, 'Ready')
    await page.keyboard.press('Control+s')
    await see(notice(page, '1 vehicle saved'))
    await page.reload()
    await see(
      cell(page, 1, BOARD).getByText('Board 9, hook 1'),
      cell(page, 2, BOARD + 1).getByText('Workshop'),
      cell(page, 3, BOARD + 1).getByText('Ready'),
    )
    expect(await cell(page, 3, BOARD).innerText()).toBe('Board 9, hook 3')
  },
)

test(
  'if two users edit the same vehicle, the second one sees both values and resolves the conflict',
  { tags: 'release' },
  async () => {
    const [dana, luis] = [await newPage(), await newPage()]
    await openGrid(dana, 'northgate.admin', 'Northgate Ford')
    await openGrid(luis, 'northgate.dealer')
    const stock = await cell(luis, 6, STOCK).innerText()
    await goTo(luis, 6, PRICE)
    await write(luis, '11111')
    await luis.keyboard.press('Control+s')
    await confirmPrices(luis)
    await see(notice(luis, '1 vehicle saved'))

    await dana.goto(`${LIST}/edit-grid?search=${stock}`)
    await see(cell(dana, 1, STOCK).getByText(stock))
    await luis.goto(`${LIST}/edit-grid?search=${stock}`)
    await see(cell(luis, 1, STOCK).getByText(stock))
    await goTo(luis, 1, PRICE)
    await write(luis, '12222')
    await luis.keyboard.press('Control+s')
    await see(notice(luis, '1 vehicle saved'))

    await goTo(dana, 1, PRICE)
    await write(dana, '13333')
    await dana.keyboard.press('Control+s')
    const conflicts = dana.getByRole('region', { name: 'Conflicts with other users' })
    await see(
      conflicts.getByText('Luis Ortega'),
      conflicts.getByText(/^Price before rules: yours 13,333, now 12,222$/),
      cell(dana, 1, PRICE).getByText('13,333'),
    )
    await conflicts.getByRole('button', { name: /^Keep mine: / }).click()
    await miss(conflicts)
    expect(await cell(dana, 1, PRICE).innerText()).toContain('13,333')
    await dana.keyboard.press('Control+s')
    await see(notice(dana, '1 vehicle saved'))
    await dana.reload()
    await see(cell(dana, 1, PRICE).getByText('13,333'))
  },
)

test('leaving with unsaved changes asks for confirmation', { tags: 'release' }, async () => {
  const page = await newPage()
  await openGrid(page, 'northgate.admin', 'Northgate Ford')
  await goTo(page, 1, PRICE)
  await write(page, '5')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click()
  const question = page.getByRole('dialog', { name: 'There are unsaved changes.' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await see(cell(page, 1, PRICE).getByText('5', { exact: true }))
  await button(page, 'Discard').click()
  await miss(page.getByText('1 vehicle changed'))
  expect(await cell(page, 1, PRICE).innerText()).not.toBe('5')
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click()
  await see(heading(page, 'Vehicle data'))
})

test('cells that were typed are offered again after the tab was closed', { tags: 'release' }, async () => {
  const page = await newPage()
  await openGrid(page, 'northgate.admin', 'Northgate Ford')
  await goTo(page, 2, STOCK)
  await write(page, 'KEPT-1')
  await see(page.getByText('1 vehicle changed'))
  const other = await page.context().newPage()
  await page.close({ runBeforeUnload: false })
  await other.goto(GRID)
  await see(other.getByText(/wasn.t saved: cells of 1 vehicle\.$/))
  await button(other, 'Put it back').click()
  await see(cell(other, 2, STOCK).getByText('KEPT-1'), other.getByText('1 vehicle changed'))
  await button(other, 'Discard').click()
  await other.reload()
  await see(cell(other, 1, STOCK))
  expect(await other.getByText('Put it back').count()).toBe(0)
})

/** Confirms prices that are far from the earlier ones. */
const confirmPrices = (page: Page): Promise<void> =>
  page
    .getByRole('dialog', { name: 'Save unusual prices?' })
    .getByRole('button', { name: 'Save prices' })
    .click()

/** The label of a checkbox. */
async function labelOf(box: ReturnType<Page['getByRole']>): Promise<string> {
  return box.evaluate((input) =>
    input instanceof HTMLInputElement ? (input.labels?.[0]?.textContent ?? '') : '',
  )
}
