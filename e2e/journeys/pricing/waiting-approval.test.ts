// @module-tag release
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { customerDetails } from '#contract/customers/details/details.ts'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { users } from '#contract/identity/users/users.ts'
import { callAs } from '#e2e/harness/carbon-year.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  drawer,
  field,
  lotLink,
  miss,
  openLots,
  see,
  signIn,
  signInByForm,
} from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const waiting = (page: Page) => page.getByRole('region', { name: 'Waiting for approval' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Ask for approval?' })

async function askFor(page: Page, note: string): Promise<void> {
  await dialog(page).getByLabel('Note').fill(note)
  await dialog(page).getByRole('button', { name: 'Ask for approval' }).click()
  await see(page.getByText('Sent for approval').first())
}

test('a fee waits for approval while the rest of the form is saved, and the approver decides', async () => {
  const admin = await newPage()
  await signIn(admin, 'northgate.admin', 'Northgate Ford')
  const { priceLimits } = await callAs(admin, customerDetails.get, {})
  await callAs(admin, customerDetails.update, { priceLimits: { ...priceLimits, approvalAbove: 1 } })
  const types = await callAs(admin, userTypes.list, { pageSize: 100 })
  const people = await callAs(admin, users.list, { pageSize: 100, search: 'Marino' })
  const userTypeId = types.results.find(({ name }) => name === 'Customer administrator')?.id ?? ''
  await callAs(admin, users.update, { user: { id: people.results[0]?.id ?? '', userTypeId } })

  await admin.goto('/customers/details')
  const fees = admin.getByRole('region', { name: 'Mandatory fees' })
  await fees.getByRole('listitem').first().getByLabel('Amount').fill('99')
  await field(admin, 'Legal name').fill('Northgate Motors of Ohio, LLC')
  await see(admin.getByText('2 fields changed'))
  await button(admin, 'Save changes').click()
  await askFor(admin, 'New state limit')
  // The rest is saved, and the form has no changes left.
  await see(admin.getByText('Details saved').first(), waiting(admin).getByText(/Mandatory fees: .*\$99/))
  await expect
    .poll(() =>
      waiting(admin)
        .boundingBox()
        .then((box) => (box?.y ?? -1) > 0),
    )
    .toBe(true)
  await miss(admin.getByText(/fields? changed/))
  expect(await field(admin, 'Legal name').inputValue()).toBe('Northgate Motors of Ohio, LLC')
  expect(await fees.getByRole('listitem').first().getByLabel('Amount').inputValue()).not.toBe('99')

  const approver = await newPage()
  await signInByForm(approver, 'sofia.marino', 'Northgate Ford')
  await approver.goto('/customers/details')
  await see(waiting(approver).getByText(/Requested by Dana Whitfield/))
  await waiting(approver).getByRole('link', { name: 'Review' }).click()
  await see(drawer(approver).getByText(/Mandatory fees: /))
  await drawer(approver).getByRole('button', { name: 'Reject' }).click()
  await approver.getByRole('dialog').getByLabel('Reason').fill('Not before January')
  await approver
    .getByRole('dialog', { name: /Reject/ })
    .getByRole('button', { name: 'Reject' })
    .click()
  await see(approver.getByText('Rejected').first())
  await admin.reload()
  await see(
    admin.getByRole('region', { name: 'Rejected' }).getByText('Reason: Not before January'),
    admin.getByText(/rejected the change you asked for/),
  )

  // The state of a lot, and it is withdrawn.
  await openLots(admin)
  await lotLink(admin, 'Northgate Ford').click()
  await drawer(admin).getByLabel('State or province').fill('OH')
  await drawer(admin).getByRole('button', { name: 'Save lot' }).click()
  await askFor(admin, 'We move')
  await see(waiting(admin).getByText(/State or province: .* → OH/))
  await miss(drawer(admin).getByText(/fields? changed/))
  await waiting(admin).getByRole('button', { name: 'Withdraw' }).click()
  await miss(waiting(admin))
})
