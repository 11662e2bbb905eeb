import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { channels } from '#contract/channels/channels/channels.ts'
import { feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { health } from '#contract/home/health.ts'
import { outgoing, OUTGOING_KINDS, type OutgoingKind } from '#contract/home/outgoing.ts'
import { auth } from '#contract/identity/auth.ts'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { emailHandlers } from '#contract/mail/handlers/handlers.ts'
import { outbox } from '#contract/mail/outbox/outbox.ts'
import { RESTORED_COPY } from '#contract/restored-copy.ts'
import { kyselyOver, statement } from '#server/database/tenant-transaction.ts'
import { clock } from '#server/clock.ts'
import { testApp, type Caller, type TestApp } from '#test/app.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakeHttpsServer, startFakeHttpsServer } from '#test/fakes/https.ts'
import { type FakeSftpServer, startFakeSftpServer } from '#test/fakes/sftp.ts'
import { type FakeSmtpServer, startFakeSmtpServer } from '#test/fakes/smtp.ts'
import { type FakeWebhookReceiver, startFakeWebhookReceiver } from '#test/fakes/webhooks.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const login = { user: 'dealer', password: 'Hush-9f1c-hush' }
const certificate = makeCertificate()
const trusted = getCACertificates()
let smtp: FakeSmtpServer
let receiver: FakeWebhookReceiver
let web: FakeHttpsServer
let sftp: FakeSftpServer
let forecourt: TestApp
let ford: TestOrganization
let admin: Caller
let staff: Caller
beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  smtp = await startFakeSmtpServer()
  receiver = await startFakeWebhookReceiver(certificate)
  web = await startFakeHttpsServer(certificate, login.password)
  sftp = await startFakeSftpServer(login)
  forecourt = await testApp({
    FORECOURT_SMTP_URL: smtp.url,
    FORECOURT_MAIL_FROM: 'Us <us@forecourt.example>',
    FORECOURT_METRICS_TOKEN: 'a-token-for-prometheus',
  })
  ford = await testOrganization(forecourt, 'Northgate Ford')
  admin = await forecourt.as('northgate.admin', 'Northgate Ford')
  staff = await forecourt.as('super', 'Northgate Ford')
  // What waits in the demo data is not counted here.
  await forecourt.outbox.deliver()
  await forecourt.owner.query(
    `update lead_deliveries set state = 'failed', next_attempt_at = null, is_settled = true where state in ('queued', 'sending')`,
  )
  await forecourt.owner.query(
    `insert into iam.installation (install_id, key_check_sealed) values ('test', 'x') on conflict do nothing`,
  )
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await forecourt.close()
  await Promise.all([smtp, receiver, web, sftp].map((one) => one.close()))
})

/** What `restore` does at its end. */
const restoreHere = () => forecourt.iamPool.query('update iam.installation set restored_at = app_now()')
/** Everything that works without a request. */
async function work(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await forecourt.deliveries.workDue()
    await forecourt.outbox.deliver()
    await forecourt.channels.workDue()
    await forecourt.feeds.workDue()
    await forecourt.jobs.runDue()
  }
}
/** What arrived at the servers of others. */
const arrived = (): Record<OutgoingKind, number> => ({
  leads: receiver.calls.length + mailsTo('crm.').length,
  emails: mailsTo('plain.').length,
  reminders: mailsTo('reminded.').length,
  channels: sftp.requests.filter((one) => one.startsWith('rename')).length,
  feeds: web.requests.length,
})
const mailsTo = (start: string) => smtp.emails.filter(({ to }) => to.some((one) => one.startsWith(start)))

