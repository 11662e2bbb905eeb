// @module-tag release
import { expect, test } from 'vitest'
import { PASSWORD_RULE_MESSAGE } from '#contract/identity/passwords/password.ts'
import { stage } from '#e2e/harness/stage.ts'
import { openEmptyWorld } from '#e2e/harness/world.ts'
import {
  button,
  drawer,
  field,
  giveCredentials,
  heading,
  miss,
  openLots,
  see,
  setUpFactor,
} from '#e2e/harness/steps.ts'

let output = () => ''
const { profile } = stage({
  start: async () => {
    const world = await openEmptyWorld()
    output = world.output
    return world
  },
})

const USER = {
  Company: 'Rivera Motors',
  'First name': 'Inés',
  'Last name': 'Rivera',
  'User name': 'ines',
  Email: 'ines@rivera.example',
}

test('the printed link sets up Forecourt once, and its super user can sign in and add a lot', async () => {
  const printedLink = () => /Set up Forecourt at (\S+)/.exec(output())?.[1] ?? ''
  await expect.poll(printedLink).toMatch(/^http/)
  const link = printedLink()
  const page = await (await profile()).newPage()

  await page.goto('/auth/signin')
  await see(page.getByText("No one can sign in yet: Forecourt isn't set up."))
  await page.goto('/auth/set-up?token=wrong')
  await button(page, 'Set up').click()
  await see(page.getByText('Company is required.'), page.getByText(PASSWORD_RULE_MESSAGE))
  await expect.poll(() => page.title()).toMatch(/^Set up \| /)

  const fill = async () => {
    for (const [name, value] of Object.entries(USER)) await field(page, name).fill(value)
    await page.getByLabel('Password', { exact: true }).fill('short')
    await button(page, 'Set up').click()
    await see(page.getByText(PASSWORD_RULE_MESSAGE))
    await page.getByLabel('Password', { exact: true }).fill('Rivera7!x')
    await button(page, 'Set up').click()
  }
  await fill()
  await see(
    page.getByRole('alert').getByText('This link is invalid. Use the link printed when Forecourt started.'),
  )

  await page.goto(link)
  await fill()
  await page.waitForURL('**/auth/signin')
  await see(page.getByText('Forecourt is set up'))
  await miss(page.getByText('No one can sign in yet'))
  expect(await page.getByLabel('User name or email').inputValue()).toBe('ines')

  await page.goto(link)
  await see(heading(page, 'Forecourt is already set up'))
  await page.getByRole('link', { name: 'Sign in' }).click()
  await miss(page.getByText('No one can sign in yet'))
  await giveCredentials(page, 'ines', 'Rivera7!x')
  // No emails are sent yet, so a super user's second factor is an app.
  await setUpFactor(page)
  await page.waitForURL('**/dashboard')
  await see(heading(page, /^Good \w+, Inés$/))
  await openLots(page)
  await see(page.getByText('No lots yet'))
  await button(page, 'Add lot').first().click()
  await field(page, 'Code').fill('one')
  await field(page, 'Name').fill('Main Street')
  await drawer(page).getByRole('button', { name: 'Add lot' }).click()
  await see(drawer(page).getByText(/^Lot ONE, changed/))
})
