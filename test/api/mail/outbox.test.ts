import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/identity/auth.ts'
import { users } from '#contract/identity/users/users.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { invite } from '#server/identity/index.ts'
import { makeOutbox } from '#server/mail/index.ts'
import { openSmtp, type MailTransport } from '#server/outside/smtp.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { rowsOf } from '#test/factories/mail/outbox-rows.ts'
import { addAllRightsHere } from '#test/factories/identity/all-rights.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { secrets } from '#test/harness/secrets.ts'
import { startSilentSmtpServer, startFakeSmtpServer, type FakeSmtpServer } from '#test/fakes/smtp.ts'

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
async function emailUser(caller = admin, place = ford): Promise<{ id: string; email: string }> {
  const id = await place.createUser()
  const { email } = await caller.call(users.sendPasswordMail, { id })
  return { id, email }
}

const due = (id: string) =>
  forecourt.owner.query(
    'update outbox_mails set next_attempt_at = app_now(), leased_until = null where user_id = $1',
    [id],
  )

describe('delivery', () => {
  test('sends an email once', async () => {
    const { id, email } = await emailUser()
    expect(await rowsOf(forecourt.owner, id)).toMatchObject([{ state: 'waiting', attempts: 0, minutes: 0 }])
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 1, failed: 0 })
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 0 })
    const mails = smtp.emails.filter(({ to }) => to.includes(email))
    expect(mails).toMatchObject([{ from: 'noreply@forecourt.example', to: [email] }])
    expect(mails[0]?.raw).toContain('Subject: Your account at Forecourt')
    expect(mails[0]?.raw).toMatch(/Message-ID: <[0-9a-f-]{36}@forecourt\.example>/i)
    expect(mails[0]?.raw).toContain('/auth/reset-password#')
    expect(await rowsOf(forecourt.owner, id)).toMatchObject([{ state: 'sent', attempts: 1, minutes: null }])
  })

  test('sends an email that was stored before the clock was set back', async () => {
    const { id } = await emailUser()
    await forecourt.owner.query(
      `update outbox_mails set next_attempt_at = app_now() + interval '1 hour' where user_id = $1`,
      [id],
    )
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 1 })
  })

  test('sends each email once in two concurrent runs', async () => {
    const people = [await emailUser(), await emailUser(), await emailUser()]
    const runs = await Promise.all([forecourt.outbox.deliver(), forecourt.outbox.deliver()])
    expect(runs.reduce((sum, { sent }) => sum + sent, 0)).toBe(3)
    for (const { email } of people) {
      expect(smtp.emails.filter(({ to }) => to.includes(email))).toHaveLength(1)
    }
  })

  test('fails immediately if the mail server rejects a recipient, and sends the others', async () => {
    const [refused, other] = [await emailUser(), await emailUser()]
    smtp.answers.set(refused.email, 550)
    await expect(forecourt.outbox.deliver()).resolves.toEqual({ sent: 1, failed: 1, postponed: 0, kept: 0 })
    expect(await rowsOf(forecourt.owner, refused.id)).toMatchObject([
      { state: 'failed', attempts: 1, error: expect.stringContaining('550'), minutes: null },
    ])
    expect(await rowsOf(forecourt.owner, other.id)).toMatchObject([{ state: 'sent' }])
  })

  test('retries a deferred email after 1, 5, 30 and 120 minutes, then fails', async () => {
    const { id, email } = await emailUser()
    smtp.answers.set(email, 451)
    const seen: unknown[] = []
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await due(id)
      await forecourt.outbox.deliver()
      const [row] = await rowsOf(forecourt.owner, id)
      seen.push([row?.state, row?.attempts, row?.minutes])
    }
    expect(seen).toEqual([
      ['waiting', 1, 1],
      ['waiting', 2, 5],
      ['waiting', 3, 30],
      ['waiting', 4, 120],
      ['failed', 5, null],
    ])
  })

  test('retries an email whose run was killed after claiming it', async () => {
    const { id } = await emailUser()
    const { iam } = forecourt.identity
    const transport: MailTransport = { send: () => Promise.reject(new Error('killed')) }
    await expect(makeOutbox({ iam, secrets, transport }).deliver()).rejects.toThrow('killed')
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 0 })
    await due(id)
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 1 })
    expect(await rowsOf(forecourt.owner, id)).toMatchObject([{ state: 'sent', attempts: 2 }])
  })

  test('keeps user input out of headers', async () => {
    const id = await ford.createUser()
    await forecourt.owner.query(`update users set first_name = $2, last_name = $3 where id = $1`, [
      id,
      'Eve\r\nBcc: everybody@people.example',
      '"<eve@evil.example>',
    ])
    const { email } = await admin.call(users.sendPasswordMail, { id })
    await forecourt.outbox.deliver()
    const mails = smtp.emails.filter(({ to }) => to.includes(email))
    expect(mails.map(({ to }) => to)).toEqual([[email]])
    const [headers = ''] = mails[0]?.raw.split(/\r?\n\r?\n/) ?? []
    expect(headers).toContain('To: ')
    expect(headers).not.toMatch(/^Bcc:/m)
  })
})

