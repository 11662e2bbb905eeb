// @module-tag release
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, miss, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test("an assessment is set up in steps, names who can't answer, and opens", async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/assessments')
  await button(page, 'New assessment').click()
  await see(heading(page, 'New assessment'), field(page, 'Name'))
  await page
    .getByRole('combobox', { name: 'Questionnaire' })
    .or(page.getByRole('textbox', { name: 'Questionnaire' }))
    .first()
    .click()
  await page.getByRole('option', { name: 'Dealer energy' }).click()
  await field(page, 'Name').fill('Winter energy check')
  await field(page, 'Days before the due date, if nothing is answered').fill('14')
  await button(page, 'Save and choose targets').click()
  await page.getByLabel('West Sacramento').check()
  await page.getByLabel('Fulton overflow').check()
  await button(page, 'Save changes').click()
  await see(page.getByText('No one can answer 2 of 2 targets.'))

  await button(page, 'Edit people of Fulton overflow').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Erin Walsh')
  await drawer.getByLabel('Email').fill('erin.walsh@people.example')
  await drawer.getByRole('button', { name: 'Add person' }).click()
  await see(drawer.getByLabel('Role of Erin Walsh'))
  await drawer.getByRole('button', { name: 'Close' }).click()
  await see(page.getByText('No one can answer 1 of 2 targets.'))

  await button(page, 'Continue to Open').click()
  await see(
    button(page, 'Fix 1 target to open'),
    page.getByText('1 email is sent:', { exact: false }).first(),
  )
  await button(page, 'Open anyway').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open assessment' }).click()
  await see(page.getByText('Open, due', { exact: false }).first(), page.getByText('No one assigned'))
  expect(await page.getByRole('row').count()).toBe(3)
})

test('the board is read and used with the keyboard', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.sustain', 'Northgate Ford')
  await page.goto('/assessments?search=site check')
  await page.getByRole('link', { name: /^Dealer site check/ }).click()
  await see(heading(page, /^Dealer site check/), page.getByRole('row', { name: /Body and paint/ }))

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  const first = page.getByRole('row').nth(1)
  await expect.poll(() => first.evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('x')
  await see(page.getByRole('group', { name: 'Selected targets' }).getByText('1 selected'))
  await page.keyboard.press('x')
  await miss(page.getByRole('group', { name: 'Selected targets' }))

  await page.keyboard.press('m')
  await see(page.getByRole('dialog').getByLabel('Message'))
  await page.keyboard.press('Escape')
  await miss(page.getByRole('dialog'))

  await page.getByRole('button', { name: /In progress$/ }).click()
  await see(page.getByRole('row', { name: /Body and paint/ }))
  expect(await page.getByRole('row').count()).toBe(2)
  await page.reload()
  await see(page.getByRole('row', { name: /Body and paint/ }))
  await miss(page.getByRole('row', { name: /Service wing/ }))
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/targets\/\d+$/)
})
