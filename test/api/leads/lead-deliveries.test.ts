import { createHmac } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadDeliveries } from '#contract/leads/deliveries/lead-deliveries.ts'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { pricingRules } from '#contract/pricing/rules/pricing-rules.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { leads } from '#contract/leads/inbox/leads.ts'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { clock } from '#server/clock.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { freshDatabase } from '#test/engine/database.ts'
import { makeCertificate } from '#test/fakes/certificate.ts'
import { type FakeSmtpServer, startFakeSmtpServer } from '#test/fakes/smtp.ts'
import { type FakeWebhookReceiver, startFakeWebhookReceiver, type WebhookCall } from '#test/fakes/webhooks.ts'
import { fresh, testOrganization, type TestOrganization } from '#test/factories/test-organization.ts'

const SECOND = 1_000
const certificate = makeCertificate()
const trusted = getCACertificates()
const logged: string[] = []
let smtp: FakeSmtpServer
let receiver: FakeWebhookReceiver
let forecourt: TestApp
/** A second server on the same database. */
let other: TestApp
let ford: TestOrganization
beforeAll(async () => {
  setDefaultCACertificates([...trusted, certificate.cert])
  receiver = await startFakeWebhookReceiver(certificate)
  smtp = await startFakeSmtpServer()
  const database = await freshDatabase()
  const environment = { FORECOURT_SMTP_URL: smtp.url, FORECOURT_MAIL_FROM: 'Leads <leads@forecourt.example>' }
  forecourt = await testApp(environment, { database, logTo: { write: (line) => logged.push(line) } })
  other = await testApp(environment, { database })
  ford = await testOrganization(forecourt, 'Northgate Ford')
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await other.close({ keepsDatabase: true })
  await forecourt.close()
  await Promise.all([receiver.close(), smtp.close()])
})

type Way = { sourceName: string; destinationId: string; path: string; email: string }

/** A rule for a new source with one new destination, which is listed with its path or address. */
async function addWay(kind: 'webhook' | 'adf' | 'email', more: { next?: string } = {}): Promise<Way> {
  const sourceName = fresh('Way')
  const name = sourceName.replaceAll(' ', '').toLowerCase()
  const [path, email] = [`/${name}`, `${name}@crm.example`]
  const destinationId = await ford.addLeadDestination({
    name: sourceName,
    kind,
    ...(kind === 'webhook' ? { url: `${receiver.origin}${path}`, toEmail: null } : { toEmail: email }),
  })
  const next = more.next === undefined ? [] : [{ destinationId: more.next }]
  await ford.addLeadRule({
    sources: [sourceName],
    strategy: 'failover',
    targets: [{ destinationId }, ...next],
  })
  return { sourceName, destinationId, path, email }
}

const callsTo = (path: string): WebhookCall[] => receiver.calls.filter((call) => call.path === path)
const emailsTo = (email: string) => smtp.emails.filter(({ to }) => to.includes(email))
const work = () => forecourt.deliveries.workDue()
/** Hands over, sends, and notes the results. */
async function workWithEmail(): Promise<void> {
  await work()
  await forecourt.outbox.deliver()
  await work()
}

/** The deliveries of a lead with their attempts, oldest first. */
async function deliveriesOf(leadId: string) {
  const { rows } = await forecourt.owner.query<{ id: string }>(
    'select id::text from lead_deliveries where lead_id = $1 order by id',
    [leadId],
  )
  return Promise.all(rows.map(({ id }) => ford.call(leadDeliveries.get, { id })))
}
async function onlyDelivery(leadId: string) {
  const [delivery, ...more] = await deliveriesOf(leadId)
  if (delivery === undefined || more.length > 0) throw new Error('The lead has not exactly one delivery.')
  return delivery
}
const statusOf = async (id: string) => (await ford.call(leads.get, { id })).status

