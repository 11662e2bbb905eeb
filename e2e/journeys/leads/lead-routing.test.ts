// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage, profile } = stage()

const rules = (page: Page) => page.getByRole('list', { name: 'Rules in order' }).getByRole('link')
const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const save = (page: Page, name: string) => drawer(page).getByRole('button', { name, exact: true })

/** The input of a select or of tags. */
const entry = (page: Page, name: string) =>
  page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name })).first()

async function openRules(page: Page): Promise<void> {
  await page.goto('/customers/lead-routing')
  await see(page.getByText('All other leads'))
}

/** Waits until the order is saved: the list shows it before. */
async function ordered(page: Page, change: () => Promise<void>): Promise<void> {
  const saved = page.waitForResponse(`**${leadRoutingRules.order.path}`)
  await change()
  await saved
}

/** Adds a rule for all leads about a make. */
async function addRule(page: Page, { name, make }: { name: string; make: string }): Promise<void> {
  await button(page, 'Add rule').first().click()
  await field(page, 'Name').fill(name)
  await button(page, 'Add condition').click()
  await page.getByRole('menuitem', { name: 'Make' }).click()
  const makes = entry(page, 'Make is any of')
  await makes.fill(make)
  await makes.press('Enter')
  await save(page, 'Add rule').click()
  await see(page.getByText('Add at least one destination.'))
  await button(page, 'Add destination').click()
  await entry(page, 'Destination').click()
  await page.getByRole('option', { name: 'Inbox' }).click()
  await save(page, 'Add rule').click()
  await see(notice(page, 'Rule added').filter({ hasText: name }), save(page, 'Save rule'))
}

test('an administrator adds rules, fixes one that is never reached, and orders them by keyboard', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await openRules(page)
  const before = await rules(page).count()
  await addRule(page, { name: 'Every Kia', make: 'Kia' })
  await button(page, 'Try it').click()
  await see(drawer(page).getByText(/would go elsewhere|There are no leads to try it with yet/))
  await button(page, 'Close').click()
  await miss(drawer(page))
  await addRule(page, { name: 'Kia again', make: 'kia' })
  await button(page, 'Close').click()
  await miss(drawer(page))

  await see(page.getByText('Never reached: Every Kia takes all of its leads.'))
  await ordered(page, () => button(page, 'Move before Every Kia').click())
  await see(page.getByText('Never reached: Kia again takes all of its leads.'))

  await page.getByRole('link', { name: 'Every Kia' }).focus()
  await ordered(page, () => page.keyboard.press('Alt+ArrowUp'))
  await see(page.getByText('Never reached: Every Kia takes all of its leads.'))
  await page.reload()
  await see(page.getByText('Never reached: Every Kia takes all of its leads.'))
  expect((await rules(page).allTextContents()).slice(before - 1)).toEqual([
    'Every Kia',
    'Kia again',
    'All other leads',
  ])
})

test('what was typed survives a change of another user', async () => {
  const [mine, theirs] = [await (await profile()).newPage(), await newPage()]
  for (const page of [mine, theirs]) {
    await signIn(page, 'northgate.admin', 'Northgate Ford')
    await openRules(page)
    await page.getByRole('link', { name: 'All other leads' }).click()
    await see(field(page, 'Name'))
  }
  await field(theirs, 'Name').fill('Everything else')
  await save(theirs, 'Save rule').click()
  await see(notice(theirs, 'Rule saved'))
  await field(mine, 'Name').fill('The rest')
  await save(mine, 'Save rule').click()
  await button(mine, 'Compare').click()
  await see(
    mine.getByRole('cell', { name: 'The rest' }).first(),
    mine.getByRole('cell', { name: 'Everything else' }),
  )
  await button(mine, 'Overwrite').click()
  await see(notice(mine, 'Rule saved'))
  expect(await field(mine, 'Name').inputValue()).toBe('The rest')
})
