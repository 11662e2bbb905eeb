import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import { startFakeSmtpServer, type FakeSmtpServer } from '#test/fakes/smtp.ts'

let smtp: FakeSmtpServer
let forecourt: TestApp
beforeAll(async () => {
  smtp = await startFakeSmtpServer()
  forecourt = await testApp({
    FORECOURT_SMTP_URL: smtp.url,
    FORECOURT_MAIL_FROM: 'Forecourt <noreply@forecourt.example>',
  })
})
afterAll(async () => {
  await forecourt.close()
  await smtp.close()
})

/** A raw email, with folded headers unfolded. */
async function deliver(toEmail: string): Promise<string> {
  await forecourt.outbox.deliver()
  const raw = smtp.emails.findLast(({ to }) => to.includes(toEmail))?.raw ?? ''
  return raw.replace(/\r\n[ \t]+/g, ' ')
}
const header = (raw: string, name: string) => new RegExp(`^${name}: (.*)\\r$`, 'im').exec(raw)?.[1]

async function put(more: object): Promise<string> {
  const { customerId } = await testOrganization(forecourt, 'Northgate Ford')
  const toEmail = `headers.${Math.random().toString(36).slice(2)}@people.example`
  const mail = {
    customerId,
    organizationId: null,
    userId: null,
    toName: 'Ina',
    toEmail,
    subject: 'Hello',
    text: 'Hello',
  }
  await forecourt.outbox.put(forecourt.identity.iam, { ...mail, hasSecret: false, ...more })
  return toEmail
}

test('marks an email as automatic, with a language and a title', async () => {
  const admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  const id = await (await testOrganization(forecourt, 'Northgate Ford')).createUser()
  const { email } = await admin.call(users.sendPasswordMail, { id })
  const raw = await deliver(email)
  expect(header(raw, 'Auto-Submitted')).toBe('auto-generated')
  expect(header(raw, 'List-Unsubscribe')).toBeUndefined()
  const html = raw.replace(/=\r\n/g, '').replace(/=3D/g, '=')
  expect(html).toMatch(/<html lang="en"/)
  expect(html).toContain('<title>Your account at Forecourt</title>')
})

test.for(['es', 'fr', 'de'])('marks an email in the language "%s" with it', async (language) => {
  const { customerId } = await testOrganization(forecourt, 'Northgate Ford')
  const variables = {
    firstName: 'Ina',
    fullName: 'Ina May',
    title: 'Forecourt',
    byName: 'Ada Field',
    assessment: 'Safety',
    target: 'Northgate',
    due: '1',
    until: '2',
    message: '',
  }
  const { html } = await forecourt.outbox.compose(forecourt.identity.iam, {
    customerId,
    key: 'assessment-invitation',
    language,
    variables,
    link: 'https://forecourt.example/link',
  })
  expect(html).toContain(`lang="${language}"`)
  expect(html).not.toContain('lang="en"')
})

test('a reminder contains where to turn off reminders', async () => {
  const raw = await deliver(await put({ isReminder: true }))
  expect(header(raw, 'List-Unsubscribe')).toBe(
    '<mailto:noreply@forecourt.example?subject=No%20more%20reminders>',
  )
})

test('a resent email keeps its Message-ID, and one with the same ID in a restored database gets another', async () => {
  const toEmail = await put({})
  const first = header(await deliver(toEmail), 'Message-ID')
  await forecourt.owner.query(
    `update outbox_mails set state = 'waiting', next_attempt_at = app_now() where to_email = $1`,
    [toEmail],
  )
  expect(header(await deliver(toEmail), 'Message-ID')).toBe(first)
  // As after a restore: the row is recreated with the same ID.
  const { rows } = await forecourt.owner.query(
    `with gone as (delete from outbox_mails where to_email = $1 returning *)
    insert into outbox_mails (customer_id, id, to_name, to_email, subject, text_sealed, has_secret, state, next_attempt_at)
    overriding system value
    select customer_id, id, to_name, to_email, subject, text_sealed, has_secret, 'waiting', app_now() from gone returning id`,
    [toEmail],
  )
  const second = header(await deliver(toEmail), 'Message-ID')
  expect([rows.length, second === first, /^<[0-9a-f-]{36}@forecourt\.example>$/.test(second ?? '')]).toEqual([
    1,
    false,
    true,
  ])
})
