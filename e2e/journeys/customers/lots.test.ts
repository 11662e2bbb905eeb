import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { placesKept } from '#e2e/harness/places-kept.ts'
import { stage } from '#e2e/harness/stage.ts'
import { now } from '#e2e/harness/world.ts'
import { button, drawer, field, lotLink, miss, openLots, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage, profile } = stage()

const LACKS_PERMISSION = /^You don't have permission to do this\. It requires Lots, /
const rows = (page: Page) => page.getByRole('table', { name: 'Lots' }).getByRole('link')
/** A success notice. */
const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })

test('a dealer adds, edits and deletes a lot', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.dealer')
  await openLots(page)
  await button(page, 'Add lot').click()
  await drawer(page).getByRole('button', { name: 'Add lot' }).click()
  await see(page.getByText('Code is required.'), page.getByText('Name is required.'))
  await field(page, 'Code').fill('ngf')
  await field(page, 'Name').fill('Elm Street')
  await drawer(page).getByRole('button', { name: 'Add lot' }).click()
  await see(page.getByText('This code is already in use.'))
  await field(page, 'Code').fill('elm')
  await drawer(page).getByRole('button', { name: 'Add lot' }).click()
  await see(notice(page, 'Lot added'), drawer(page).getByText(/^Lot ELM, changed/))

  await field(page, 'City').fill('Davis')
  await see(page.getByText('1 field changed'))
  await page.keyboard.press('Control+s')
  await see(notice(page, 'Lot saved'))
  await miss(page.getByText('1 field changed'))

  // A text that is too long is pasted whole, and not saved in silence.
  const long = 'Davis '.repeat(30).trim()
  await field(page, 'Address').fill(long)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  await field(page, 'Address').fill('')
  await field(page, 'City').press('Control+a')
  await page.keyboard.press('Control+v')
  expect(await field(page, 'City').inputValue()).toBe(long)
  await page.keyboard.press('Control+s')
  await see(page.getByText('City may have at most 100 characters.'))
  await field(page, 'City').fill('Davis')

  await button(page, 'Delete lot').click()
  const question = page.getByRole('dialog', { name: 'Delete lot ELM?' })
  await see(
    question.getByText('Elm Street is removed from all lists, unless it has vehicles.', { exact: false }),
  )
  await question.getByRole('button', { name: 'Delete lot' }).click()
  await see(page.getByText('Delete 1 lot: done'))
  await miss(drawer(page), lotLink(page, 'Elm Street'))
  await expect.poll(() => rows(page).count()).toBe(3)
  await button(page, 'Undo').click()
  await see(lotLink(page, 'Elm Street'))
})

test(
  'opening hours can be entered in common formats, and show whether the lot is open',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.dealer')
    await openLots(page)
    await button(page, 'Add lot').click()
    await field(page, 'Code').fill('hrs')
    await field(page, 'Name').fill('Always Street')
    await field(page, 'Monday').fill('nine to five')
    await drawer(page).getByRole('button', { name: 'Add lot' }).click()
    await see(page.getByText(/^Enter hours such as 9:00-12:30/))
    await field(page, 'Monday').fill('24h')
    await field(page, 'Saturday').fill('0-24')
    await field(page, 'Sunday').fill('12am-12am')
    await see(page.getByText(/^Enter hours such as 9:00-12:30/))
    await field(page, 'Sunday').fill('0:00-24:00')
    await button(page, 'Copy Monday to weekdays').click()
    expect(await field(page, 'Friday').inputValue()).toBe('00:00-24:00')
    await drawer(page).getByRole('button', { name: 'Add lot' }).click()
    await see(notice(page, 'Lot added'), drawer(page).getByText('Open', { exact: true }))

    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Los_Angeles' }).format(now())
    const holidays = drawer(page).getByRole('group', { name: 'holiday list' }).getByRole('listitem')
    await button(page, 'Add holiday').click()
    await holidays.getByLabel(/^Date/).fill(today)
    await holidays.getByLabel('Holiday name').fill('Stocktaking')
    await button(page, 'Save lot').click()
    await see(notice(page, 'Lot saved'), drawer(page).getByText(/^Closed \(Stocktaking\), opens /))
    await see(page.getByRole('table', { name: 'Lots' }).getByText(/^Closed \(Stocktaking\), opens /))
    await button(page, 'Delete lot').click()
    await page
      .getByRole('dialog', { name: 'Delete lot HRS?' })
      .getByRole('button', { name: 'Delete lot' })
      .click()
    await see(page.getByText('Delete 1 lot: done'))
  },
)