describe('a webhook', () => {
  test('is not called at a private address without FORECOURT_PRIVATE_ADDRESSES', async () => {
    const closed = await testApp({ FORECOURT_PRIVATE_ADDRESSES: '' })
    try {
      const store = await testOrganization(closed, 'Northgate Ford')
      const url = `${receiver.origin}/closed`
      const destinationId = await store.addLeadDestination({
        name: 'Inside',
        kind: 'webhook',
        url,
        toEmail: null,
      })
      await store.addLeadRule({ sources: ['Inside'], strategy: 'failover', targets: [{ destinationId }] })
      const leadId = await store.addLead({ sourceName: 'Inside' })
      await closed.deliveries.workDue()
      const { rows } = await closed.owner.query<{ id: string }>(
        'select id::text from lead_deliveries where lead_id = $1',
        [leadId],
      )
      const { state, response } = await store.call(leadDeliveries.get, { id: rows[0]?.id ?? '' })
      expect([state, response]).toEqual(['queued', expect.stringContaining('not on the public internet')])
      expect(callsTo('/closed')).toEqual([])
    } finally {
      await closed.close()
    }
  })

  test('is signed as Standard Webhooks define, with the former secret too for a day after a change', async () => {
    const { sourceName, destinationId: id, path } = await addWay('webhook')
    const { secret: former } = await ford.call(leadDestinations.secret, { id })
    const leadId = await ford.addLead({ sourceName, comments: 'Is the "XLT" <new>?' })
    expect(await statusOf(leadId)).toBe('routed')
    await work()
    const changed = await ford.call(leadDestinations.secret, { id, rotate: true })
    await ford.addLead({ sourceName })
    await work()
    clock.advance(25 * 3_600 * SECOND)
    await ford.addLead({ sourceName })
    await work()
    const signatures = callsTo(path).map((call) =>
      [former, changed.secret].map((secret) => isSigned(call, secret)),
    )
    expect(signatures).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ])
    const [call] = callsTo(path)
    const delivery = await onlyDelivery(leadId)
    expect(call?.headers['webhook-id']).toBe(delivery.key)
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      type: 'lead.created',
      data: { id: leadId, source: sourceName, comments: 'Is the "XLT" <new>?' },
    })
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 1, doubts: 0, response: 'Status 200.' })
    const lead = await ford.call(leads.get, { id: leadId })
    expect(lead.status).toBe('delivered')
    expect(lead.timeline.map(({ kind }) => kind)).toEqual(['received', 'routed', 'delivery'])
  })

  test('has the price of the vehicle when it is sent, even if the stored price is not up to date yet', async () => {
    const { sourceName, path } = await addWay('webhook')
    // Discounts of used vehicles need their cost.
    const vehicleId = await ford.addVehicle({ condition: 'new', priceCents: 2_000_000 })
    await forecourt.prices.workDue()
    const priced = async () => {
      await ford.addLead({ sourceName, vehicleId, email: `${fresh('b').replaceAll(' ', '')}@mail.example` })
      await work()
      return Number(JSON.parse(callsTo(path).at(-1)?.body ?? '{}').data.priceCents)
    }
    const before = await priced()
    const { lotId } = await ford.call(vehicles.get, { id: vehicleId })
    const sale = { name: fresh('Sale'), kind: 'discount' as const, cents: 100_000, lotIds: [lotId] }
    const { id } = await ford.call(pricingRules.add, sale)
    expect(await priced()).toBe(before - 100_000)
    await ford.call(pricingRules.remove, { id })
  })

  test('that fails is tried again on the schedule with one ID; the lead failed, until it is sent again', async () => {
    const { sourceName, path } = await addWay('webhook')
    receiver.answers.set(path, () => ({ status: 503, text: 'Down for\nmaintenance' }))
    const leadId = await ford.addLead({ sourceName })
    for (const seconds of [0, 5, 300, 1_800, 7_200, 18_000, 36_000]) {
      clock.advance(seconds * SECOND)
      await work()
      // Before its time comes, nothing is sent.
      await work()
    }
    expect(await statusOf(leadId)).toBe('routed')
    expect(callsTo(path)).toHaveLength(7)
    clock.advance(36_000 * SECOND)
    await work()
    const failed = await onlyDelivery(leadId)
    expect(failed).toMatchObject({ state: 'failed', response: 'Status 503: Down for maintenance' })
    expect(failed.log.map(({ outcome, status }) => `${outcome} ${status}`)).toEqual(
      Array.from({ length: 8 }, () => 'failed 503'),
    )
    expect(await statusOf(leadId)).toBe('failed')
    receiver.answers.delete(path)
    await ford.call(leadDeliveries.replay, { id: failed.id })
    await work()
    expect(await statusOf(leadId)).toBe('delivered')
    expect(callsTo(path)).toHaveLength(9)
    expect(new Set(callsTo(path).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('whose server was killed is in doubt and sent again with the same ID; a late result does not count', async () => {
    const { sourceName, path } = await addWay('webhook')
    let respond = (): void => {}
    const isOver = new Promise<void>((done) => (respond = done))
    receiver.answers.set(path, async () => {
      if (callsTo(path).length > 1) return { status: 200, text: 'Second' }
      await isOver
      return { status: 500, text: 'First' }
    })
    const leadId = await ford.addLead({ sourceName })
    const first = work()
    await expect.poll(() => callsTo(path).length).toBe(1)
    // Its lease ends as if its server had been killed.
    clock.advance(61 * SECOND)
    expect(await onlyDelivery(leadId)).toMatchObject({ state: 'in-doubt', log: [{ outcome: 'in-doubt' }] })
    await other.deliveries.workDue()
    respond()
    await first
    const delivery = await onlyDelivery(leadId)
    expect(delivery).toMatchObject({ state: 'delivered', doubts: 1, response: 'Status 200: Second' })
    expect(delivery.log.map(({ outcome }) => outcome)).toEqual(['delivered', 'in-doubt'])
    expect(callsTo(path).map(({ headers }) => headers['webhook-id'])).toEqual([delivery.key, delivery.key])
    expect(await statusOf(leadId)).toBe('delivered')
  })

  test('is never followed to another address', async () => {
    const { sourceName, path } = await addWay('webhook')
    receiver.answers.set(path, () => ({ status: 307, location: `${receiver.origin}/elsewhere` }))
    const leadId = await ford.addLead({ sourceName })
    await work()
    expect((await onlyDelivery(leadId)).response).toBe('Status 307. Redirects are not followed.')
    expect(callsTo('/elsewhere')).toEqual([])
  })

  test('that is gone stops its destination: waiting leads fail, and are sent again once it works', async () => {
    const { sourceName, destinationId, path } = await addWay('webhook')
    receiver.answers.set(path, () => ({ status: 410 }))
    const ids = [await ford.addLead({ sourceName }), await ford.addLead({ sourceName })]
    await work()
    await work()
    const stopped = await ford.call(leadDestinations.get, { id: destinationId })
    expect(stopped).toMatchObject({ failed: 2, waiting: 0 })
    expect(stopped.stopReason).toContain('no longer exists')
    expect(await Promise.all(ids.map(statusOf))).toEqual(['failed', 'failed'])
    expect(callsTo(path)).toHaveLength(1)
    // Rules pass it over meanwhile.
    const third = await ford.addLead({ sourceName })
    const { steps } = await ford.call(leadRoutingRules.explain, { id: third })
    expect(steps.find(({ outcome }) => outcome === 'unavailable')?.why).toContain('was stopped')
    receiver.answers.delete(path)
    await ford.call(leadDestinations.resume, { id: destinationId })
    const again = await ford.call(leadDeliveries.replayMany, { destinationId })
    expect(again).toEqual({ replayed: 2, skipped: 0 })
    await work()
    expect(await Promise.all(ids.map(statusOf))).toEqual(['delivered', 'delivered'])
  })
})

test('two servers at work never send one delivery twice', async () => {
  const ways = await Promise.all([addWay('webhook'), addWay('webhook'), addWay('webhook')])
  const lotId = await ford.addLot()
  for (let count = 0; count < 8; count += 1)
    for (const { sourceName } of ways) await ford.addLead({ sourceName, lotId })
  await Promise.all([work(), other.deliveries.workDue()])
  const keys = ways.flatMap(({ path }) => callsTo(path).map(({ headers }) => headers['webhook-id']))
  expect(keys).toHaveLength(24)
  expect(new Set(keys).size).toBe(24)
})

describe('an email', () => {
  test('has the lead as ADF with the ID of the delivery, which is its Message-ID too', async () => {
    const { sourceName, email } = await addWay('adf')
    const leadId = await ford.addLead({ sourceName, firstName: 'Zoë', comments: 'A & B' })
    await workWithEmail()
    const delivery = await onlyDelivery(leadId)
    const [sent] = emailsTo(email)
    const raw = sent?.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? ''
    expect(raw).toContain(`Message-ID: <${delivery.key}@`)
    expect(raw).toContain('<?adf version="1.0"?>')
    expect(raw).toContain(`${delivery.key}</id>`)
    expect(delivery).toMatchObject({ state: 'delivered', response: 'Accepted by the mail server.' })
    expect(await statusOf(leadId)).toBe('delivered')
  })

  test('that a killed server may have sent is in doubt, and sent again under the same Message-ID', async () => {
    const { sourceName, email } = await addWay('adf')
    const leadId = await ford.addLead({ sourceName })
    await work()
    const { mailId, key } = await onlyDelivery(leadId)
    // What the mailer of a server stores before it sends.
    await forecourt.owner.query(
      `update outbox_mails set lease = gen_random_uuid(), attempts = attempts + 1, leased_until = $2,
        next_attempt_at = $3 where id = $1`,
      [mailId, new Date(clock.now() + 60 * SECOND), new Date(clock.now() + 5 * SECOND)],
    )
    expect((await onlyDelivery(leadId)).state).toBe('sending')
    clock.advance(61 * SECOND)
    expect((await onlyDelivery(leadId)).state).toBe('in-doubt')
    await workWithEmail()
    const delivery = await onlyDelivery(leadId)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: 2, doubts: 1 })
    expect(delivery.log.map(({ outcome }) => outcome)).toEqual(['delivered', 'in-doubt'])
    expect(emailsTo(email).map(({ raw }) => raw.includes(`Message-ID: <${key}@`))).toEqual([true])
  })

  test('that is refused goes to the next destination of the rule', async () => {
    const { destinationId: next, path } = await addWay('webhook')
    const { sourceName, email } = await addWay('email', { next })
    smtp.answers.set(email, 550)
    const leadId = await ford.addLead({ sourceName })
    await workWithEmail()
    const [refused, passed] = await deliveriesOf(leadId)
    expect(refused).toMatchObject({ state: 'failed', destinationName: sourceName })
    expect(passed).toMatchObject({ state: 'delivered', kind: 'webhook' })
    expect(callsTo(path)).toHaveLength(1)
    const { status, timeline } = await ford.call(leads.get, { id: leadId })
    expect(status).toBe('delivered')
    expect(timeline.map(({ data }) => data.text ?? '').join()).toContain('Failover:')
  })

  test('that is sent again goes to the present address of its destination, under the same Message-ID', async () => {
    const { sourceName, destinationId, email } = await addWay('adf')
    smtp.answers.set(email, 550)
    const leadId = await ford.addLead({ sourceName })
    await workWithEmail()
    const { id, key } = await onlyDelivery(leadId)
    const right = `right.${email}`
    await ford.call(leadDestinations.update, { id: destinationId, toEmail: right })
    expect(await ford.call(leadDeliveries.replayMany, { ids: [id, '999999999'] })).toEqual({
      replayed: 1,
      skipped: 1,
    })
    await workWithEmail()
    expect(emailsTo(right).map(({ raw }) => raw.includes(`Message-ID: <${key}@`))).toEqual([true])
    expect(await statusOf(leadId)).toBe('delivered')
  })
})

