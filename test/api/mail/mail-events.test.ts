import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { users } from '#contract/identity/users/users.ts'
import { type EmailHandler, emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { suppressions } from '#contract/mail/suppressed/suppressions.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { rowsOf } from '#test/factories/mail/outbox-rows.ts'
import { testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'
import { startFakePostmarkServer, type FakePostmarkServer } from '#test/fakes/postmark.ts'
import { snapshot } from '#test/harness/snapshot.ts'

let postmark: FakePostmarkServer
let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let handler: EmailHandler
beforeAll(async () => {
  postmark = await startFakePostmarkServer()
  forecourt = await testApp({ FORECOURT_POSTMARK_URL: postmark.url })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  handler = await admin.call(emailHandlers.add, {
    emailHandler: {
      name: 'Postmark',
      kind: 'postmark',
      fromEmail: 'desk@northgate.example',
      secret: postmark.token,
      isDefault: true,
    },
  })
})
afterAll(async () => {
  await forecourt.close()
  await postmark.close()
})

type Mailed = { userId: string; email: string; id: string; MessageID: string }

/** A user whose password email Postmark accepted. */
async function sendMail(): Promise<Mailed> {
  const userId = await ford.createUser()
  const { email } = await admin.call(users.sendPasswordMail, { id: userId })
  await forecourt.outbox.deliver()
  const [row] = await rowsOf(forecourt.owner, userId)
  const taken = postmark.emails.find(({ To }) => To.includes(email))
  return { userId, email, id: row?.id ?? '', MessageID: taken?.MessageID ?? '' }
}

async function tell(payload: object, path = handler.eventsPath): Promise<number> {
  const { status } = await forecourt.anonymous.send({ method: 'POST', url: path ?? '', payload })
  return status
}

// From Postmark's documentation, reduced to fields documented as always present.
const delivery = ({ MessageID, email }: Mailed) => ({
  RecordType: 'Delivery',
  ServerID: 23,
  MessageStream: 'outbound',
  MessageID,
  Recipient: email,
  Tag: '',
  DeliveredAt: '2026-11-21T15:08:00.000Z',
  Details: 'Test delivery webhook details',
  Metadata: {},
})
const bounce = ({ MessageID, email }: Mailed, Type = 'HardBounce', ID = 692560173) => ({
  RecordType: 'Bounce',
  MessageStream: 'outbound',
  ID,
  Type,
  TypeCode: 1,
  Name: 'Hard bounce',
  Tag: '',
  MessageID,
  Metadata: {},
  ServerID: 23,
  Description: 'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
  Details: 'Test bounce details',
  Email: email,
  From: 'desk@northgate.example',
  BouncedAt: '2026-11-21T15:09:00.000Z',
  DumpAvailable: true,
  Inactive: true,
  CanActivate: true,
  Subject: 'Test subject',
})
const open = ({ MessageID, email }: Mailed) => ({
  RecordType: 'Open',
  FirstOpen: true,
  Client: { Name: 'Chrome', Company: 'Google', Family: 'Chrome' },
  OS: {},
  Platform: 'WebMail',
  UserAgent: 'Mozilla/5.0',
  Geo: {},
  MessageID,
  Recipient: email,
  ReceivedAt: '2026-11-21T15:10:00.000Z',
})
const click = ({ MessageID, email }: Mailed) => ({
  RecordType: 'Click',
  ClickLocation: 'HTML',
  OriginalLink: 'https://cars.example.com/auth/reset-password#secret-word',
  MessageID,
  Recipient: email,
  ReceivedAt: '2026-11-21T15:11:00.000Z',
})

describe('a Postmark event', () => {
  test('is recorded with the email, the most significant as its outcome, without the clicked link', async () => {
    const mail = await sendMail()
    await expect(admin.call(outbox.get, { id: mail.id })).resolves.toMatchObject({
      outcome: null,
      events: [],
    })
    const events = [
      delivery(mail),
      open(mail),
      click(mail),
      { ...open(mail), ReceivedAt: '2026-11-21T15:12:00Z' },
    ]
    for (const event of events) expect(await tell(event)).toBe(200)
    const seen = await admin.call(outbox.get, { id: mail.id })
    expect([seen.outcome, seen.events.map(({ kind }) => kind)]).toEqual([
      'clicked',
      ['opened', 'clicked', 'opened', 'delivered'],
    ])
    expect(seen.events.at(-1)).toMatchObject({ at: '2026-11-21T15:08:00.000Z', detail: null })
    const { rows } = await forecourt.owner.query<{ text: string }>(
      'select (e.*)::text as text from mail_events e where mail_id = $1',
      [mail.id],
    )
    expect(JSON.stringify(rows)).not.toContain('secret-word')
    const { results } = await admin.call(outbox.list, { filter: 'outcome == "clicked"', pageSize: 200 })
    expect(results.map(({ id }) => id)).toContain(mail.id)
  })

  test('is recorded once if sent twice', async () => {
    const mail = await sendMail()
    for (const event of [
      delivery(mail),
      delivery(mail),
      bounce(mail, 'SoftBounce'),
      bounce(mail, 'SoftBounce'),
    ]) {
      expect(await tell(event)).toBe(200)
    }
    const seen = await admin.call(outbox.get, { id: mail.id })
    expect(seen.events.map(({ kind }) => kind)).toEqual(['bounced', 'delivered'])
  })

  test('is ignored if unknown', async () => {
    const mail = await sendMail()
    const before = await snapshot(forecourt.owner)
    const odd = [
      { RecordType: 'SubscriptionChange', MessageID: mail.MessageID, Recipient: mail.email },
      { RecordType: 'Delivery' },
      { ...delivery(mail), MessageID: '00000000-0000-0000-0000-000000000000' },
      bounce(mail, 'AutoResponder'),
    ]
    for (const event of odd) expect(await tell(event)).toBe(200)
    expect(await snapshot(forecourt.owner)).toEqual(before)
  })

  test('is ignored at a wrong URL', async () => {
    const mail = await sendMail()
    const path = handler.eventsPath ?? ''
    const last = path.at(-1) === 'A' ? 'B' : 'A'
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const wrong = [`${path.slice(0, -2)}${last}A`, path.replace(/\/\d+-/, `/${harbor.customerId}-`)]
    for (const one of wrong) expect(await tell(bounce(mail), one)).toBe(404)
    expect(await tell(bounce(mail), '/api/mail-events/1')).toBe(400)
    await expect(admin.call(outbox.get, { id: mail.id })).resolves.toMatchObject({ outcome: null })
  })

  test('is ignored at the URL of another handler', async () => {
    const mail = await sendMail()
    const other = await admin.call(emailHandlers.add, {
      emailHandler: { name: 'Second', kind: 'postmark', fromEmail: 'desk@northgate.example', secret: 'x' },
    })
    expect(await tell(bounce(mail), other.eventsPath)).toBe(200)
    await expect(admin.call(outbox.get, { id: mail.id })).resolves.toMatchObject({ outcome: null })
  })

  test('is ignored beyond two hundred events of one email', async () => {
    const mail = await sendMail()
    await forecourt.owner.query(
      `insert into mail_events (customer_id, mail_id, kind, at, source_key)
      select $1, $2, 'opened', app_now(), 'made ' || n from generate_series(1, 200) n`,
      [ford.customerId, mail.id],
    )
    expect(await tell(delivery(mail))).toBe(200)
    const seen = await admin.call(outbox.get, { id: mail.id })
    expect([seen.events.length, seen.outcome]).toEqual([200, null])
  })
})

describe('an address', () => {
  test('is suppressed after a hard bounce, until it is removed from the list', async () => {
    const mail = await sendMail()
    await tell(bounce(mail))
    const { results } = await admin.call(suppressions.list, { search: mail.email })
    expect(results).toMatchObject([{ email: mail.email, reason: 'bounced' }])
    const sent = postmark.emails.length
    await admin.call(users.sendPasswordMail, { id: mail.userId })
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 0, failed: 1 })
    const rows = await rowsOf(forecourt.owner, mail.userId)
    expect([postmark.emails.length - sent, rows.at(-1)]).toMatchObject([
      0,
      {
        state: 'failed',
        error: expect.stringMatching(
          /^This address is suppressed: an email to it hard-bounced on \w+ \d+, \d{4}/,
        ),
      },
    ])
    await admin.call(suppressions.remove, { id: results[0]?.id ?? '' })
    await admin.call(outbox.sendAgain, { id: rows.at(-1)?.id ?? '' })
    await expect(forecourt.outbox.deliver()).resolves.toMatchObject({ sent: 1 })
  })

  test('is suppressed after a spam complaint', async () => {
    const mail = await sendMail()
    await tell({ ...bounce(mail), RecordType: 'SpamComplaint', Type: 'SpamComplaint' })
    const { results } = await admin.call(suppressions.list, { search: mail.email })
    expect(results).toMatchObject([{ reason: 'complained' }])
    await expect(admin.call(outbox.get, { id: mail.id })).resolves.toMatchObject({ outcome: 'complained' })
  })

  test('is not suppressed after a soft bounce', async () => {
    const mail = await sendMail()
    await tell(bounce(mail, 'SoftBounce'))
    const { filteredRows } = await admin.call(suppressions.list, { search: mail.email })
    expect(filteredRows).toBe(0)
  })

  test("from the event that differs from the email's is not suppressed", async () => {
    const mail = await sendMail()
    await tell({ ...bounce(mail), Email: 'dana.whitfield@northgate.example' })
    const { filteredRows } = await admin.call(suppressions.list, { search: 'dana.whitfield' })
    expect(filteredRows).toBe(0)
  })

  test('suppressed for one customer still receives emails from another', async () => {
    const email = 'shared@people.example'
    await ford.addSuppressed(email)
    const harbor = await testOrganization(forecourt, 'Harbor Honda')
    const boss = await forecourt.as('harbor.admin')
    await expect(boss.call(suppressions.list, { search: email })).resolves.toMatchObject({ totalRows: 0 })
    expect(harbor.customerId).not.toBe(ford.customerId)
  })
})