/** A disabled button that explains why. */
async function expectRefusing(action: Locator): Promise<void> {
  expect(await action.getAttribute('aria-disabled')).toBe('true')
  expect(await action.getAttribute('aria-description')).toMatch(LACKS_PERMISSION)
}

test('an auditor can view but not change lots', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.auditor')
  await openLots(page)
  await expectRefusing(button(page, 'Add lot'))
  await lotLink(page, 'Northgate Pre-Owned').click()
  await see(drawer(page).getByText(/^Lot NGP/))
  for (const name of ['Save lot', 'Delete lot']) await expectRefusing(button(page, name))
  expect(await field(page, 'Name').isEditable()).toBe(false)
  expect(await drawer(page).getByRole('checkbox').isDisabled()).toBe(true)
  await page.keyboard.press('Control+s')
  await page.keyboard.press('Escape')
  await miss(drawer(page))
})

test(
  'search, sort, page and size are in the URL: reload, back and a shared link agree',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openLots(page, '?size=2')
    await button(page, 'Code').click()
    await page.waitForURL(/sort=code/)
    await button(page, 'Next page').click()
    await page.waitForURL(/page=2/)
    await see(lotLink(page, 'Northgate Service'))
    const second = await rows(page).allInnerTexts()

    await page.reload()
    await see(lotLink(page, 'Northgate Service'))
    expect(await rows(page).allInnerTexts()).toEqual(second)

    await page.getByLabel('Rows').selectOption('25')
    await see(lotLink(page, 'Fulton overflow'))
    await page.goBack()
    await miss(lotLink(page, 'Fulton overflow'))
    await expect.poll(() => rows(page).allInnerTexts()).toEqual(second)

    const other = await newPage()
    await signIn(other, 'northgate.admin', 'Northgate Toyota')
    await other.goto(page.url())
    await see(lotLink(other, 'Northgate Service'))
    expect(await rows(other).allInnerTexts()).toEqual(second)

    await page.getByLabel('Search lots').fill('toyota')
    await page.waitForURL(/search=toyota/)
    await see(lotLink(page, 'Northgate Toyota'))
    expect(new URL(page.url()).searchParams.get('page')).toBeNull()
    await page.reload()
    await see(lotLink(page, 'Northgate Toyota'))
    expect(await page.getByLabel('Search lots').inputValue()).toBe('toyota')
  },
)

