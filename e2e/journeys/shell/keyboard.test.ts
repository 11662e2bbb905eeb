import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, heading, lotLink, miss, see } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('signing in, adding, saving and deleting a lot needs no mouse, and the focus is never lost', async () => {
  const page = await newPage()
  const { keyboard } = page
  const focused = () => page.evaluate(() => document.activeElement?.tagName ?? 'BODY')
  /** Presses Tab until the element has the focus. */
  const reach = async (name: RegExp | string, { isBack = false } = {}) => {
    const isThere = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      )
    for (let steps = 0; steps < 40; steps += 1) {
      await keyboard.press(isBack ? 'Shift+Tab' : 'Tab')
      expect(await focused()).not.toBe('BODY')
      if ((await isThere()).match(name)) return
    }
    throw new Error(`The keyboard can't reach ${String(name)}.`)
  }

  await page.goto('/auth/signin')
  await see(button(page, 'Sign in'))
  await keyboard.type('northgate.dealer')
  await keyboard.press('Tab')
  await keyboard.type('DemoForecourt7!')
  await keyboard.press('Enter')
  await see(heading(page, /^Good \w+, Luis$/))
  await expect.poll(focused).toBe('H1')
  // The menu can load after the page.
  await see(page.getByRole('link', { name: 'Lots', exact: true }))
  await reach(/^Lots$/, { isBack: true })
  await keyboard.press('Enter')
  await see(lotLink(page, 'Northgate Ford'))
  await expect.poll(focused).toBe('H1')
  await reach(/^Add lot$/)
  await keyboard.press('Enter')
  await see(field(page, 'Code'))
  await expect.poll(() => field(page, 'Code').evaluate((code) => code === document.activeElement)).toBe(true)
  await keyboard.type('kbd')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type('Key Street')
  await keyboard.press('Control+s')
  await see(drawer(page).getByText(/^Lot KBD, changed/))
  expect(await focused()).not.toBe('BODY')
  await reach(/^Delete lot$/)
  await keyboard.press('Enter')
  await see(page.getByRole('dialog', { name: 'Delete lot KBD?' }))
  await reach(/^Delete lot$/)
  await keyboard.press('Enter')
  await miss(drawer(page), lotLink(page, 'Key Street'))
  expect(await focused()).not.toBe('BODY')
})