test('a delivery out of reach is not sent again', async () => {
  const { sourceName } = await addWay('webhook')
  const leadId = await ford.addLead({ sourceName })
  await work()
  const { id } = await onlyDelivery(leadId)
  const harbor = await testOrganization(forecourt, 'Harbor Honda')
  const result = await harbor.call(leadDeliveries.replayMany, { ids: [id] })
  expect(result).toEqual({ replayed: 0, skipped: 1 })
  expect((await onlyDelivery(leadId)).state).toBe('delivered')
})

test('a test delivery says that it is one, and belongs to no lead', async () => {
  const { destinationId, path } = await addWay('webhook')
  const { deliveryId } = await ford.call(leadDestinations.sendTest, { id: destinationId })
  await work()
  expect(await ford.call(leadDeliveries.get, { id: deliveryId })).toMatchObject({
    state: 'delivered',
    isTest: true,
    leadId: null,
  })
  expect(JSON.parse(callsTo(path)[0]?.body ?? '')).toMatchObject({
    type: 'lead.test',
    data: { isTest: true },
  })
})

test('a lead that can not be routed is stored, moves no cursor, and is routed later', async () => {
  const sourceName = fresh('Fault')
  const [one, two] = [fresh('One'), fresh('Two')]
  const targets = [
    { destinationId: await ford.addLeadDestination({ name: one }) },
    { destinationId: await ford.addLeadDestination({ name: two }) },
  ]
  await ford.addLeadRule({ sources: [sourceName], strategy: 'round-robin', targets })
  await forecourt.owner.query('alter table lead_routes add constraint scratch check (false) not valid')
  const id = await ford.addLead({ sourceName })
  expect(await statusOf(id)).toBe('received')
  await work()
  expect(logged.some((line) => line.includes('scratch'))).toBe(true)
  await forecourt.owner.query('alter table lead_routes drop constraint scratch')
  clock.advance(61 * SECOND)
  await work()
  const { destinations } = await ford.call(leadRoutingRules.explain, { id })
  expect(destinations.map(({ name }) => name)).toEqual([one])
})

/** Whether one of the signatures of a call is of this secret. */
function isSigned({ headers, body }: WebhookCall, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const signature = `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(signature)
}
