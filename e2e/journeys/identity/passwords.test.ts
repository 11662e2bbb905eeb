import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { PASSWORD_RULE_MESSAGE } from '#contract/identity/passwords/password.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { DEMO_PASSWORD } from '../../../demo/world.ts'
import { stage } from '#e2e/harness/stage.ts'
import {
  button,
  field,
  giveCredentials,
  heading,
  miss,
  openDashboard,
  see,
  signIn,
  signInAgain,
  signOut,
} from '#e2e/harness/steps.ts'

const { page: newPage, product } = stage()

const OLD = 'Old Password is required'
const NEW = 'New Password is required'
const CONFIRM = 'Confirm Password is required'
const DIFFERENT = 'Password and Confirm Password must be match.'

const modal = (page: Page) => page.getByRole('dialog', { name: 'Change Password' })
const secret = (page: Page, name: string) => page.getByLabel(name, { exact: true })

async function openModal(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Change Password' }).click()
  await see(modal(page))
}

async function fill(page: Page, [old, fresh, again]: readonly [string, string, string]): Promise<void> {
  const form = modal(page)
  await form.getByLabel(/^Old Password/).fill(old)
  await form.getByLabel(/^New Password/).fill(fresh)
  await form.getByLabel(/^Confirm Password/).fill(again)
}

const submit = (page: Page) => modal(page).getByRole('button', { name: 'Change Password' }).click()

test('change password shows the errors of the specification after the first attempt, then live', async () => {
  const page = await newPage()
  await signIn(page, 'harbor.dealer')
  await openDashboard(page)
  await openModal(page)
  const form = modal(page)
  await fill(page, ['', 'weak', 'other'])
  expect(await form.getByText(PASSWORD_RULE_MESSAGE).count()).toBe(0)
  await fill(page, ['', '', ''])
  await submit(page)
  await see(form.getByText(OLD), form.getByText(NEW), form.getByText(CONFIRM))
  await fill(page, ['x', 'weak', 'other'])
  await see(form.getByText(PASSWORD_RULE_MESSAGE), form.getByText(DIFFERENT))
  await miss(form.getByText(OLD), form.getByText(NEW), form.getByText(CONFIRM))
  await fill(page, ['x', 'Rivera7!', 'Rivera7!'])
  await miss(form.getByText(PASSWORD_RULE_MESSAGE), form.getByText(DIFFERENT))
  await page.keyboard.press('Escape')
  await miss(form)
})

test('a wrong old password shows a dialog and a field error; the right one changes the password', async () => {
  const page = await newPage()
  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
  await signInAgain(page, product(), 'northgate.dealer')
  await openDashboard(page)
  await openModal(page)
  await fill(page, ['NotMine1!', 'Rivera7!', 'Rivera7!'])
  const answered = page.waitForResponse((response) => response.url().endsWith(auth.changePassword.path))
  await submit(page)
  const { message, fields } = await (await answered).json()
  await see(dialog('Error').getByText(message), modal(page).getByText(fields.oldPassword))
  await page.keyboard.press('Escape')
  await miss(dialog('Error'))
  await see(modal(page))

  await fill(page, [DEMO_PASSWORD, 'Rivera7!', 'Rivera7!'])
  await submit(page)
  await see(dialog('Success').getByText('Password Changed Successfully'))
  await miss(modal(page))
  await page.keyboard.press('Escape')
  await miss(dialog('Success'))
  await signOut(page)
  await giveCredentials(page, 'northgate.dealer', DEMO_PASSWORD)
  await see(page.getByRole('alert').getByText(/./))
  await giveCredentials(page, 'northgate.dealer', 'Rivera7!')
  await page.waitForURL('**/dashboard')
  expect(await page.getByText('Rivera7!').count()).toBe(0)
})