describe('a mail server', () => {
  const mail = { key: 'one', toName: 'Nia', toEmail: 'nia@people.example', subject: 'Hello', text: 'Hello.' }

  test('that never responds times out', async () => {
    const silent = await startSilentSmtpServer()
    const transport = openSmtp({ url: silent.url, from: FROM }, { stepMs: 300, totalMs: 600 })
    const startedAt = performance.now()
    const outcome = await transport.send(mail)
    silent.close()
    expect([outcome.kind, performance.now() - startedAt < 10_000]).toEqual(['unreachable', true])
  })

  test('that does not exist is unreachable', async () => {
    const transport = openSmtp({ url: 'smtp://127.0.0.1:9', from: FROM })
    await expect(transport.send(mail)).resolves.toMatchObject({ kind: 'unreachable' })
  })

  test('that rejects our login is unreachable, and accepts the email with the right one', async () => {
    const at = (login: string) => openSmtp({ url: smtp.url.replace('//', `//${login}@`), from: FROM })
    await expect(at('us:wrong').send(mail)).resolves.toMatchObject({ kind: 'unreachable' })
    await expect(at('us%40here:right').send(mail)).resolves.toEqual({ kind: 'sent' })
  })

  test('on another host gets no password without TLS', async () => {
    // The fake server has no TLS. 0.0.0.0 reaches it, but doesn't count as a loopback host.
    const port = new URL(smtp.url).port
    const transport = openSmtp({ url: `smtp://us:right@0.0.0.0:${port}`, from: FROM })
    const before = smtp.emails.length
    const outcome = await transport.send(mail)
    expect([outcome.kind, smtp.emails.length - before]).toEqual(['unreachable', 0])
  })

  test('that is unreachable uses no attempt, and postpones other emails', async () => {
    const transport = openSmtp({ url: 'smtp://127.0.0.1:9', from: FROM })
    const away = await testApp({}, { transport })
    const place = await testOrganization(away, 'Northgate Ford')
    const caller = await away.as('northgate.admin', 'Northgate Ford')
    const people = [await emailUser(caller, place), await emailUser(caller, place)]
    const done = await away.outbox.deliver()
    const rows = await Promise.all(people.map(({ id }) => rowsOf(away.owner, id)))
    await away.close()
    expect([done.postponed, rows.flat().map(({ state, attempts }) => [state, attempts])]).toEqual([
      1,
      [
        ['waiting', 0],
        ['waiting', 0],
      ],
    ])
  })

  test('that stays unreachable is retried every five minutes, until the email is three days old', async () => {
    const { iam } = forecourt.identity
    const transport: MailTransport = {
      send: () => Promise.resolve({ kind: 'unreachable', reason: 'ECONNREFUSED' }),
    }
    const away = makeOutbox({ iam, secrets, transport })
    const { id } = await emailUser()
    const seen: unknown[] = []
    for (let run = 0; run < 8; run += 1) {
      await due(id)
      await away.deliver()
      const [row] = await rowsOf(forecourt.owner, id)
      seen.push([row?.state, row?.attempts, row?.minutes, row?.error])
    }
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['["waiting",0,5,"ECONNREFUSED"]']),
    )
    await forecourt.owner.query(
      `update outbox_mails set created_at = app_now() - interval '73 hours', expires_at = null where user_id = $1`,
      [id],
    )
    await due(id)
    await away.deliver()
    expect(await rowsOf(forecourt.owner, id)).toMatchObject([{ state: 'failed', error: 'ECONNREFUSED' }])
  })
})

