import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  drawer,
  field,
  filterBy,
  giveCredentials,
  heading,
  miss,
  see,
  signIn,
  setUpFactor,
} from '#e2e/harness/steps.ts'

const { page: newPage } = stage()

const notice = (page: Page, title: string) => page.getByRole('alert').filter({ hasText: title })
const row = (page: Page, name: RegExp) => page.getByRole('table').getByRole('row', { name })

async function openCustomers(page: Page, search = ''): Promise<void> {
  await page.goto(`/customers${search}`)
  await see(heading(page, 'All customers'), page.getByText(/ of \d+ customers$/))
}

test('platform staff add a customer in one form, and its administrator signs in with the emailed link', async () => {
  const staff = await newPage()
  await signIn(staff, 'super', 'Forecourt Operations')
  await openCustomers(staff)
  await button(staff, 'Add customer').click()
  const submit = drawer(staff).getByRole('button', { name: 'Add customer' })
  await submit.click()
  await see(staff.getByText('Name is required.', { exact: true }), staff.getByText('Email is required.'))
  await field(staff, 'Name').fill('Riverside Auto')
  expect(await field(staff, 'First organization').inputValue()).toBe('Riverside Auto')
  await field(staff, 'First organization').fill('Riverside Kia')
  await field(staff, 'Name').fill('Riverside Auto Group')
  expect(await field(staff, 'First organization').inputValue()).toBe('Riverside Kia')
  await field(staff, 'Domain').fill('https://riverside.example')
  await see(staff.getByText('Enter a domain such as cars.example.com, without https://'))
  await field(staff, 'Domain').fill('')
  await field(staff, 'First name').fill('Priya')
  await field(staff, 'Last name').fill('Raman')
  await field(staff, 'Email').fill('priya.raman@riverside.example')
  await submit.click()

  await see(notice(staff, 'Riverside Auto Group added'))
  await see(drawer(staff).getByText('Riverside Kia'), drawer(staff).getByText('0 of 6 done'))
  await see(drawer(staff).getByText('Invited', { exact: true }))
  expect(new URL(staff.url()).searchParams.get('customer')).toMatch(/^\d+$/)
  await button(staff, 'Show email').click()
  await see(staff.getByText(/recorded in the audit log/).last())
  const link = await field(staff, 'Link').inputValue()
  await staff
    .getByRole('dialog', { name: /^Your account at/ })
    .getByRole('button', { name: 'Close' })
    .click()

  const priya = await newPage()
  await priya.goto(link)
  await priya.getByLabel('New password', { exact: true }).fill('Riverside7!')
  await priya.getByLabel('Confirm password', { exact: true }).fill('Riverside7!')
  await button(priya, 'Set password').click()
  await priya.waitForURL('**/auth/signin')
  await giveCredentials(priya, 'priya.raman@riverside.example', 'Riverside7!')
  await setUpFactor(priya)
  await priya.waitForURL('**/dashboard')
  await see(heading(priya, /^Good \w+, Priya$/), priya.getByRole('banner').getByText('Riverside Kia'))

  await staff.reload()
  await see(drawer(staff).getByText('First sign-in, done'), drawer(staff).getByText('2 of 6 done'))
})

test(
  'a suspended customer can be reopened right away; closing requires its name',
  { tags: 'release' },
  async () => {
    const staff = await newPage()
    await signIn(staff, 'super', 'Forecourt Operations')
    await openCustomers(staff, '?search=harbor')
    await row(staff, /^Harbor Auto Collective/)
      .getByRole('link')
      .click()
    await button(staff, 'Suspend').click()
    const question = staff.getByRole('dialog', { name: 'Suspend Harbor Auto Collective?' })
    await question.getByRole('button', { name: 'Suspend customer' }).click()
    await see(question.getByText('Reason is required.'))
    await question.getByLabel('Reason').fill('Invoice 2291 is open')
    await question.getByRole('button', { name: 'Suspend customer' }).click()
    await see(staff.getByText('Harbor Auto Collective was suspended'), drawer(staff).getByText('Suspended'))
    await see(drawer(staff).getByText('Invoice 2291 is open'), button(staff, 'Reopen'))
    await button(staff, 'Undo').click()
    await see(button(staff, 'Suspend'))
    await miss(button(staff, 'Reopen'))

    await button(staff, 'Close customer').click()
    const last = staff.getByRole('dialog', { name: 'Close Harbor Auto Collective?' })
    await last.getByLabel('Reason').fill('Sold')
    await last.getByLabel(/^Type Harbor Auto Collective/).fill('Harbor')
    await last.getByRole('button', { name: 'Close customer' }).click()
    await see(last.getByText('Type Harbor Auto Collective exactly as shown.'))
    await staff.keyboard.press('Escape')
    await miss(last)
    expect(await button(staff, 'Suspend').count()).toBe(1)
  },
)

test('changing an outdated customer shows its current state', { tags: 'release' }, async () => {
  const [first, second] = [await newPage(), await newPage()]
  for (const page of [first, second]) {
    await signIn(page, 'super', 'Forecourt Operations')
    await openCustomers(page, '?search=summit')
    await row(page, /^Summit/)
      .getByRole('link')
      .click()
    await see(button(page, 'Suspend'))
  }
  const suspend = async (page: Page, reason: string) => {
    await button(page, 'Suspend').click()
    await page.getByLabel('Reason').fill(reason)
    await button(page, 'Suspend customer').click()
  }
  await suspend(first, 'Asked for a pause')
  await see(drawer(first).getByText('Asked for a pause'))
  await suspend(second, 'Something else')
  const dialog = second.getByRole('dialog', { name: 'Changed by someone else' })
  await see(dialog)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await miss(dialog)
  await see(drawer(second).getByText('Asked for a pause'))
  expect(await drawer(second).getByText('Something else').count()).toBe(0)
})

test(
  'the list filters by status and keeps it in the URL; staff can switch to a customer',
  { tags: 'release' },
  async () => {
    const staff = await newPage()
    await signIn(staff, 'super', 'Forecourt Operations')
    await openCustomers(staff)
    await filterBy(staff, 'Status', 'Closed')
    await staff.waitForURL(/filter=status/)
    await see(staff.getByText('No customers match the filter'))
    await staff.reload()
    await see(staff.getByText('No customers match the filter'))
    await staff.getByRole('button', { name: 'Remove filter: Status is Closed' }).click()
    await see(row(staff, /^Northgate Motor Group/))
    expect(new URL(staff.url()).search).toBe('')
    await row(staff, /^Northgate Motor Group/)
      .getByRole('link')
      .click()
    await button(staff, 'Switch to customer').click()
    await staff.waitForURL('**/dashboard')
    await see(staff.getByRole('banner').getByText('Northgate Ford'))
  },
)
