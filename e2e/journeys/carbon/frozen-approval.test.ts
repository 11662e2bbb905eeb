// @module-tag release
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import { button, see, signIn } from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

test('an approval is downloaded and verified, and two people unlock it', async () => {
  const sustain = await newPage()
  await signIn(sustain, 'northgate.sustain', 'Northgate Ford')
  const { results } = await callAs(sustain, carbonInventories.list, { search: 'Carbon 2025' })
  const { id } = results.find(({ status }) => status === 'locked') ?? { id: '' }
  await sustain.goto(`/carbon/start?inventory=${id}`)

  const coming = sustain.waitForEvent('download')
  await sustain.getByRole('button', { name: /^Download: Approval of Carbon 2025/ }).click()
  const bytes = await readFile(await (await coming).path())
  await sustain.getByRole('button', { name: /^Verify: Approval of Carbon 2025/ }).click()
  const dialog = sustain.getByRole('dialog', { name: 'Verify approval' })
  const verify = async (buffer: Buffer) => {
    const file = { name: 'approval.json', mimeType: 'application/json', buffer }
    await dialog.locator('input[type=file]').setInputFiles(file)
    await dialog.getByRole('button', { name: 'Verify' }).click()
  }
  await verify(bytes)
  await see(dialog.getByText(/^This file is the approval of .*, byte for byte\.$/))
  await verify(Buffer.concat([bytes, Buffer.from(' ')]))
  await see(dialog.getByText(/^This file isn.t the approval of/))
  await dialog.getByRole('button', { name: 'Close' }).click()

  await button(sustain, 'Request to unlock').click()
  await sustain.getByRole('dialog').getByLabel('Reason').fill('The July bill was credited')
  await sustain.getByRole('dialog').getByRole('button', { name: 'Request to unlock' }).click()
  await see(sustain.getByText('You asked to unlock Carbon 2025'), button(sustain, 'Withdraw request'))

  const admin = await newPage()
  await signIn(admin, 'northgate.admin', 'Northgate Ford')
  await admin.goto(`/carbon/start?inventory=${id}`)
  await see(admin.getByText('Priya Raman asks to unlock Carbon 2025'))
  await button(admin, 'Unlock').click()
  await admin.getByRole('dialog').getByLabel('Reason').fill('Seen on the bill')
  await admin.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click()
  await see(button(admin, 'Request to reopen'))
  expect((await callAs(admin, carbonInventories.get, { id })).status).toBe('approved')
  await button(admin, 'History').click()
  await see(admin.getByText('Requested by Priya Raman: The July bill was credited'))
})
