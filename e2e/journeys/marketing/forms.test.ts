// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { forms } from '#contract/marketing/forms/forms.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { findOverflow } from '#e2e/harness/check-views.ts'
import { findA11yViolations } from '#e2e/harness/find-a11y-violations.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, miss, pressEnter, see, signIn } from '#e2e/harness/steps.ts'
import { EVERY_TYPE } from '#test/factories/marketing/every-type.ts'

/** Addresses of other sites that a test opens. */
const elsewhere: string[] = []
const { page: newPage, profile, product } = stage({ alsoAt: elsewhere })

/** Replaces the text of the focused field. */
async function type(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}
const entries = (page: Page) =>
  page.getByRole('navigation', { name: 'Questions' }).getByRole('listitem').allInnerTexts()

test('a form built and published with the keyboard alone is answered without a script and read', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/dvp/forms')
  await pressEnter(button(page, 'New form').first())
  await field(page, 'Name').focus()
  await page.keyboard.type('Book a visit')
  expect(await field(page, 'Address').inputValue()).toBe('book-a-visit')
  await page.keyboard.press('Enter')
  await see(heading(page, 'Book a visit'), page.getByText('5 questions in 1 step', { exact: false }))

  // Below "Phone": a question with two choices, moved above it.
  const outline = page.getByRole('navigation', { name: 'Questions' })
  await outline.getByRole('button', { name: 'Name' }).focus()
  for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('n')
  await pressEnter(page.getByRole('menuitem', { name: 'One choice' }))
  await expect
    .poll(() => field(page, 'Question').evaluate((input) => input === document.activeElement))
    .toBe(true)
  await type(page, 'What time of day?')
  await field(page, 'Choices').focus()
  await type(page, 'Morning\nEvening')
  await outline.getByRole('button', { name: 'What time of day?' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  expect((await entries(page)).map((text) => text.split('\n')[0]?.trim())).toEqual(
    expect.arrayContaining(['Email', 'What time of day?', 'Phone']),
  )
  await see(page.getByText('Unsaved', { exact: true }))

  await pressEnter(button(page, 'Publish'))
  await see(page.getByRole('alert').filter({ hasText: 'Form published' }))
  await see(page.getByText('Visitors see version 1.', { exact: false }))
  await miss(page.getByText('Unsaved', { exact: true }))

  // The button leads to the customer's own domain, which only this test resolves.
  const { port } = new URL(product().address)
  const domain = `http://cars.northgate.example:${port}`
  elsewhere.push(domain)
  await page.context().route(`${domain}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url())
    const headers = { ...route.request().headers(), host: new URL(domain).host }
    const response = await route.fetch({ url: `${product().address}${pathname}${search}`, headers })
    // Browsers complain about it without encryption.
    const { 'cross-origin-opener-policy': _ignored, ...shown } = response.headers()
    await route.fulfill({ response, headers: shown })
  })
  const [trial] = await Promise.all([
    page.waitForEvent('popup'),
    button(page, 'Test this form').press('Enter'),
  ])
  await see(trial.getByText('This is a test.', { exact: false }))
  await trial.close()

  const address = new URL(product().address)
  address.hostname = 'northgate.localhost'
  const context = await page.context().browser()?.newContext({ javaScriptEnabled: false })
  if (context === undefined) throw new Error('The browser is closed.')
  const visitor = await context.newPage()
  await visitor.goto(`${address.origin}/f/book-a-visit`)
  await visitor.getByLabel('Name').fill('Nora Wells')
  await visitor.getByLabel('Email', { exact: false }).first().fill('nora@mail.example')
  await visitor.getByLabel('Morning').check()
  // Two links look like spam, so that the time that this test takes doesn't decide.
  await visitor.getByLabel('Message').fill('See https://a.example and https://b.example')
  await visitor.locator('form').getByRole('button').last().press('Enter')
  await see(visitor.getByText('We received your message', { exact: false }))
  await context.close()

  await page.goto('/dvp/submissions')
  await pressEnter(page.getByRole('link', { name: 'Nora Wells' }))
  await see(drawer(page).getByText('Morning'), drawer(page).getByText('It contains several links.'))
  await pressEnter(button(page, 'Not spam'))
  await see(drawer(page).getByText('Received'))
  await miss(button(page, 'Not spam'))

  // A question that was deleted since returns with the version that had it.
  await page.goto('/dvp/forms')
  await pressEnter(page.getByRole('link', { name: 'Book a visit' }))
  const question = outline.getByRole('button', { name: 'What time of day?' })
  await pressEnter(question)
  await question.press('Delete')
  await miss(question)
  await pressEnter(page.getByRole('link', { name: /^Versions/ }))
  await pressEnter(button(page, 'Edit these questions of version 1'))
  await see(question)
})

test('questions of every type are accessible, with and without a script, on a phone and wide', async () => {
  const office = await newPage()
  await signIn(office, 'northgate.admin', 'Northgate Ford')
  const form = await callAs(office, forms.add, {
    name: 'Every type',
    key: 'every-type',
    draft: EVERY_TYPE,
    leadFields: { email: 'email' },
    thankYouTitle: 'Thank you',
    thankYouText: 'We will answer soon.',
  })
  await callAs(office, forms.publish, { id: form.id, version: form.version })
  const address = new URL(product().address)
  address.hostname = 'northgate.localhost'
  const page = await (await profile({ address: address.origin })).newPage()
  const session = await page.context().newCDPSession(page)
  const disableScripts = (value: boolean) => session.send('Emulation.setScriptExecutionDisabled', { value })
  for (const isScripted of [true, false]) {
    await disableScripts(!isScripted)
    await page.goto('/f/every-type')
    await field(page, 'Email').first().fill('not an address')
    await page.getByLabel('Miles, Row 1').fill('many')
    await page.getByLabel('City').fill('Sacramento')
    for (const state of ['empty', 'wrong']) {
      if (state === 'wrong') {
        await button(page, 'Send').click()
        await see(page.getByRole('heading', { name: /^Please check/ }))
      }
      expect(await page.getByLabel('Miles, Row 1').inputValue()).toBe('many')
      // The checks are scripts. The scripts of a page that was loaded without them stay off.
      await disableScripts(false)
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        const where = [isScripted, state, width]
        expect([...where, await findA11yViolations(page, { isWhole: true })]).toEqual([...where, []])
      }
      expect(await findOverflow(page)).toEqual([])
      await disableScripts(!isScripted)
    }
  }
})

test('a number that cannot be read stays as it was typed and changes nothing', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/dvp/forms')
  await button(page, 'New form').first().click()
  await field(page, 'Name').fill('Numbers')
  await page.keyboard.press('Enter')
  const outline = page.getByRole('navigation', { name: 'Questions' })
  await outline.getByRole('button', { name: 'Name' }).click()
  const most = field(page, 'Maximum characters')
  await most.fill('80')
  await most.press('Tab')
  for (const [text, problem] of [
    ['1.5', 'Enter a whole number.'],
    ['1,5', 'is ambiguous'],
    ['1e3', "isn't a number"],
    ['-3', 'Enter a number from 1 to 500.'],
    ['99999999999999999999', 'Enter a number from 1 to 500.'],
  ] as const) {
    await most.focus()
    await type(page, text)
    await most.press('Tab')
    await see(page.getByText(problem, { exact: false }))
    expect(await most.inputValue()).toBe(text)
  }
  await outline.getByRole('button', { name: 'Phone' }).click()
  await outline.getByRole('button', { name: 'Name' }).click()
  expect(await most.inputValue()).toBe('99999999999999999999')
  // Saving asks, because the number from before would be saved.
  await button(page, 'Publish').click()
  const question = page.getByRole('dialog', { name: 'Some numbers can’t be read' })
  await see(question.getByText(': “99999999999999999999”', { exact: false }))
  await question.getByRole('button', { name: 'Continue' }).click()
  await see(page.getByRole('alert').filter({ hasText: 'Form published' }))
  await outline.getByRole('button', { name: 'Phone' }).click()
  await outline.getByRole('button', { name: 'Name' }).click()
  expect(await most.inputValue()).toBe('80')

  // Typing goes on after a click on the button that saves.
  const name = field(page, 'Question')
  await name.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' a')
  await page.route(`**${forms.update.path}`, async (route) => {
    await see(page.locator('button[data-loading]', { hasText: 'Save draft' }))
    await page.keyboard.type('bc')
    await route.continue()
  })
  await button(page, 'Save draft').click()
  await miss(page.locator('button[data-loading]'))
  await page.keyboard.type('d')
  await expect.poll(() => name.inputValue()).toBe('Name abcd')
  expect(await name.evaluate((one) => one === document.activeElement)).toBe(true)
})