describe('many emails', () => {
  const sent: string[] = []
  const sending: string[] = []
  const both = Promise.withResolvers<void>()
  let wakes = 0
  const transport: MailTransport = {
    async send({ toEmail }) {
      sent.push(toEmail)
      sending.push(toEmail)
      expect(new Set(sending).size).toBe(sending.length)
      if (sending.length === 2) both.resolve()
      // After the first one, which finds out whether the mail server is there.
      if (sent.length > 1) await both.promise
      sending.splice(sending.indexOf(toEmail), 1)
      return { kind: 'sent' }
    },
  }
  const many = () =>
    makeOutbox({ iam: forecourt.identity.iam, secrets, transport, onQueued: () => (wakes += 1) })
  const put = (toEmail: string) =>
    many().put(forecourt.identity.iam, {
      customerId: ford.customerId,
      organizationId: null,
      userId: null,
      toName: toEmail,
      toEmail,
      subject: 'Lead',
      text: 'Lead',
      hasSecret: false,
    })

  test('go out several at once, but one after another to each recipient', async () => {
    const [crm, desk] = [`${fresh('crm')}@mail.example`, `${fresh('desk')}@mail.example`]
    for (const email of [crm, crm, crm, desk]) await put(email)
    await expect(many().deliver()).resolves.toMatchObject({ sent: 4 })
    expect(sent.toSorted()).toEqual([crm, crm, crm, desk].toSorted())
  })

  test('of one customer wait for those of others after 50, and the next run follows at once', async () => {
    const email = `${fresh('burst')}@mail.example`
    for (let count = 0; count < 51; count += 1) await put(email)
    wakes = 0
    await expect(many().deliver()).resolves.toMatchObject({ sent: 50 })
    expect(wakes).toBe(1)
    await expect(many().deliver()).resolves.toMatchObject({ sent: 1 })
    expect(wakes).toBe(1)
  })
})

describe('without a mail server', () => {
  let alone: TestApp
  beforeAll(async () => {
    alone = await testApp()
  })
  afterAll(() => alone.close())

  test('an email is kept, and resending it is rejected with instructions', async () => {
    const place = await testOrganization(alone, 'Northgate Ford')
    const caller = await alone.as('northgate.admin', 'Northgate Ford')
    const { id } = await emailUser(caller, place)
    const [row] = await rowsOf(alone.owner, id)
    expect(row).toMatchObject({ state: 'kept', minutes: null })
    await expect(caller.call(outbox.sendAgain, { id: row?.id ?? '' })).toRefuse(409, 'Add an email handler')
  })

  test('queued emails are kept after the mail server is removed', async () => {
    const place = await testOrganization(alone, 'Northgate Ford')
    const id = await place.addMail()
    await alone.owner.query(`update outbox_mails set state = 'waiting' where id = $1`, [id])
    await expect(alone.outbox.deliver()).resolves.toMatchObject({ kept: 1, sent: 0 })
  })
})

describe('the outbox', () => {
  test('lists emails by recipient, subject and status, without their text', async () => {
    const subject = fresh('Quarterly news')
    const id = await ford.addMail(subject)
    const { results } = await admin.call(outbox.list, {
      search: subject.toUpperCase(),
      filter: 'state == "failed"',
    })
    expect(results.map((mail) => mail.id)).toEqual([id])
    expect(Object.keys(results[0] ?? {})).not.toContain('text')
    expect((await admin.call(outbox.list, { search: subject, filter: 'state == "sent"' })).filteredRows).toBe(
      0,
    )
  })

  test.for(['createdAt', '-createdAt', 'toName', 'subject', '-state', 'sentAt'])(
    'sorts by %s',
    async (sort) => {
      const all = await admin.call(outbox.list, { sort, pageSize: 200 })
      const second = await admin.call(outbox.list, { sort, pageSize: 2, page: 2 })
      expect(second.results).toEqual(all.results.slice(2, 4))
    },
  )

  test('masks the link, and reveals and logs it for users who can change the recipient', async () => {
    const { id: userId } = await emailUser()
    const [row] = await rowsOf(forecourt.owner, userId)
    const id = row?.id ?? ''
    const covered = await admin.call(outbox.get, { id })
    expect(covered).toMatchObject({ hasSecret: true, text: expect.stringContaining('reset-password#\u2022') })
    expect(covered.text).not.toMatch(/#[\w-]/)
    const open = await admin.call(outbox.reveal, { id })
    const resetValue = /#([\w-]{43})/.exec(open.text)?.[1] ?? ''
    await expect(forecourt.anonymous.call(auth.checkReset, { resetValue })).resolves.toBeDefined()
    const { rows } = await forecourt.owner.query<{ actor: string; event: string }>(
      `select actor_name as actor, after ->> 'event' as event from audit_log
      where table_name = 'outbox_mails' and row_id = $1 and operation = 'event'`,
      [id],
    )
    expect(rows).toEqual([{ actor: 'Dana Whitfield', event: 'viewed the link in an email' }])
  })

  test('does not reveal the link to users who cannot change the recipient, or to the recipient', async () => {
    const userType = await addAllRightsHere(ford)
    await ford.addMember({ userName: 'keeper', userType })
    const keeper = await forecourt.as('keeper')
    const { results } = await admin.call(users.list, { search: 'northgate.admin' })
    const adminId = results[0]?.id ?? ''
    await forecourt.anonymous.call(auth.forgotPassword, { userName: 'northgate.admin' })
    const [row] = await rowsOf(forecourt.owner, adminId)
    const id = row?.id ?? ''
    await forecourt.owner.query('update outbox_mails set organization_id = $2 where id = $1', [
      id,
      ford.organizationId,
    ])
    await expect(keeper.call(outbox.get, { id })).resolves.toMatchObject({ hasSecret: true })
    await expect(keeper.call(outbox.reveal, { id })).toRefuse(403, 'covers all organizations')
    await expect(admin.call(outbox.reveal, { id })).toRefuse(403, 'Read it in your inbox')
  })

  test('cannot decrypt text moved to another recipient', async () => {
    const [one, other] = [await emailUser(), await emailUser()]
    const [[from], [to]] = [await rowsOf(forecourt.owner, one.id), await rowsOf(forecourt.owner, other.id)]
    await forecourt.owner.query(
      'update outbox_mails set text_sealed = (select text_sealed from outbox_mails where id = $1) where id = $2',
      [from?.id, to?.id],
    )
    const { status } = await admin.send({
      method: 'GET',
      url: `/api/administration/outbox-mail/${to?.id}`,
    })
    expect(status).toBe(409)
    await forecourt.outbox.deliver()
    expect(await rowsOf(forecourt.owner, other.id)).toMatchObject([
      { state: 'failed', error: expect.stringContaining("can't be decrypted") },
    ])
    await forecourt.owner.query('delete from outbox_mails where id = $1', [to?.id])
  })

  test('requeues a failed email with all attempts, but not a sent one', async () => {
    const { id: userId, email } = await emailUser()
    smtp.answers.set(email, 550)
    await forecourt.outbox.deliver()
    const [row] = await rowsOf(forecourt.owner, userId)
    const id = row?.id ?? ''
    smtp.answers.delete(email)
    const again = await admin.call(outbox.sendAgain, { id })
    expect(again).toMatchObject({ state: 'waiting', attempts: 0, error: null })
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 1 })
    await expect(admin.call(outbox.sendAgain, { id })).toRefuse(409, 'already sent')
  })
})

