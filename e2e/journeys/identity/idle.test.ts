// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { heading, openDashboard, openLots, see, signInAgain } from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage({
  environment: {
    FORECOURT_IDLE_SECONDS: '6',
    FORECOURT_IDLE_WARNING_SECONDS: '12',
    FORECOURT_THEME_CUSTOMIZER: '0',
  },
})

test('every tab title counts down; activity in one tab restores all, inactivity ends the session', async () => {
  const first = await newPage()
  await signInAgain(first, product(), 'northgate.dealer')
  await openDashboard(first)
  const second = await first.context().newPage()
  await openLots(second)
  const tabs = [first, second]

  const countdown = () =>
    Promise.all(
      tabs.map((tab) => tab.waitForFunction(() => /^\(\d+\) Signing out soon/.test(document.title))),
    )
  await countdown()
  await see(second.getByText(/^You'll be signed out soon/))
  await second.keyboard.press('Shift')
  await Promise.all([
    first.waitForFunction(() => document.title.startsWith('Dashboard | ')),
    second.waitForFunction(() => document.title.startsWith('Lots | ')),
  ])

  await countdown()
  await Promise.all(tabs.map((tab) => tab.waitForURL(/\/auth\/signin/)))
  await see(heading(first, 'Sign in'), heading(second, 'Sign in'))
  expect(await second.evaluate(() => Object.keys(localStorage))).toEqual([])
})

test('without the theme customizer, the menu offers only light and dark', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'northgate.dealer')
  await openDashboard(page)
  await page.getByRole('banner').getByRole('button').last().click()
  await see(page.getByRole('menuitem', { name: 'Dark mode' }))
  expect(await page.getByRole('menuitem', { name: 'Appearance' }).count()).toBe(0)
})
