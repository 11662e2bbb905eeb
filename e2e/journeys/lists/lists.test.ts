import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, filterBy, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const PAGE = '/inventory/vehicle-data'
const table = (page: Page) => page.getByRole('table', { name: 'Vehicle data' })
const frame = (page: Page) => page.getByRole('region', { name: 'List of vehicles' })
/** Of the latest request: until its rows arrive, the previous ones are shown. */
async function names(page: Page): Promise<string[]> {
  const links = table(page).getByRole('link', { name: /[A-Z]/ })
  await see(links.first())
  await expect.poll(() => table(page).getAttribute('aria-busy')).toBe('false')
  return links.allInnerTexts()
}
const heads = (page: Page) => table(page).getByRole('columnheader').allInnerTexts()
const views = (page: Page) => page.getByRole('navigation', { name: 'Views of vehicles' })
const view = (page: Page, name: RegExp) => views(page).getByRole('link', { name })
const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const bar = (page: Page) => page.getByRole('group', { name: 'Selected rows' })
const rowBoxes = (page: Page) => page.getByRole('checkbox', { name: /^Select \d/ })
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name)

/** Opens the vehicles and waits for their counts. */
async function openVehicles(page: Page, search = '', count = /^[\d,]+ of [\d,]+ vehicles$/): Promise<void> {
  await page.goto(`${PAGE}${search}`)
  await see(heading(page, 'Vehicle data'), page.getByText(count))
}

/** Goes to the last row; repeated while the first rows have loaded but the full height isn't known yet. */
async function pressEnd(page: Page, range: RegExp): Promise<void> {
  const press = () => page.keyboard.press('End').then(() => page.getByText(range).count())
  await frame(page).focus()
  await expect.poll(press).toBe(1)
}

async function saveView(page: Page, name: string): Promise<void> {
  await button(page, '+ Save view').click()
  const form = page.getByRole('dialog', { name: 'Save view' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Save view' }).click()
  await see(notice(page, 'View saved'), view(page, new RegExp(`^${name}`)))
  await miss(form)
}

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: /^More for view/ }).click()
  await page.getByRole('menu').getByText(action, { exact: true }).click()
}

test('a shared link shows the same rows, columns and order to every user', { tags: 'release' }, async () => {
  const dana = await newPage()
  await signIn(dana, 'northgate.admin', 'Northgate Ford')
  await openVehicles(dana, '?columns=price,stock,cost&size=25')
  await filterBy(dana, 'Condition', 'Used')
  await button(dana, 'Price before rules').click()
  await dana.waitForURL(/sort=price/)
  await button(dana, 'Stock').click({ modifiers: ['Shift'] })
  await dana.waitForURL(/sort=price%2Cstock/)
  await button(dana, 'Next page').click()
  await dana.waitForURL(/page=2/)
  await see(dana.getByText('26 to 50'))
  expect((await heads(dana)).slice(1)).toEqual(['Vehicle', 'Price before rules', 'Stock', 'Cost'])
  const shown = await names(dana)
  expect(shown).toHaveLength(25)

  const also = await newPage()
  await signIn(also, 'northgate.admin', 'Northgate Toyota')
  await also.goto(dana.url())
  await see(also.getByText('26 to 50'))
  expect(await names(also)).toEqual(shown)
  expect(await heads(also)).toEqual(await heads(dana))

  // Without the permission, only the column is missing.
  const luis = await newPage()
  await signIn(luis, 'northgate.dealer')
  await luis.goto(dana.url())
  await see(luis.getByText('26 to 50'))
  expect((await heads(luis)).slice(1)).toEqual(['Vehicle', 'Price before rules', 'Stock'])
})

