// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { addYear, callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

/** A year whose three sources are due on a day and belong to the sustainability manager. */
async function assignedYear(page: Page, year: number) {
  const made = await addYear(page, { year })
  const { results } = await callAs(page, carbonInventories.list, {})
  const organization = results.find(({ id }) => id === made.id)?.organizationId ?? ''
  const people = await callAs(page, carbonInventories.people, { organization })
  const dataOwnerId = people.find(({ name }) => name === 'Priya Raman')?.id ?? null
  const sources = await callAs(page, carbonAssignments.sources, { inventory: made.id })
  await callAs(page, carbonAssignments.save, {
    inventoryId: made.id,
    changes: sources.map(({ facilityId, sourceType }) => ({
      facilityId,
      sourceType,
      isAssigned: true as const,
      dataOwnerId,
      dueOn: '2030-12-12',
    })),
  })
  return made
}

test('requests data, the data owner finds the request without the email and answers it, and the cell shows it', async () => {
  const page = await newPage()
  await signIn(page, 'northgate.admin', 'Northgate Ford')
  const { id, power } = await assignedYear(page, 2025)
  await page.goto(`/carbon/emission?inventory=${id}`)
  await button(page, 'Request data for 3 empty sources').click()
  const dialog = page.getByRole('dialog', { name: 'Request data' })
  await see(dialog.getByRole('group', { name: 'Priya Raman' }))
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(4)
  await dialog.getByLabel('Message').fill('The bills are with the accountant.')
  await button(page, 'Send 1 email').click()
  await see(page.getByText('Data requested'), page.getByText('Requested just now, not answered yet').first())
  await see(button(page, 'Remind 1 person'))

  // Emailed a moment ago: nothing is selected, so that no email goes out by mistake.
  await button(page, 'Remind 1 person').click()
  const reminder = page.getByRole('dialog', { name: 'Send reminders' })
  await see(reminder.getByText(/^Sources emailed about in the last 24 hours/))
  expect(await button(page, 'Send 0 emails').getAttribute('aria-disabled')).toBe('true')
  await button(page, 'Cancel').click()

  const other = await newPage()
  await signIn(other, 'northgate.sustain', 'Northgate Ford')
  await other.goto('/carbon')
  await other
    .getByRole('link', {
      name: 'Requested from you: 3 sources without data in Bills of 2025, due Dec 12, 2030',
    })
    .click()
  await see(other.getByRole('heading', { name: 'Requested from you: 3 sources, due Dec 12, 2030' }))
  await see(other.getByText('Message from Dana Whitfield: The bills are with the accountant.'))
  const asked = other.getByRole('region', { name: /^Requested from you/ })
  await asked.getByRole('button', { name: /^Electricity at/ }).click()
  await other.waitForURL(`**source=${power}*`)
  await other.getByRole('grid', { name: /^Electricity/ }).focus()
  for (const text of ['1/1/2025', '12/31/2025', '1200']) {
    await other.keyboard.type(text)
    await other.keyboard.press('Tab')
  }
  await other.keyboard.press('Control+s')
  await see(asked.getByText('Answered'))
  expect(await asked.getByText('No data yet').count()).toBe(2)
  await button(other, 'Show all sources').click()
  await see(other.getByRole('link', { name: /^Requested from you: 2 sources without data in Bills of 2025/ }))

  await page.reload()
  await see(page.getByRole('button', { name: /Answered just now, Electricity at/ }))
  await see(button(page, 'Request data for 2 empty sources'), button(page, 'Remind 1 person'))
})