let made = 0
/** Makes one of each kind due, and two leads: one for a webhook and one for an email. */
const MAKE: Record<OutgoingKind, () => Promise<unknown>> = {
  async leads() {
    for (const kind of ['webhook', 'adf'] as const) {
      const name = fresh('Way')
      const destinationId = await ford.addLeadDestination({
        name,
        kind,
        ...(kind === 'webhook'
          ? { url: `${receiver.origin}/hook`, toEmail: null }
          : { toEmail: `crm.${(made += 1)}@crm.example` }),
      })
      await ford.addLeadRule({ sources: [name], strategy: 'failover', targets: [{ destinationId }] })
      await ford.addLead({ sourceName: name })
    }
  },
  emails: () => putMail(`plain.${(made += 1)}@people.example`, false),
  reminders: () => putMail(`reminded.${(made += 1)}@people.example`, true),
  async channels() {
    const { id } = await admin.call(
      channels.add,
      channels.add.input.parse({
        name: fresh('Channel'),
        kind: 'google',
        destination: 'sftp',
        host: '127.0.0.1',
        port: sftp.port,
        remotePath: '/in/cars.csv',
        userName: login.user,
        secret: login.password,
        rule: '',
        everyHours: 6,
        pageTemplate: 'https://ford.example/{stock}',
      }),
    )
    await admin.call(channels.run, { id })
    channelId = id
  },
  async feeds() {
    web.files.set('/stock.csv', 'VIN,Stock,Year,Make,Model,Price\n,Q1,2019,Ford,Escape,10000\n')
    const source = await admin.call(
      feedSources.add,
      feedSources.add.input.parse({
        name: fresh('Web feed'),
        kind: 'https',
        host: 'localhost',
        port: web.port,
        remotePath: '/stock.csv',
        userName: login.user,
        secret: login.password,
      }),
    )
    await admin.call(feedSources.fetch, { id: source.id })
    sourceId = source.id
  },
}
let channelId = ''
let sourceId = ''

/** As schedules and handlers do. */
const putMail = (toEmail: string, isReminder: boolean) =>
  forecourt.outbox.put(
    kyselyOver((query) => forecourt.iamPool.query(statement(query))),
    {
      customerId: ford.customerId,
      organizationId: ford.organizationId,
      userId: null,
      toName: 'A',
      toEmail,
      subject: 'Hello',
      text: 'Hello.',
      hasSecret: false,
      isReminder,
    },
  )

const waiting = async () =>
  Object.fromEntries((await staff.call(outgoing.get, {})).waiting.map((one) => [one.kind, one]))
const KINDS = OUTGOING_KINDS.map(({ value }) => value)

