import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sent } from '#contract/endpoint.ts'
import { users } from '#contract/identity/users/users.ts'
import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { openNamedSmtp } from '#server/outside/smtp.ts'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { refusalOf, testApp, type Caller, type TestApp } from '#test/app.ts'
import { concurrently } from '#test/harness/concurrently.ts'
import { rowsOf } from '#test/factories/mail/outbox-rows.ts'
import { startSignIn } from '#test/factories/identity/second-factor.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { startFakePostmarkServer, type FakePostmarkServer } from '#test/fakes/postmark.ts'
import { startSilentSmtpServer, startFakeSmtpServer, type FakeSmtpServer } from '#test/fakes/smtp.ts'

type New = Sent<typeof emailHandlers.add>['emailHandler']

let smtp: FakeSmtpServer
let postmark: FakePostmarkServer
let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
beforeAll(async () => {
  smtp = await startFakeSmtpServer()
  postmark = await startFakePostmarkServer()
  forecourt = await testApp({
    FORECOURT_SMTP_URL: smtp.url,
    FORECOURT_MAIL_FROM: 'noreply@forecourt.example',
    FORECOURT_POSTMARK_URL: postmark.url,
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
})
afterAll(async () => {
  await forecourt.close()
  await Promise.all([smtp.close(), postmark.close()])
})
// Each default handler is tried with a test email, of which a customer may send ten an hour.
beforeEach(() => forecourt.owner.query('delete from iam.request_counts'))

const add = (more: Partial<New> = {}) =>
  admin.call(emailHandlers.add, {
    emailHandler: { name: fresh('Handler'), kind: 'outbox', fromEmail: 'desk@northgate.example', ...more },
  })
const bySmtp = (url = smtp.url): Partial<New> => ({
  kind: 'smtp',
  host: '127.0.0.1',
  port: Number(new URL(url).port),
  security: 'none',
  fromName: 'Northgate, Desk',
})
const byPostmark = (): Partial<New> => ({ kind: 'postmark', secret: postmark.token, stream: 'desk' })

async function emailUser(): Promise<{ id: string; email: string }> {
  const id = await ford.createUser()
  const { email } = await admin.call(users.sendPasswordMail, { id })
  return { id, email }
}

describe('an email handler', () => {
  test('is stored with a secret that is never returned', async () => {
    const added = await add({ ...bySmtp(), userName: 'us@here', secret: 'right', security: 'none' })
    const opened = await admin.call(emailHandlers.get, { id: added.id })
    expect(opened).toMatchObject({
      kind: 'smtp',
      host: '127.0.0.1',
      hasSecret: true,
      eventsPath: null,
      version: 1,
    })
    const list = await admin.call(emailHandlers.list, { search: added.name })
    const { rows } = await forecourt.owner.query<{ text: string }>(
      `select (h.*)::text || coalesce(a.after::text, '') as text from email_handlers h
      join audit_log a on a.table_name = 'email_handlers' and a.row_id = h.id::text where h.id = $1`,
      [added.id],
    )
    expect(list.results).toEqual([opened])
    expect(JSON.stringify([added, opened, list, rows])).not.toContain('right')
    expect(rows[0]?.text).toContain('***')
  })

  test.for([
    [
      { kind: 'smtp' },
      { 'emailHandler.host': 'Server is required.', 'emailHandler.port': 'Port is required.' },
    ],
    [{ kind: 'postmark' }, { 'emailHandler.secret': 'Server token is required.' }],
    [
      { kind: 'smtp', host: 'mail.example.com', port: 587, userName: 'us', secret: 'x', security: 'none' },
      { 'emailHandler.security': 'A password requires an encrypted connection. Choose TLS or STARTTLS.' },
    ],
    [
      { kind: 'smtp', host: 'mail.example.com/x', port: 587 },
      {
        'emailHandler.host':
          'This is not a valid server name. Enter only the name, such as feeds.example.com.',
      },
    ],
    [{ fromEmail: 'nobody' }, { 'emailHandler.fromEmail': 'Enter a valid email address.' }],
  ] as const)('rejects %o with an error for each field', async ([more, fields]) => {
    const { status, refusal } = await refusalOf(add(more))
    expect([status, refusal.fields]).toEqual([400, fields])
  })

  test('has a unique name, and a version', async () => {
    const one = await add()
    await expect(add({ name: one.name.toUpperCase() })).toRefuse(409, 'already in use')
    const changed = await admin.call(emailHandlers.update, { emailHandler: { ...one, fromName: 'Desk' } })
    expect(changed).toMatchObject({ version: 2, fromName: 'Desk', updatedBy: 'Dana Whitfield' })
    const late = await refusalOf(
      admin.call(emailHandlers.update, { emailHandler: { ...one, fromName: 'Late' } }),
    )
    expect([late.status, late.refusal.current]).toMatchObject([409, { version: 2, fromName: 'Desk' }])
    await admin.call(emailHandlers.remove, { id: one.id })
    await expect(admin.call(emailHandlers.get, { id: one.id })).toRefuse(404, 'Email handler not found.')
  })

  test('replaces the previous default', async () => {
    const [one, two] = [await add({ isDefault: true }), await add({ isDefault: true })]
    await expect(admin.call(emailHandlers.get, { id: one.id })).resolves.toMatchObject({ isDefault: false })
    await admin.call(emailHandlers.remove, { id: two.id })
  })

  test('is the only default, even after concurrent changes', async () => {
    const before = await add({ isDefault: true })
    const outcomes = await concurrently(
      forecourt.owner,
      `select from email_handlers where id = ${before.id} for update`,
      [() => add({ isDefault: true }), () => add({ isDefault: true })],
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    const { results } = await admin.call(emailHandlers.list, { pageSize: 100 })
    const defaults = results.filter(({ isDefault }) => isDefault)
    expect(defaults).toHaveLength(1)
    await admin.call(emailHandlers.remove, { id: defaults[0]?.id ?? '' })
  })

  test('requires its password again for another server or user', async () => {
    const { id } = await add({ ...bySmtp(), userName: 'us', secret: 'right' })
    const change = (more: object) => admin.call(emailHandlers.update, { emailHandler: { id, ...more } })
    for (const more of [{ host: 'localhost' }, { port: 2 }, { userName: 'them' }]) {
      await expect(change(more)).toRefuse(400, 'Enter the password again')
    }
    await expect(change({ fromName: 'Desk' })).resolves.toMatchObject({ hasSecret: true })
    await expect(change({ userName: null })).resolves.toMatchObject({ hasSecret: false })
    await expect(change({ userName: 'them', secret: 'right' })).resolves.toMatchObject({ hasSecret: true })
  })

  test('cannot be changed by users with organization reach, without permission to show links, or of another customer', async () => {
    const { id } = await add()
    await ford.addMember({ userName: 'narrow', userType: await addAllRightsHere(ford) })
    const narrow = await forecourt.as('narrow')
    await expect(narrow.call(emailHandlers.remove, { id })).toRefuse(403, 'access to the whole customer')
    const harbor = await forecourt.as('harbor.admin')
    await expect(harbor.call(emailHandlers.remove, { id })).toRefuse(404)
    await expect(harbor.call(emailHandlers.update, { emailHandler: { id, name: 'Mine' } })).toRefuse(404)
    await expect(harbor.call(emailHandlers.test, { id, toEmail: 'a@people.example' })).toRefuse(404)
    await forecourt.owner.query(
      `insert into user_permissions (customer_id, user_id, func, opr, is_allowed)
      select customer_id, id, 2, 8, false from users where user_name = 'northgate.admin'`,
    )
    const refusal = await refusalOf(add())
    await forecourt.owner.query('delete from user_permissions where func = 2 and opr = 8')
    expect([refusal.status, refusal.message]).toEqual([403, expect.stringContaining('(2, 8)')])
  })
})

describe('the test email', () => {
  test('returns the response of the server', async () => {
    const good = await add(bySmtp())
    const to = 'someone@people.example'
    await expect(admin.call(emailHandlers.test, { id: good.id, toEmail: to })).resolves.toMatchObject({
      isSent: true,
    })
    const mail = smtp.emails.findLast((one) => one.to.includes(to))
    expect(mail?.raw).toMatch(/From: "Northgate, Desk" <desk@northgate\.example>/)
    const wrong = await add({ ...byPostmark(), secret: 'not-the-token' })
    await expect(admin.call(emailHandlers.test, { id: wrong.id, toEmail: to })).resolves.toEqual({
      isSent: false,
      message: expect.stringContaining('valid Server token'),
    })
    const kept = await add()
    await expect(admin.call(emailHandlers.test, { id: kept.id, toEmail: to })).resolves.toMatchObject({
      isSent: false,
    })
  })

  test('is limited to ten an hour', async () => {
    const { id } = await add()
    await forecourt.owner.query('delete from iam.request_counts')
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) {
      const call = admin.call(emailHandlers.test, { id, toEmail: 'a@people.example' })
      statuses.push(
        await call.then(
          () => 200,
          () => 429,
        ),
      )
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    await forecourt.owner.query('delete from iam.request_counts')
  })
})

describe('a default handler', () => {
  test('is saved once the mail server accepted an email to the user who saves it, and says so', async () => {
    const before = smtp.emails.length
    const { id, provedAt } = await add({ ...bySmtp(), isDefault: true })
    expect(provedAt).not.toBeNull()
    const own = 'northgate.admin'
    const { rows } = await forecourt.owner.query<{ email: string }>(
      'select email from users where user_name = $1',
      [own],
    )
    expect(smtp.emails.slice(before).map(({ to }) => to)).toEqual([[rows[0]?.email]])
    // Another name needs no new test, another sender does.
    const change = (more: object) => admin.call(emailHandlers.update, { emailHandler: { id, ...more } })
    await expect(change({ name: fresh('Renamed') })).resolves.toMatchObject({ provedAt })
    expect(smtp.emails).toHaveLength(before + 1)
    await change({ fromEmail: 'other@northgate.example' })
    expect(smtp.emails).toHaveLength(before + 2)
    await change({ isDefault: false, fromEmail: 'third@northgate.example' })
    await expect(admin.call(emailHandlers.get, { id })).resolves.toMatchObject({ provedAt: null })
    // A test proves it, without a new version.
    const { version } = await admin.call(emailHandlers.get, { id })
    await admin.call(emailHandlers.test, { id, toEmail: 'someone@people.example' })
    expect(await admin.call(emailHandlers.get, { id })).toMatchObject({
      version,
      provedAt: expect.any(String),
    })
    await change({ isDefault: true })
    expect(smtp.emails).toHaveLength(before + 3)
    await admin.call(emailHandlers.remove, { id })
  })

  test.for([
    ['a new handler', async (more: Partial<New>) => add({ ...more, isDefault: true })],
    [
      'one that becomes the default',
      async (more: Partial<New>) => {
        const { id } = await add(more)
        return admin.call(emailHandlers.update, { emailHandler: { id, isDefault: true } })
      },
    ],
    [
      'the default with another server',
      async (more: Partial<New>) => {
        const { id } = await add({ ...bySmtp(), isDefault: true })
        try {
          return await admin.call(emailHandlers.update, { emailHandler: { id, ...more } })
        } finally {
          await admin.call(emailHandlers.remove, { id })
        }
      },
    ],
  ] as const)('is refused while nothing can be sent with it: %s', async ([, save]) => {
    // Nothing listens on the port.
    const { status, refusal } = await refusalOf(save({ ...bySmtp('http://127.0.0.1:9') }))
    expect([status, Object.keys(refusal.fields ?? {})]).toEqual([400, ['emailHandler.isDefault']])
    expect(refusal.fields?.['emailHandler.isDefault']).toContain("wasn't accepted")
    const { results } = await admin.call(emailHandlers.list, { pageSize: 100 })
    expect(results.filter(({ isDefault }) => isDefault)).toEqual([])
  })

  test('says how many people will need an emailed code, while emails are not sent yet', async () => {
    expect(await admin.call(emailHandlers.effect, {})).toEqual({ isSending: true, codesNeededBy: 0 })
    const { id } = await add({ isDefault: true })
    const people = await admin.call(emailHandlers.effect, {})
    const setDemo = (isDemo: boolean) =>
      forecourt.owner.query("update users set is_demo = $1 where user_name = 'northgate.desk'", [isDemo])
    await setDemo(false)
    await expect(admin.call(emailHandlers.effect, {})).resolves.toEqual({
      isSending: false,
      codesNeededBy: people.codesNeededBy + 1,
    })
    await setDemo(true)
    await admin.call(emailHandlers.remove, { id })
  })
})

describe('a sign-in code', () => {
  test("goes out at once, by the installation's server if the customer's fails, and says what happened", async () => {
    const { id } = await add({ ...byPostmark(), isDefault: true })
    const send = async () => {
      await forecourt.owner.query('delete from iam.request_counts')
      const waiting = await startSignIn(forecourt, 'northgate.desk')
      return waiting.call(secondFactor.sendOtp, { type: 'email' })
    }
    const person = 'nia.castell@northgate.example'
    expect(await send()).toMatchObject({ isSent: true, failure: null })
    expect(postmark.emails.filter(({ To }) => To.includes(person))).toHaveLength(1)
    postmark.behavior = 'down'
    expect(await send()).toMatchObject({ isSent: true, failure: null })
    expect(smtp.emails.filter(({ to }) => to.includes(person))).toHaveLength(1)
    smtp.answers.set(person, 550)
    expect(await send()).toMatchObject({ isSent: false, failure: expect.stringContaining("wasn't sent") })
    smtp.answers.clear()
    postmark.behavior = 'ok'
    await admin.call(emailHandlers.remove, { id })
  })
})

describe('delivery', () => {
  test("uses the customer's default handler, or without one the installation's mail server", async () => {
    const { id } = await add({ ...byPostmark(), isDefault: true, replyTo: 'desk@northgate.example' })
    const mailed = await emailUser()
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 1 })
    const taken = postmark.emails.find(({ To }) => To.includes(mailed.email))
    expect(taken).toMatchObject({
      From: 'desk@northgate.example',
      To: `"Ina Vited" <${mailed.email}>`,
      ReplyTo: 'desk@northgate.example',
      MessageStream: 'desk',
      TrackLinks: 'None',
      TextBody: expect.stringContaining('/auth/reset-password#'),
    })
    expect(smtp.emails.some(({ to }) => to.includes(mailed.email))).toBe(false)
    await admin.call(emailHandlers.remove, { id })
    const second = await emailUser()
    await forecourt.outbox.deliver()
    expect(smtp.emails.some(({ to }) => to.includes(second.email))).toBe(true)
  })

  test('keeps emails of an outbox-only default handler, and can resend them after the default changes', async () => {
    const { id } = await add({ isDefault: true })
    const mailed = await emailUser()
    const [row] = await rowsOf(forecourt.owner, mailed.id)
    expect(row).toMatchObject({ state: 'kept' })
    const mailId = row?.id ?? ''
    await expect(admin.call(outbox.sendAgain, { id: mailId })).toRefuse(409, 'Add an email handler')
    const sends = await add({ ...bySmtp(), isDefault: true })
    await admin.call(outbox.sendAgain, { id: mailId })
    await forecourt.outbox.deliver()
    await expect(admin.call(outbox.get, { id: mailId })).resolves.toMatchObject({
      state: 'sent',
      handlerName: sends.name,
    })
    await admin.call(emailHandlers.remove, { id: sends.id })
    await expect(admin.call(outbox.get, { id: mailId })).resolves.toMatchObject({ handlerName: null })
    await admin.call(emailHandlers.remove, { id })
  })

  test.for([
    ['inactive recipient', 'failed', 1],
    ['invalid mail', 'failed', 1],
    ['unknown sender', 'waiting', 0],
    ['too many', 'waiting', 0],
    ['down', 'waiting', 0],
    ['closes half-way', 'waiting', 0],
  ] as const)('of an email to which Postmark responds "%s" ends as %s', async ([mood, state, attempts]) => {
    const { id } = await add({ ...byPostmark(), isDefault: true })
    const mailed = await emailUser()
    postmark.behavior = mood
    await forecourt.outbox.deliver()
    postmark.behavior = 'ok'
    const [row] = await rowsOf(forecourt.owner, mailed.id)
    expect(row).toMatchObject({ state, attempts, error: expect.stringContaining('Postmark') })
    await admin.call(emailHandlers.remove, { id })
    await forecourt.owner.query('delete from outbox_mails where user_id = $1', [mailed.id])
  })

  test('continues for one customer while the server of another hangs or is unreachable', async () => {
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const boss = await forecourt.as('harbor.admin')
    const { id } = await add({ ...byPostmark(), isDefault: true })
    const stuck = await emailUser()
    postmark.behavior = 'hangs'
    const run = forecourt.outbox.deliver()
    // The run has already looked up its senders, so it takes no other sender's emails, and no other run takes this one.
    const claimed = async () => (await rowsOf(forecourt.owner, stuck.id)).map(({ attempts }) => attempts)
    await expect.poll(claimed).toEqual([1])
    const person = await harbor.createUser()
    const { email } = await boss.call(users.sendPasswordMail, { id: person })
    await forecourt.outbox.deliver()
    expect(smtp.emails.some(({ to }) => to.includes(email))).toBe(true)
    expect(await rowsOf(forecourt.owner, stuck.id)).toMatchObject([{ state: 'waiting' }])
    postmark.behavior = 'ok'
    await admin.call(emailHandlers.update, { emailHandler: { id, isDefault: false } })
    await postmark.close()
    await run
    postmark = await startFakePostmarkServer()
  })

  test('sends nothing with a handler whose secret was bound to another server', async () => {
    const { id } = await add({ ...bySmtp(), userName: 'us', secret: 'right', isDefault: true })
    const before = smtp.emails.length
    await forecourt.owner.query(`update email_handlers set smtp_user = 'them' where id = $1`, [id])
    const mailed = await emailUser()
    await forecourt.outbox.deliver()
    expect([smtp.emails.length - before, await rowsOf(forecourt.owner, mailed.id)]).toMatchObject([
      0,
      [{ state: 'waiting', error: expect.stringContaining("can't be decrypted") }],
    ])
    await admin.call(emailHandlers.remove, { id })
  })
})

describe('without FORECOURT_PRIVATE_ADDRESSES', () => {
  let open: TestApp
  beforeAll(async () => {
    open = await testApp({ FORECOURT_PRIVATE_ADDRESSES: '' })
  })
  afterAll(() => open.close())

  test.for([
    '127.0.0.1',
    'localhost',
    '0.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '2130706433',
    '0x7f.1',
  ])('a customer cannot use a server at %s', async (host) => {
    const caller = await open.as('harbor.admin')
    const answers: unknown[] = []
    for (const port of [Number(new URL(smtp.url).port), 587]) {
      const emailHandler = {
        name: fresh('Inside'),
        kind: 'smtp',
        fromEmail: 'a@people.example',
        host,
        port,
      } as const
      const { id } = await caller.call(emailHandlers.add, { emailHandler })
      await open.owner.query('delete from iam.request_counts')
      answers.push(await caller.call(emailHandlers.test, { id, toEmail: 'a@people.example' }))
    }
    expect(answers).toEqual([
      { isSent: false, message: expect.stringContaining("can't be used for email") },
      { isSent: false, message: expect.stringMatching(/not on the public internet|was found/) },
    ])
  })

  test('platform staff can use a server on the same machine', async () => {
    const staff = await open.as('super', 'Forecourt Operations')
    const { id } = await staff.call(emailHandlers.add, {
      emailHandler: { name: 'Relay', fromEmail: 'a@people.example', ...bySmtp(), kind: 'smtp' },
    })
    const answer = await staff.call(emailHandlers.test, { id, toEmail: 'a@people.example' })
    expect(answer).toMatchObject({ isSent: true })
  })
})

test('gives up on a mail server that never responds', async () => {
  const silent = await startSilentSmtpServer()
  const transport = openNamedSmtp(
    {
      host: '127.0.0.1',
      port: Number(new URL(silent.url).port),
      security: 'none',
      login: null,
      sender: { name: null, email: 'a@people.example', replyTo: null },
      isGuarded: false,
    },
    { stepMs: 300, totalMs: 600 },
  )
  const startedAt = performance.now()
  const mail = { key: 'one', toName: 'Nia', toEmail: 'nia@people.example', subject: 'Hello', text: 'Hello.' }
  const outcome = await transport.send(mail)
  silent.close()
  expect([outcome.kind, performance.now() - startedAt < 10_000]).toEqual(['unreachable', true])
})
