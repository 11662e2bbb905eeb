import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withOwner } from '#server/database/open-database.ts'
import { timeCode } from '#test/factories/identity/time-code.ts'
import { DEMO_AUTHENTICATOR } from '../../../demo/demo-authenticator.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  drawer,
  field,
  giveCredentials,
  heading,
  openDashboard,
  see,
  signIn,
  signInAgain,
  signOut,
} from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()

const CODE = '6-digit code'
const PHONE = { width: 390, height: 844 }

async function verify(page: Page, code: string): Promise<void> {
  await field(page, CODE).fill(code)
  await button(page, 'Verify').click()
}

test('an authenticator code leads to the requested page, and a trusted device needs no further code', async () => {
  const page = await newPage({ viewport: PHONE })
  await page.goto('/customers/lots?search=ford')
  await giveCredentials(page, 'northgate.phone')
  await see(heading(page, 'Verify Login'), field(page, CODE))
  await expect.poll(() => page.title()).toMatch(/^Verify Login \| /)
  expect(await field(page, CODE).getAttribute('autocomplete')).toBe('one-time-code')
  expect(await field(page, CODE).getAttribute('inputmode')).toBe('numeric')
  await expect.poll(() => field(page, CODE).evaluate((input) => input === document.activeElement)).toBe(true)

  await button(page, 'Verify').click()
  await see(page.getByText('Code is required.'))
  await verify(page, '12345')
  await see(page.getByText('Enter all 6 digits.'))
  await verify(page, '000000')
  await see(page.getByText('This code is incorrect.'))

  // Nothing else is accessible while waiting for the code.
  const second = await page.context().newPage()
  await second.goto('/dashboard')
  await see(heading(second, 'Sign in'))
  await second.goto('/auth/verify-login')
  await see(field(second, CODE))
  await second.close()

  await page.reload()
  await page.getByLabel('Trust this device for 30 days').check()
  await verify(page, await timeCode())
  await page.waitForURL('**/customers/lots?search=ford')
  await see(heading(page, 'Lots'))
  await page.goto('/auth/verify-login')
  await page.waitForURL('**/dashboard')

  await signOut(page)
  await page.waitForURL('**/auth/signin')
  await giveCredentials(page, 'northgate.phone')
  await page.waitForURL('**/dashboard')
  await page.goto('/account/security')
  await see(page.getByText(/^This device, /))
  await page.getByRole('button', { name: /^Remove / }).click()
  await see(page.getByText(/^No trusted devices/))
  await signOut(page)
  await giveCredentials(page, 'northgate.phone')
  await see(field(page, CODE))
  await button(page, 'Try another method').click()
  await page.getByRole('button', { name: /^Backup code/ }).click()
  await field(page, 'Backup code').fill(DEMO_AUTHENTICATOR.backupCodes[0].toLowerCase())
  await button(page, 'Verify').click()
  await page.waitForURL('**/dashboard')
})

test('a code is emailed on request, and can be resent after a while', { tags: 'release' }, async () => {
  const page = await newPage()
  await page.goto('/auth/signin')
  await giveCredentials(page, 'northgate.desk')
  await page.getByRole('button', { name: /^Email to n•••@n•••\.example/ }).click()
  await see(page.getByRole('button', { name: /^Resend in \d+ s$/ }))

  const admin = await newPage()
  await signIn(admin, 'northgate.admin', 'Northgate Ford')
  await admin.goto('/administration/outbox?search=nia.castell')
  await admin.getByRole('main').getByRole('link', { name: 'Your sign-in code for Forecourt' }).first().click()
  const mail = drawer(admin)
  await see(mail.getByText('••••••••••••'))
  await mail.getByRole('button', { name: 'Show code' }).click()
  await see(mail.getByText(/^\d{6}$/m))
  const code = /^\d{6}$/m.exec(await mail.innerText())?.[0] ?? ''

  await verify(page, ` ${code.slice(0, 3)} ${code.slice(3)}`)
  await see(page.getByText(/you can sign in even if no email arrives/), button(page, 'Not now'))
  await button(page, 'Get backup codes').click()
  await page.waitForURL('**/account/security')
  await see(page.getByText('Codes by email'), page.getByText('n•••@n•••.example'))
  await see(page.getByText('0 of 10 codes left'))
  await button(page, 'Generate new codes').click()
  const codes = page.getByRole('dialog', { name: 'New backup codes' })
  await codes.getByLabel(/^Your password/).fill(DEMO_PASSWORD)
  await codes.getByRole('button', { name: 'Generate new codes' }).click()
  await see(codes.getByRole('list', { name: 'Backup codes' }))
  await codes.getByRole('button', { name: "I've saved my codes" }).click()
  await see(page.getByText('10 of 10 codes left'))
  expect(code).toMatch(/^\d{6}$/)
})