test('a view is saved, survives a reload, shows when it is modified, is shared and becomes the default', async () => {
  const dana = await newPage()
  await signIn(dana, 'northgate.admin', 'Northgate Ford')
  await openVehicles(dana)
  await filterBy(dana, 'Status', 'Hold')
  await button(dana, 'Total price').click()
  await dana.waitForURL(/sort=totalPrice/)
  await saveView(dana, 'On hold')
  const shown = await names(dana)
  await dana.reload()
  await see(view(dana, /^On hold [\d,]+$/))
  expect(await names(dana)).toEqual(shown)
  expect(await view(dana, /^On hold/).getAttribute('aria-current')).toBe('true')

  await button(dana, 'Days').click()
  await see(view(dana, /^On hold modified/))
  await choose(dana, 'Discard changes')
  await miss(view(dana, /changed/))
  expect(parameter(dana, 'sort')).toBe('totalPrice')
  await button(dana, 'Days').click()
  await see(view(dana, /^On hold modified/))
  await choose(dana, 'Save changes')
  await see(notice(dana, 'View saved'))
  await miss(view(dana, /changed/))

  await choose(dana, 'Everyone in Northgate Ford')
  await see(notice(dana, 'View shared'))
  const luis = await newPage()
  await signIn(luis, 'northgate.dealer')
  await openVehicles(luis)
  await view(luis, /^On hold/).click()
  await luis.waitForURL(/view=\d+/)
  expect([parameter(luis, 'sort'), parameter(luis, 'filter')]).toEqual(['daysInStock', 'status == "hold"'])
  await button(luis, 'More for view On hold').click()
  const rename = luis.getByRole('menuitem', { name: /^Rename/ })
  expect(await rename.getAttribute('aria-disabled')).toBe('true')
  await luis.getByRole('menuitem', { name: 'Make default' }).click()
  await see(notice(luis, 'Default view'))

  await luis.goto('/dashboard')
  await luis.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Vehicle data' }).click()
  await luis.waitForURL(/view=\d+/)
  await see(view(luis, /^On hold/))
  await luis.goBack()
  await see(heading(luis, /^Good /))
  await luis.goForward()
  await view(luis, /^All/).click()
  await luis.waitForURL(/\?view=all$/)
  await see(luis.getByText(/^(\d+) of \1 vehicles$/))
})

test('saving a stale view asks first; deleting a private one names it', { tags: 'release' }, async () => {
  const [one, other] = [await newPage(), await newPage()]
  for (const page of [one, other]) await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openVehicles(one, '?sort=-price')
  await saveView(one, 'Dearest first')
  await other.goto(one.url())
  await see(view(other, /^Dearest first/))
  for (const page of [one, other]) {
    await button(page, page === one ? 'Mileage' : 'Stock').click()
    await see(view(page, /modified/))
    await choose(page, 'Save changes')
    if (page === one) await see(notice(page, 'View saved'))
  }
  const question = other.getByRole('dialog', { name: 'Dearest first has changed' })
  await question.getByRole('button', { name: 'Overwrite' }).click()
  await see(notice(other, 'View saved'))

  const luis = await newPage()
  await signIn(luis, 'northgate.dealer')
  await luis.goto(other.url())
  await see(views(luis).getByText('From a link'))
  expect(await names(luis)).not.toEqual([])
  expect(await view(luis, /^Dearest first/).count()).toBe(0)

  await choose(other, 'Delete view')
  await other
    .getByRole('dialog', { name: 'Delete view Dearest first?' })
    .getByRole('button', { name: 'Delete view' })
    .click()
  await see(notice(other, 'View deleted'))
  await miss(view(other, /^Dearest first/))
  expect(new URL(other.url()).search).toBe('')
})

test('a failure to load views leaves the list usable', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.route('**/api/lists/get-views*', (route) =>
    route.fulfill({ status: 500, json: { status: false, data: null, message: 'It broke.' } }),
  )
  await openVehicles(page)
  await see(page.getByText("Saved views couldn't be loaded."))
  expect(await names(page)).toHaveLength(50)
})

test(
  'columns are hidden, shown and reordered with the keyboard, and the URL reflects it',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    const { keyboard } = page
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openVehicles(page)
    const own = await heads(page)
    await button(page, 'Columns').press('Enter')
    const panel = page.getByRole('dialog', { name: 'Columns' })
    await panel.getByRole('checkbox', { name: 'VIN' }).press('Space')
    await page.waitForURL(/columns=/)
    await panel.getByRole('checkbox', { name: 'Lot' }).press('Space')
    const grip = panel.getByRole('button', { name: 'Move Stock' })
    await grip.press('Space')
    await see(page.getByText('Stock picked up.'))
    await keyboard.press('ArrowDown')
    await see(page.getByText('Stock moved to the position of VIN.'))
    await keyboard.press('Space')
    await expect
      .poll(() => parameter(page, 'columns'))
      .toMatch(/^name,vin,stock,condition,status,daysInStock/)
    expect(await grip.evaluate((element) => element === document.activeElement)).toBe(true)
    await keyboard.press('Escape')
    await miss(panel)
    const chosen = (await heads(page)).slice(1)
    expect(chosen.slice(0, 5)).toEqual(['Vehicle', 'VIN', 'Stock', 'Condition', 'Status'])
    expect(chosen).not.toContain('Lot')
    await page.reload()
    await see(table(page).getByRole('link').first())
    expect((await heads(page)).slice(1)).toEqual(chosen)
    await button(page, 'Columns').click()
    await button(page, 'Reset columns').click()
    await expect.poll(() => parameter(page, 'columns')).toBeNull()
    await expect.poll(() => heads(page)).toEqual(own)
  },
)

