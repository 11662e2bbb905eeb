// @module-tag release
import { expect, test } from 'vitest'
import { questionnaires } from '#contract/questionnaires/questionnaires/questionnaires.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, field, heading, pressEnter, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('a questionnaire from a template is edited with the keyboard, saved, tried, published and changed by two people', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/configure-questionnaire')
  await pressEnter(button(page, 'New questionnaire').first())
  await page.getByRole('radio', { name: /^Dealer energy/ }).check()
  await field(page, 'Name').fill('Energy 2027')
  await field(page, 'Key').fill('energy-2027')
  await page.keyboard.press('Enter')
  await see(heading(page, 'Energy 2027'), page.getByText('26 questions in 4 sections', { exact: false }))

  // A question with two choices, moved up, without a mouse and without a Save button.
  const outline = page.getByRole('navigation', { name: 'Questions' })
  const saved = page.waitForResponse((response) => response.url().includes(questionnaires.update.path))
  await outline.getByRole('button', { name: 'Year of construction' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('n')
  await pressEnter(page.getByRole('menuitem', { name: 'One choice' }))
  await field(page, 'Question').fill('Who owns the building?')
  await field(page, 'Choices').fill('Us\nA landlord')
  await outline.getByRole('button', { name: 'Who owns the building?' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  expect((await saved).status()).toBe(200)
  await see(page.getByText(/^Saved /), page.getByText('27 questions in 4 sections', { exact: false }))

  await page.getByRole('link', { name: 'Try it' }).click()
  await see(page.getByText("Can't be submitted yet"))
  await page.getByLabel('A landlord').check()
  await see(page.getByText('1 answer to', { exact: false }))

  await button(page, 'Publish version 1').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).click()
  await see(page.getByRole('alert').filter({ hasText: 'Questionnaire published' }), button(page, 'New draft'))

  // Two people in one draft: the second one keeps what was typed, and decides.
  await button(page, 'New draft').click()
  await see(button(page, 'Publish version 2'))
  await page.getByRole('link', { name: 'Questions' }).click()
  await outline.getByRole('button', { name: 'Gross floor area of all buildings' }).click()
  const other = await newPage()
  await signIn(other, 'super', 'Northgate Ford')
  await other.goto(page.url())
  await see(button(other, 'Publish version 2'))
  await field(page, 'Question').fill('Floor area of all buildings')
  await see(page.getByText(/^Saved /))
  await page.reload()
  await expect.poll(() => field(page, 'Question').inputValue()).toBe('Floor area of all buildings')
  await field(other, 'Question').fill('Gross area')
  const conflict = other.getByRole('dialog', { name: /changed this questionnaire/ })
  await see(conflict)
  await conflict.getByRole('button', { name: 'Overwrite with mine' }).click()
  await see(other.getByText(/^Saved /))
  await page.reload()
  await expect.poll(() => field(page, 'Question').inputValue()).toBe('Gross area')

  // A published version comes back as the draft, and the editor can undo that.
  await page.getByRole('link', { name: 'Versions' }).click()
  await button(page, 'Edit this version of version 1').click()
  await see(page.getByRole('alert').filter({ hasText: 'Questions of version 1' }))
  await outline.getByRole('button', { name: 'Gross floor area of all buildings' }).click()
  await expect.poll(() => field(page, 'Question').inputValue()).toBe('Gross floor area of all buildings')
  await see(page.getByText(/^Saved /))
  await button(page, 'Undo').click()
  await see(outline.getByRole('button', { name: 'Gross area' }))
})