test('the field for a code stays while no more codes are emailed', { tags: 'release' }, async () => {
  await withOwner(product().owner, (owner) =>
    owner.query(`delete from iam.request_counts where kind = 'sign-in codes of an account'`),
  )
  const page = await newPage()
  await page.goto('/auth/signin')
  await giveCredentials(page, 'northgate.desk')
  const byMail = page.getByRole('button', { name: /^Email to n•••@n•••\.example/ })
  for (let made = 0; made < 3; made += 1) {
    await byMail.click()
    await see(field(page, CODE), page.getByRole('button', { name: /^Resend in \d+ (s|min)$/ }))
    if (made < 2) await page.reload()
  }
  await see(page.getByRole('button', { name: /^Resend in \d+ min$/ }))
  await page.reload()
  await byMail.click()
  await see(
    field(page, CODE),
    page.getByText(
      /^We emailed 3 codes in 10 minutes\. Use the latest code, or request a new one in \d+ minutes\.$/,
    ),
  )
  expect(await field(page, CODE).isEnabled()).toBe(true)
})

test('back to sign in ends the waiting session', { tags: 'release' }, async () => {
  const page = await newPage()
  await signIn(page, 'northgate.desk')
  await page.goto('/auth/verify-login')
  await button(page, 'Back to sign in').click()
  await page.waitForURL('**/auth/signin')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.goto('/auth/verify-login')
  await see(heading(page, 'Sign in'))
})

test('an authenticator is set up with a QR code, a key and backup codes, and an administrator resets it', async () => {
  const page = await newPage()
  await signInAgain(page, product(), 'theo.lindqvist')
  await openDashboard(page)
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await see(heading(page, 'Security'), page.getByText('Password only'))
  await button(page, 'Set up an authenticator').click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator' })
  await dialog.getByLabel(/^Your password/).fill('not-it')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await see(dialog.getByText('This password is incorrect.'))
  await dialog.getByLabel(/^Your password/).fill(DEMO_PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await see(dialog.getByRole('figure', { name: 'QR code for your authenticator app' }))
  const secret = (await dialog.getByLabel('Setup key').innerText()).replaceAll(' ', '')
  await dialog.getByLabel(CODE).fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await see(dialog.getByText(/^This code is incorrect/))
  await dialog.getByLabel(CODE).fill(await timeCode({ secret }))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
  await see(codes.first())
  expect(await codes.all()).toHaveLength(10)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('backup-codes.txt')
  await dialog.getByRole('button', { name: "I've saved my codes" }).click()
  await see(page.getByText(/^Authenticator on since /), page.getByText('10 of 10 codes left'))
  await signOut(page)
  await giveCredentials(page, 'theo.lindqvist')
  await verify(page, await timeCode({ secret, steps: 1 }))
  await page.waitForURL('**/dashboard')

  const admin = await newPage()
  await signIn(admin, 'northgate.admin', 'Northgate Toyota')
  await admin.goto('/administration/users?search=theo')
  await admin.getByRole('main').getByRole('link', { name: 'Theo Lindqvist' }).click()
  await button(admin, 'More for Theo Lindqvist').click()
  await admin.getByRole('menuitem', { name: 'Reset second factor' }).click()
  await admin.getByRole('button', { name: 'Reset second factor' }).click()
  await see(admin.getByText('Second factor reset').first())
  await page.goto('/account/security')
  await see(page.getByText('Password only'))
})

test(
  'where no codes are sent, a required second factor is set up with an app before anything else',
  { tags: 'release' },
  async () => {
    // Demo users read their codes in the outbox.
    const { rowCount } = await withOwner(product().owner, (owner) =>
      owner.query(
        `with changed as (update users set is_demo = false where user_name = 'northgate.auditor' returning customer_id, user_type_id)
       update user_types t set requires_second_factor = true from changed c
       where t.customer_id = c.customer_id and t.id = c.user_type_id`,
      ),
    )
    expect(rowCount).toBe(1)
    const page = await newPage({ viewport: PHONE })
    await page.goto('/customers/lots?search=ford')
    await giveCredentials(page, 'northgate.auditor')
    await see(heading(page, 'Verify Login'), page.getByText(/^Your user type requires a second factor/))
    await button(page, 'Set up an authenticator').click()
    await see(page.getByRole('figure', { name: 'QR code for your authenticator app' }))
    const secret = (await page.getByLabel('Setup key').innerText()).replaceAll(' ', '')
    await field(page, CODE).fill('000000')
    await button(page, 'Turn on').click()
    await see(page.getByText(/^This code is incorrect/))
    await field(page, CODE).fill(await timeCode({ secret }))
    await button(page, 'Turn on').click()
    await see(page.getByRole('list', { name: 'Backup codes' }))
    await button(page, "I've saved my codes").click()
    await page.waitForURL('**/customers/lots?search=ford')
  },
)