test('widths and row heights are set with the keyboard and remembered', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openVehicles(page)
  const edge = page.getByRole('separator', { name: 'Width of Stock' })
  const width = async () => Number(await edge.getAttribute('aria-valuenow'))
  const column = async () => (await page.getByRole('columnheader', { name: /^Stock/ }).boundingBox())?.width
  const before = await width()
  await edge.press('ArrowRight')
  await edge.press('ArrowRight')
  await expect.poll(width).toBe(before + 32)
  await expect.poll(column).toBeCloseTo(before + 32, 0)
  const row = table(page).getByRole('row').nth(1)
  expect((await row.boundingBox())?.height).toBe(44)
  await button(page, 'Row height').click()
  await page.getByRole('menuitemradio', { name: 'Compact' }).click()
  await expect.poll(async () => (await row.boundingBox())?.height).toBe(32)
  await page.reload()
  await see(row)
  await expect.poll(async () => (await row.boundingBox())?.height).toBe(32)
  await expect.poll(width).toBe(before + 32)
  await edge.dblclick()
  await expect.poll(width).toBe(before)
  const box = await edge.boundingBox()
  if (!box) throw new Error('The resize handle is not visible.')
  await page.mouse.move(box.x + 4, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 64, box.y + 10, { steps: 4 })
  await page.mouse.up()
  await expect.poll(width).toBe(before + 60)
})

test('the selection survives paging, extends with Shift, covers all matching rows, and is cleared by another search', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openVehicles(page, '?size=25')
  await rowBoxes(page).nth(2).check()
  await rowBoxes(page)
    .nth(5)
    .click({ modifiers: ['Shift'] })
  await see(bar(page).getByText('4 selected'))
  const head = page.getByRole('checkbox', { name: 'Select all on this page' })
  expect(await head.evaluate((box) => box instanceof HTMLInputElement && box.indeterminate)).toBe(true)
  await button(page, 'Next page').click()
  await see(page.getByText('26 to 50'))
  await rowBoxes(page).first().press('Space')
  await see(bar(page).getByText('5 selected'))
  await button(page, 'Previous page').click()
  await see(page.getByText('1 to 25'))
  await expect.poll(() => rowBoxes(page).nth(4).isChecked()).toBe(true)
  await head.check()
  await see(bar(page).getByText('26 selected'))
  await page.getByRole('button', { name: /^Select all [\d,]+ matching$/ }).click()
  await see(bar(page).getByText(/^620 selected$/))
  await rowBoxes(page).first().uncheck()
  await see(bar(page).getByText('619 selected'))
  await page.getByLabel('Search vehicles').fill('ford')
  await page.waitForURL(/search=ford/)
  await miss(bar(page))
})

test(
  'all rows are scrolled: fetched on demand, labeled with their position, reachable by jumping',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openVehicles(page)
    await page.getByLabel('Rows').selectOption('All')
    await page.waitForURL(/size=0/)
    await see(page.getByText(/^1 to (?!50$)\d+$/))
    expect(await table(page).getAttribute('aria-rowcount')).toBe('621')
    expect(await table(page).getByRole('row').count()).toBeLessThan(80)
    await pressEnd(page, /^\d+ to 620$/)
    await see(table(page).locator('[aria-rowindex="621"]').getByRole('link').first())
    await page.keyboard.press('PageUp')
    await see(page.getByText(/^59\d to 61\d$/))
    await page.keyboard.press('Home')
    await see(page.getByText(/^1 to \d+$/))

    // When the focused row is scrolled away, the focus goes to the frame.
    await table(page).getByRole('link').first().focus()
    await frame(page).evaluate((element) => element.scrollTo(0, 12_000))
    await see(page.getByText(/^27\d to \d+$/))
    expect(await frame(page).evaluate((element) => element === document.activeElement)).toBe(true)
  },
)

test('on a slow device, Home ends a movement of the list that still runs', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openVehicles(page, '?size=0')
  await see(page.getByText(/^1 to (?!50$)\d+$/))
  const device = await page.context().newCDPSession(page)
  await device.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (let round = 0; round < 6; round += 1) {
    await pressEnd(page, /^\d+ to 620$/)
    await page.keyboard.press('PageUp')
    await page.waitForFunction(() => /\d to 61\d$/m.test(document.body.innerText))
    await page.keyboard.press('Home')
    await see(page.getByText(/^1 to \d+$/))
  }
  expect(await frame(page).evaluate((element) => element.scrollTop)).toBe(0)
})