test(
  'the modal stays open and submits only once, and is empty when reopened',
  { tags: 'release' },
  async () => {
    const page = await newPage()
    await signIn(page, 'northgate.auditor')
    await openDashboard(page)
    let calls = 0
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    await page.route(`**${auth.changePassword.path}`, async (route) => {
      calls += 1
      await held
      await route.fulfill({
        contentType: 'application/json',
        body: '{"status":true,"data":null,"message":null}',
      })
    })
    await openModal(page)
    await fill(page, [DEMO_PASSWORD, 'Rivera7!', 'Rivera7!'])
    await submit(page)
    await expect.poll(() => calls).toBe(1)
    await page.keyboard.press('Enter')
    const busy = modal(page).locator('[type="submit"]')
    expect([await busy.getAttribute('data-loading'), calls]).toEqual(['true', 1])
    await see(modal(page))
    release()
    await miss(modal(page))
    await see(page.getByRole('dialog', { name: 'Success', exact: true }))
    await page.keyboard.press('Escape')
    await openModal(page)
    expect(
      await modal(page)
        .getByLabel(/^New Password/)
        .inputValue(),
    ).toBe('')
  },
)

/** The text of the latest email to a user, read by their administrator. */
async function readEmail(page: Page, search: string): Promise<string> {
  return page.evaluate(
    async ({ list, reveal }) => {
      const { accessToken }: { accessToken: string } = JSON.parse(localStorage.getItem('token') ?? '{}')
      const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
      const found = await (await fetch(list, { headers })).json()
      const id = found.data.results[0]?.id
      const opened = await fetch(reveal, { method: 'POST', headers, body: JSON.stringify({ id }) })
      return (await opened.json()).data?.text ?? ''
    },
    { list: `${outbox.list.path}?search=${search}`, reveal: outbox.reveal.path },
  )
}

test('a forgotten password is replaced with the emailed link, once', { tags: 'release' }, async () => {
  const page = await newPage()
  await page.goto('/auth/signin')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await see(heading(page, 'Forgot Password'))
  await expect.poll(() => page.title()).toMatch(/^Forgot Password \| /)
  await button(page, 'Send link').click()
  await see(page.getByText('Enter your email address or user name.'))
  const sentence = page.getByRole('alert').getByText(/^If an account matches/)
  await field(page, 'User name').fill('nobody.at.all')
  await button(page, 'Send link').click()
  await see(sentence)
  await field(page, 'User name').fill('northgate.auditor')
  await miss(sentence)
  await button(page, 'Send link').click()
  await see(sentence)

  const admin = await newPage()
  await signIn(admin, 'northgate.admin', 'Northgate Ford')
  const linkPattern = /\/auth\/reset-password#([\w-]+)/
  await expect.poll(() => readEmail(admin, 'zhang')).toMatch(linkPattern)
  const link = `/auth/reset-password#${linkPattern.exec(await readEmail(admin, 'zhang'))?.[1] ?? ''}`

  await page.goto(link)
  await see(heading(page, /^Hello, /), page.getByText('northgate.auditor'))
  await button(page, 'Set password').click()
  await see(page.getByText(NEW), page.getByText(CONFIRM))
  await secret(page, 'New password').fill('Ferry')
  await see(page.getByText(PASSWORD_RULE_MESSAGE))
  expect(await page.getByRole('listitem').filter({ hasText: 'met' }).count()).toBe(3)
  await secret(page, 'New password').fill('Ferry88!')
  await secret(page, 'Confirm password').fill('Ferry88?')
  await see(page.getByText(DIFFERENT))
  await secret(page, 'Confirm password').fill('Ferry88!')
  await button(page, 'Set password').click()
  await page.waitForURL('**/auth/signin')
  await see(page.getByText('Your password is set'))
  expect(await page.getByLabel('User name or email').inputValue()).toBe('northgate.auditor')
  await secret(page, 'Password').fill('Ferry88!')
  await button(page, 'Sign in').click()
  await page.waitForURL('**/dashboard')

  const late = await newPage()
  await late.goto(link)
  await see(heading(late, 'This link no longer works'))
  await late.getByRole('link', { name: 'Request a new link' }).click()
  await see(heading(late, 'Forgot Password'))
})

test('checking a link can be retried after a failure', { tags: 'release' }, async () => {
  const page = await newPage()
  await page.route(`**${auth.checkReset.path}`, (route) => route.abort())
  await page.goto('/auth/reset-password#some-secret')
  await see(page.getByText("We couldn't check the link."))
  await page.unroute(`**${auth.checkReset.path}`)
  await button(page, 'Try again').click()
  await see(heading(page, 'This link no longer works'))
  await expect.poll(() => page.title()).toMatch(/^Reset Password \| /)
})