test('every table with leases is known to wait in a copy, or to stay inside', async () => {
  const { rows } = await forecourt.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind = 'r' and exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'leased_until') order by 1`,
  )
  expect(rows.map(({ name }) => name)).toEqual([
    // These ask first.
    'campaign_states',
    // Of these wait those that are sent.
    'channel_states',
    // These wait.
    'feed_source_states',
    // Bulk changes, imports and files: what they send is an email.
    'jobs',
    // These wait.
    'lead_deliveries',
    'outbox_mails',
    'photo_hosts',
    // Prices.
    'price_states',
    // What they send is an email.
    'schedules',
  ])
})

test('a restored copy sends and fetches nothing, says so, and begins when it is declared the real one', async () => {
  for (const kind of KINDS) await MAKE[kind]()
  clock.advance(1_000)
  await restoreHere()
  clock.advance(1_000)
  // Since the restore, too: users work as usual, and buyers still send forms.
  for (const kind of KINDS) await MAKE[kind]()
  const before = arrived()
  await work()
  expect(arrived()).toEqual(before)

  // Nothing was tried, and nothing claims that it left.
  const { results: mails } = await admin.call(outbox.list, { search: 'plain.' })
  expect(mails.map(({ state, attempts, error }) => [state, attempts, error])).toEqual([
    ['waiting', 0, null],
    ['waiting', 0, null],
  ])
  const { results: deliveries } = await admin.call(leadDeliveries.list, { search: 'Way' })
  expect(deliveries.map(({ state, attempts }) => [state, attempts])).toEqual(
    Array.from({ length: 4 }, () => ['queued', 0]),
  )
  expect((await admin.call(channels.runs, { id: channelId })).runs).toEqual([])
  expect((await admin.call(feedSources.deliveries, { id: sourceId })).deliveries).toEqual([])
  expect((await admin.call(auth.me, {})).isRestoredCopy).toBe(true)
  const checks = (await admin.call(health.system, {})).checks.filter(({ state }) => state === 'waits')
  expect(checks.map(({ name, sentence }) => [name, sentence])).toEqual([
    ['mail', RESTORED_COPY],
    ['outgoing', RESTORED_COPY],
  ])
  expect(await metric()).toBe('1')

  // What a user tries at once is refused with the reason.
  expect(await admin.call(feedSources.test, { id: sourceId })).toEqual({
    isSuccessful: false,
    message: expect.stringContaining(RESTORED_COPY),
  })
  const handler = await admin.call(emailHandlers.add, {
    emailHandler: {
      name: fresh('Handler'),
      kind: 'postmark',
      fromEmail: 'us@people.example',
      secret: 'a server token',
    },
  })
  await expect(
    admin.call(emailHandlers.test, { id: handler.id, toEmail: 'us@people.example' }).then(JSON.stringify),
  ).resolves.toContain('restored copy')
  expect(arrived()).toEqual(before)

  // What waits is listed, and what is listed is what goes.
  const listed = await waiting()
  expect(
    Object.fromEntries(KINDS.map((kind) => [kind, [listed[kind]?.due, listed[kind]?.discardable]])),
  ).toEqual({
    leads: [4, 2],
    emails: [2, 1],
    reminders: [2, 1],
    channels: [2, 2],
    feeds: [2, 2],
  })
  expect(listed.leads?.oldestAt).not.toBeNull()
  await expect(admin.call(outgoing.get, {})).toRefuse(403)
  await expect(admin.call(outgoing.begin, { discards: [] })).toRefuse(403)
  expect(await staff.call(outgoing.begin, { discards: ['leads', 'channels'] })).toEqual({
    discarded: [
      { kind: 'leads', count: 2 },
      { kind: 'channels', count: 2 },
    ],
  })
  await expect(staff.call(outgoing.begin, { discards: [] })).toRefuse(409)
  const { rows } = await forecourt.owner.query(
    `select l.actor_name, l.after ->> 'event' as event from audit_log l join customers c on c.id = l.customer_id
      where c.is_platform and l.table_name = 'installation'`,
  )
  expect(rows).toEqual([
    { actor_name: 'Robin Hale', event: 'declared this restored copy the real installation' },
  ])
  await work()
  const went = arrived()
  expect(Object.fromEntries(KINDS.map((kind) => [kind, went[kind] - before[kind]]))).toEqual({
    leads: 2,
    emails: 2,
    reminders: 2,
    // Waits for its next scheduled time.
    channels: 0,
    feeds: 2,
  })
  const after = await admin.call(leadDeliveries.list, { search: 'Way' })
  const counts = Object.groupBy(after.results, ({ state, response }) =>
    state === 'failed' ? `failed ${response}` : state,
  )
  expect(Object.entries(counts).map(([state, all]) => [state, all?.length])).toEqual(
    expect.arrayContaining([
      ['delivered', 2],
      ['failed Not sent: discarded after this installation was restored from a backup.', 2],
    ]),
  )
  const { nextRunAt } = await admin.call(channels.get, { id: channelId })
  const hours = (Date.parse(nextRunAt ?? '') - clock.now()) / 3_600_000
  expect(Math.round(hours)).toBe(6)
  expect(await staff.call(outgoing.get, {})).toEqual({ restoredAt: null, waiting: [] })
  expect((await admin.call(auth.me, {})).isRestoredCopy).toBe(false)
  expect(await metric()).toBe('0')
}, 60_000)

test('discards of each kind leave nothing of the backup', async () => {
  for (const kind of KINDS) await MAKE[kind]()
  await restoreHere()
  const listed = await waiting()
  const { discarded } = await staff.call(outgoing.begin, { discards: KINDS })
  expect(discarded).toEqual(KINDS.map((kind) => ({ kind, count: listed[kind]?.discardable })))
  const before = arrived()
  await work()
  expect(arrived()).toEqual(before)
  const { results } = await admin.call(outbox.list, { search: 'plain.', sort: '-createdAt', pageSize: 1 })
  expect(results[0]).toMatchObject({ state: 'kept', error: expect.stringContaining('Not sent: discarded') })
})

async function metric(): Promise<string | undefined> {
  const { body } = await forecourt.app.inject({
    url: '/metrics',
    headers: { authorization: 'Bearer a-token-for-prometheus' },
    remoteAddress: '192.0.2.1',
  })
  return /^forecourt_restored_copy\{[^}]*\} (\d)$/m.exec(body)?.[1]
}