test('a million rows are scrolled, and only visible ones are fetched', { tags: 'release' }, async () => {
  const page = await newPage()
  const asked: number[] = []
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const real = page.waitForResponse((response) => response.url().includes(vehicles.list.path))
  await openVehicles(page, '?pageSize=1&size=1')
  const { data } = await (await real).json()
  await page.route(`**${vehicles.list.path}*`, async (route) => {
    const query = new URL(route.request().url()).searchParams
    const [at, size] = [Number(query.get('page') ?? 1), Number(query.get('pageSize') ?? 50)]
    asked.push(at)
    const results = Array.from({ length: size }, (_, index) => {
      const place = (at - 1) * size + index + 1
      return { ...data.results[0], id: String(place), model: `number ${place}` }
    })
    await route.fulfill({
      json: { status: true, data: { filteredRows: 1_000_000, totalRows: 1_000_000, results }, message: null },
    })
  })
  await openVehicles(page, '?size=0')
  await see(page.getByText(/^1 to \d+$/))
  await pressEnd(page, /^[\d,]+ to 1,000,000$/)
  await see(page.getByRole('link', { name: / number 1000000$/ }))
  await frame(page).evaluate((element) => element.scrollTo(0, element.scrollHeight / 2))
  await see(page.getByText(/^500,0\d\d to /))
  const middle = frame(page).getByRole('link', { name: / number 500060$/ })
  await see(middle)
  const top = async () => (await middle.boundingBox())?.y ?? 0
  const before = await top()
  await page.mouse.move(700, 400)
  await page.mouse.wheel(0, 100)
  await expect.poll(async () => Math.round(before - (await top()))).toBe(100)

  asked.length = 0
  const long = await frame(page).evaluate(async (element) => {
    let held = 0
    for (let step = 1; step <= 30; step += 1) {
      const from = performance.now()
      element.scrollTo(0, step * 100_000)
      await new Promise(requestAnimationFrame)
      if (performance.now() - from > 35) held += 1
    }
    return held
  })
  await see(
    page.getByText(/^34\d,\d{3} to /),
    frame(page)
      .getByRole('link', { name: / number 34\d{4}$/ })
      .first(),
  )
  // If the machine stalls for a while, so does scrolling.
  expect(asked.length).toBeLessThan(20 + 2 * long)
})

test(
  'at 390 px views are one menu, rows are blocks, and selecting has a start and an end',
  { tags: 'release' },
  async () => {
    const page = await newPage({ viewport: { width: 390, height: 844 } })
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openVehicles(page, '?filter=status == "hold"')
    await page.getByRole('button', { name: /^View: All/ }).click()
    await page.getByRole('menuitem', { name: 'Save view…' }).click()
    await field(page, 'Name').fill('Held')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    await see(page.getByRole('button', { name: /^View: Held/ }))
    await page.getByRole('button', { name: /^View: Held/ }).click()
    await page.getByRole('menuitemradio', { name: /^All / }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await button(page, 'Select').click()
    await page.getByRole('checkbox').first().check()
    await see(bar(page).getByText('1 selected'))
    await button(page, 'Done').click()
    await miss(bar(page))
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.goto(`${PAGE}?size=0`)
    await page.getByRole('list', { name: 'Vehicle data' }).getByRole('link').first().waitFor()
    // The first rows appear before all have loaded.
    await expect
      .poll(async () => {
        await frame(page).evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return page.locator('[aria-posinset="620"]').getByRole('link', { name: /[A-Z]/ }).count()
      })
      .toBe(1)
  },
)

test('in right-to-left, the fixed column and the arrow keys are mirrored', { tags: 'release' }, async () => {
  const page = await newPage({ viewport: { width: 1000, height: 700 } })
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.evaluate(() => localStorage.setItem('appearance', '{"direction":"rtl"}'))
  await openVehicles(page)
  const name = page.getByRole('columnheader', { name: /^Vehicle/ })
  const edgeOf = async () => {
    const box = await name.boundingBox()
    return box ? Math.round(box.x + box.width) : 0
  }
  const before = await edgeOf()
  await frame(page).evaluate((element) => element.scrollTo(-400, 0))
  await expect.poll(() => frame(page).evaluate((element) => element.scrollLeft)).toBeLessThan(-50)
  expect(await edgeOf()).toBe(before)
  const edge = page.getByRole('separator', { name: 'Width of Stock' })
  const width = Number(await edge.getAttribute('aria-valuenow'))
  await edge.press('ArrowLeft')
  await expect.poll(async () => Number(await edge.getAttribute('aria-valuenow'))).toBe(width + 16)
})