test('the second user to save sees what changed, compares and overwrites, without losing input', async () => {
  const [dana, luis] = [await newPage(), await newPage()]
  await signIn(dana, 'northgate.admin', 'Northgate Ford')
  await signIn(luis, 'northgate.dealer')
  for (const page of [dana, luis]) {
    await openLots(page)
    await lotLink(page, 'Northgate Service').click()
    await see(field(page, 'City'))
  }
  await field(dana, 'City').fill('Folsom')
  await button(dana, 'Save lot').click()
  await see(notice(dana, 'Lot saved'))

  await field(luis, 'City').fill('Roseville')
  await field(luis, 'Phone').fill('+1 916 555 0199')
  // Of what only the other window changed, nothing is asked and nothing is overwritten.
  await field(dana, 'Postal code').fill('95630')
  await button(dana, 'Save lot').click()
  await see(drawer(dana).getByText(/^Lot NGS, changed/))
  await expect.poll(() => button(dana, 'Save lot').isEnabled()).toBe(true)
  await button(luis, 'Save lot').click()
  const question = luis.getByRole('dialog', { name: /^Dana Whitfield changed this lot/ })
  await see(question.getByText('Changed by both: City.'))
  await question.getByRole('button', { name: 'Compare' }).click()
  await see(question.getByRole('row', { name: 'City Roseville Folsom' }))
  await question.getByRole('button', { name: 'Close' }).click()
  await miss(question)
  expect(await field(luis, 'Phone').inputValue()).toBe('+1 916 555 0199')
  await button(luis, 'Save lot').click()
  await question.getByRole('button', { name: 'Overwrite' }).click()
  await see(notice(luis, 'Lot saved'))
  await luis.reload()
  await see(field(luis, 'City'))
  expect(await field(luis, 'City').inputValue()).toBe('Roseville')
  expect(await field(luis, 'Postal code').inputValue()).toBe('95630')

  // Both entered the same: there is nothing to decide.
  await field(dana, 'City').fill('Roseville')
  await field(dana, 'Phone').fill('+1 916 555 0199')
  await button(dana, 'Save lot').click()
  await see(notice(dana, 'Lot saved').first())
  await expect.poll(() => drawer(dana).getByText('changed Nov 18 by Luis Ortega').isVisible()).toBe(true)
})

test(
  'a lot that was deleted in another window says so, keeps what was typed, and can be added again',
  { tags: 'release' },
  async () => {
    const [mine, theirs] = [await newPage(), await newPage()]
    for (const page of [mine, theirs]) {
      await signIn(page, 'northgate.admin', 'Northgate Ford')
      await openLots(page)
    }
    const added = { code: 'ELM9', name: 'Elm Street', isPublic: false }
    const { id } = await callAs(theirs, lots.add, added)
    await mine.goto(`/customers/lots?lot=${id}`)
    await field(mine, 'City').fill('Davis')
    await callAs(theirs, lots.remove, { id })
    await button(mine, 'Save lot').click()
    const question = mine.getByRole('dialog', { name: 'This lot was deleted in the meantime' })
    await question.getByRole('button', { name: 'Add it again' }).click()
    expect(await field(mine, 'City').inputValue()).toBe('Davis')
    // A reload finds no record anymore: the form of a new one offers it.
    await expect.poll(() => placesKept(mine)).toContainEqual(expect.stringContaining(lots.add.path))
    mine.on('dialog', (dialog) => void dialog.accept())
    await mine.goto('/customers/lots?lot=new')
    await button(mine, 'Put it back').click()
    expect(await field(mine, 'City').inputValue()).toBe('Davis')
    await drawer(mine).getByRole('button', { name: 'Add lot' }).click()
    await see(notice(mine, 'Lot added'), drawer(mine).getByText(/^Lot ELM9, changed/))
    expect(await field(mine, 'City').inputValue()).toBe('Davis')
  },
)

test('input survives refocusing the window after someone else saved', { tags: 'release' }, async () => {
  const [mine, theirs] = [await (await profile()).newPage(), await newPage()]
  await mine.clock.install({ time: now() })
  for (const page of [mine, theirs]) {
    await signIn(page, 'northgate.dealer')
    await openLots(page)
    await lotLink(page, 'Northgate Service').click()
    await see(field(page, 'City'))
  }
  await field(mine, 'City').fill('Folsom')
  await field(theirs, 'Phone').fill('+1 916 555 0149')
  await theirs.keyboard.press('Control+s')
  await see(theirs.getByText('Lot saved'))

  // Long enough for the cached lot to become stale.
  await mine.clock.fastForward(10_000)
  const asked = mine.waitForResponse(/edit-lot/)
  await mine.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await asked
  await see(drawer(mine).getByText(/1 field changed/))
  expect(await field(mine, 'City').inputValue()).toBe('Folsom')
  await mine.keyboard.press('Control+s')
  await see(mine.getByRole('dialog', { name: /changed this lot/ }))
})
