import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { makeOutbox } from '#server/mail/index.ts'
import type { MailTransport } from '#server/outside/smtp.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { rowsOf } from '#test/factories/mail/outbox-rows.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { secrets } from '#test/harness/secrets.ts'
import { startFakeSmtpServer, type FakeSmtpServer } from '#test/fakes/smtp.ts'

const FROM = 'Forecourt <noreply@forecourt.example>'

let smtp: FakeSmtpServer
let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  smtp = await startFakeSmtpServer()
  forecourt = await testApp({ FORECOURT_SMTP_URL: smtp.url, FORECOURT_MAIL_FROM: FROM })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(async () => {
  await forecourt.close()
  await smtp.close()
})

/** A user who was just sent a password email. */
async function emailUser(): Promise<{ id: string; email: string }> {
  const id = await ford.createUser()
  const { email } = await admin.call(users.sendPasswordMail, { id })
  return { id, email }
}

describe('an email with a link', () => {
  test('that has expired is not sent or resent', async () => {
    const { id: userId, email } = await emailUser()
    const { rows } = await forecourt.owner.query<{ id: string; isEnd: boolean }>(
      `select m.id, date_trunc('milliseconds', l.expires_at) = m.expires_at as "isEnd"
      from outbox_mails m join iam.password_links l on l.user_id = m.user_id where m.user_id = $1`,
      [userId],
    )
    const [mail = { id: '', isEnd: false }] = rows
    expect(mail.isEnd).toBe(true)
    await forecourt.owner.query(`update outbox_mails set expires_at = app_now() where id = $1`, [mail.id])
    await forecourt.outbox.deliver()
    expect(await rowsOf(forecourt.owner, userId)).toMatchObject([
      { state: 'failed', error: 'Its link has expired.', minutes: null },
    ])
    expect(smtp.emails.filter(({ to }) => to.includes(email))).toEqual([])
    await expect(admin.call(outbox.sendAgain, { id: mail.id })).toRefuse(409, 'Send the user a new one.')
  })

  test('to an outdated address of the user is not resent', async () => {
    const { id: userId, email } = await emailUser()
    smtp.answers.set(email, 550)
    await forecourt.outbox.deliver()
    const [row] = await rowsOf(forecourt.owner, userId)
    await admin.call(users.update, { user: { id: userId, email: `new.${email}` } })
    await expect(admin.call(outbox.sendAgain, { id: row?.id ?? '' })).toRefuse(
      409,
      'email address has changed',
    )
    await admin.call(users.update, { user: { id: userId, email: email.toUpperCase() } })
    await expect(admin.call(outbox.sendAgain, { id: row?.id ?? '' })).resolves.toBeDefined()
    await forecourt.outbox.deliver()
  })
})

test('an email that is being sent cannot be resent, and is sent once', async () => {
  const { id: userId } = await emailUser()
  const [row] = await rowsOf(forecourt.owner, userId)
  const id = row?.id ?? ''
  const again: unknown[] = []
  const transport: MailTransport = {
    async send() {
      again.push(await refusalOf(admin.call(outbox.sendAgain, { id })))
      return { kind: 'later', reason: '451 busy' }
    },
  }
  await makeOutbox({ iam: forecourt.identity.iam, secrets, transport }).deliver()
  expect(again).toMatchObject([{ status: 409, refusal: { message: 'This email is being sent right now.' } }])
  // It was postponed, so it can be resent immediately.
  await expect(admin.call(outbox.sendAgain, { id })).resolves.toMatchObject({ state: 'waiting', attempts: 0 })
})

test('ignores the outcome of an attempt that a later one superseded', async () => {
  const { id } = await emailUser()
  const transport: MailTransport = {
    async send() {
      await forecourt.owner.query(
        'update outbox_mails set attempts = 2, lease = gen_random_uuid() where user_id = $1',
        [id],
      )
      return { kind: 'refused', reason: 'too late' }
    },
  }
  await forecourt.outbox.deliver()
  await forecourt.owner.query(
    `update outbox_mails set state = 'waiting', attempts = 0, next_attempt_at = app_now() where user_id = $1`,
    [id],
  )
  await makeOutbox({ iam: forecourt.identity.iam, secrets, transport }).deliver()
  expect(await rowsOf(forecourt.owner, id)).toMatchObject([{ state: 'waiting', attempts: 2, error: null }])
  await forecourt.owner.query(
    `update outbox_mails set state = 'sent', next_attempt_at = null where user_id = $1`,
    [id],
  )
})
