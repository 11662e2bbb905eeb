// @module-tag release
import { expect, test } from 'vitest'
import { SAMPLE_ADF } from '#contract/leads/inbound/sample-adf.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, drawer, field, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('adds an address, receives a lead at its URL, and corrects a document that could not be read', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  await page.goto('/customers/lead-routing/inbound?address=new')
  await field(page, 'Label').fill('Journey provider')
  await field(page, 'Lead source').fill('Journey')
  await page.getByRole('combobox', { name: 'Lot' }).click()
  await page.getByRole('option', { name: 'Northgate Ford, NGF' }).click()
  await drawer(page).getByRole('button', { name: 'Add inbound address' }).click()
  await button(page, 'Create URLs').click()
  const url = await field(page, 'ADF URL').inputValue()
  const post = (body: string) => fetch(url, { method: 'POST', body })
  expect((await post(SAMPLE_ADF)).status).toBe(200)
  const broken = SAMPLE_ADF.replace('10001', '10002').replace('Dana', 'Nora').replace('</adf>', '')
  expect((await post(broken)).status).toBe(422)

  await page.goto('/customers/lead-routing/inbound')
  await see(page.getByText('Journey, Northgate Ford'))
  const refused = page
    .getByRole('listitem')
    .filter({ hasText: 'Journey provider' })
    .filter({ hasText: 'ADF document' })
  await refused.getByRole('link').click()
  await see(drawer(page).getByText('The document is incomplete', { exact: false }))
  await button(page, 'Correct the text').click()
  await page.getByRole('textbox', { name: 'Corrected text' }).fill(`${broken}</adf>`)
  await button(page, 'Read again').click()
  await see(
    page.getByText('The message is a lead now'),
    drawer(page).getByRole('link', { name: 'Nora Sample' }),
  )
  await drawer(page).getByRole('link', { name: 'Nora Sample' }).click()
  await see(page.getByText('Is it still available?').first())
})