describe('the menu', () => {
  const badgeOf = async (caller: Caller) => {
    const menu = await caller.call(auth.menu, {})
    return menu.flatMap(({ children }) => children).find(({ id }) => id === 'outbox')?.badge
  }

  test('counts failed emails within reach, for users who can list them', async () => {
    await forecourt.owner.query(`update outbox_mails set state = 'sent' where state = 'failed'`)
    expect(await badgeOf(admin)).toBeNull()
    const toyota = await testOrganization(forecourt, 'Northgate Toyota')
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    await ford.addMail()
    await toyota.addMail()
    await harbor.addMail()
    expect(await badgeOf(admin)).toEqual({ title: '2', type: 'bad' })
    expect(await badgeOf(await forecourt.as('northgate.auditor'))).toEqual({ title: '1', type: 'bad' })
    expect(await badgeOf(await forecourt.as('northgate.dealer'))).toBeUndefined()
  })
})

describe('with a public URL', () => {
  test.for([
    ['https://backoffice.example.com/', null, 'https://backoffice.example.com/auth/reset-password#'],
    [
      'https://backoffice.example.com',
      'cars.northgate.example',
      'https://cars.northgate.example/auth/reset-password#',
    ],
    [
      'http://localhost:3000',
      'cars.northgate.example',
      'http://cars.northgate.example:3000/auth/reset-password#',
    ],
  ] as const)('%s and the domain %s, links start with %s', async ([publicUrl, domain, start]) => {
    const published = await testApp({ PUBLIC_URL: publicUrl, FORECOURT_DEMO: '1' })
    const place = await testOrganization(published, 'Northgate Ford')
    if (domain !== null) {
      await published.owner.query('delete from white_labels where customer_id = $1', [place.customerId])
      await published.owner.query(
        `insert into white_labels (customer_id, domain, title) values ($1, $2, 'Northgate Cars')`,
        [place.customerId, domain],
      )
    }
    const id = await place.createUser()
    const { iam } = published.identity
    await invite(published.identity, iam, { customerId: place.customerId, userId: id }, null)
    const { rows } = await published.owner.query<{ to_email: string; text_sealed: string; subject: string }>(
      'select * from outbox_mails where user_id = $1',
      [id],
    )
    const [row] = rows
    const words = published.outbox.open({
      customerId: place.customerId,
      toEmail: row?.to_email ?? '',
      textSealed: row?.text_sealed ?? '',
    })
    await published.close()
    expect(words).toContain(`\n${start}`)
    expect(row?.subject).toBe(
      domain === null ? 'Your account at Forecourt' : 'Your account at Northgate Cars',
    )
  })
})
