import { afterAll, beforeAll, expect, test } from 'vitest'
import { leads } from '#contract/leads/inbox/leads.ts'
import { people } from '#contract/leads/people/people.ts'
import { personData } from '#contract/leads/people/person-data.ts'
import { campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { campaignRecipients, LEFT_OUT_LATER } from '#contract/marketing/campaigns/recipients.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { clock } from '#server/clock.ts'
import { BROWSER, SCANNERS } from '#test/factories/marketing/scanners.ts'
import { proven, visitorOf } from '#test/factories/marketing/visitor.ts'
import { type CampaignWorld, campaignWorld } from '#test/factories/marketing/campaign-world.ts'
import { fresh } from '#test/factories/test-organization.ts'

const HOST = 'northgate.localhost'
const DAY = 24 * 3_600_000
let world: CampaignWorld
let smtp: CampaignWorld['smtp']
let dns: CampaignWorld['dns']
let forecourt: CampaignWorld['forecourt']
let place: CampaignWorld['place']
let admin: CampaignWorld['admin']
let form: CampaignWorld['form']
let lotId: string
let addBuyer: CampaignWorld['addBuyer']
let addCampaign: CampaignWorld['addCampaign']
let get: CampaignWorld['get']
let schedule: CampaignWorld['schedule']
let work: CampaignWorld['work']
let workToEnd: CampaignWorld['workToEnd']
let mailsTo: CampaignWorld['mailsTo']
beforeAll(async () => {
  world = await campaignWorld()
  ;({ smtp, dns, forecourt, place, admin, form, lotId } = world)
  ;({ addBuyer, addCampaign, get, schedule, work, workToEnd, mailsTo } = world)
})
afterAll(() => world.close())

/** By address: the state, or why they were left out. */
const statesOf = async (id: string) => {
  const filter = `campaignName == "${(await get(id)).name}"`
  const { results } = await admin.call(campaignRecipients.list, { filter, pageSize: 200 })
  return Object.fromEntries(
    results.map(({ email, state, why }) => [email, state === 'left-out' ? (why ?? '') : state]),
  )
}
const linkIn = (raw: string, path: 'c' | 'u') =>
  new RegExp(`/${path}/[0-9a-f]{32}`).exec(raw.replaceAll(/=\r\n/g, ''))?.[0] ?? ''
type Opened = { method?: 'GET' | 'POST'; payload?: string; headers?: Record<string, string> }
const open = (url: string, { method = 'GET', payload = '', headers = BROWSER }: Opened = {}) =>
  forecourt.app.inject({
    method,
    url,
    headers: {
      host: HOST,
      ...headers,
      ...(method === 'POST' && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(method === 'POST' && { payload }),
  })

test('who is counted is who is mailed, and everyone else has a reason', async () => {
  const given = await addBuyer()
  const none = await addBuyer({ news: false })
  const gone = await addBuyer()
  await admin.call(people.revoke, { id: gone.personId, channel: 'email', text: 'By phone' })
  const twice = await addBuyer()
  await addBuyer({ email: twice.email.toUpperCase() })
  const campaign = await addCampaign()
  const counted = await admin.call(campaigns.countAudience, { lotId, audience: campaign.audience })
  const checks = await admin.call(campaigns.checks, { id: campaign.id })
  expect(checks.filter(({ state }) => state === 'error')).toEqual([])
  await schedule(campaign)
  const sent = await workToEnd(campaign.id)
  expect(sent).toMatchObject({ state: 'finished', recipients: counted.mailed, sent: counted.mailed })
  expect([given, none, gone, twice].map(({ email }) => mailsTo(email).length)).toEqual([1, 0, 0, 1])
  expect(Object.fromEntries(counted.leftOut.map(({ reason, count }) => [reason, count]))).toMatchObject({
    revoked: 1,
  })
  const [mail] = mailsTo(given.email)
  const raw = mail?.raw.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=') ?? ''
  expect(raw).toMatch(/^Subject: Trucks for Casey/m)
  expect(raw).toContain('1200 Auto Center Dr')
  expect(raw).toMatch(/^List-Unsubscribe:\s+<http:\/\/[^>]*\/u\/[0-9a-f]{32}>/m)
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
})

test('a consent that is withdrawn between schedule and sending is respected, at each step', async () => {
  const [early, late] = [await addBuyer(), await addBuyer()]
  const campaign = await addCampaign()
  await schedule(campaign)
  await forecourt.campaigns.workDue()
  // It waits in the outbox.
  await admin.call(people.revoke, { id: late.personId, channel: 'email', text: 'By phone' })
  await forecourt.outbox.deliver()
  expect([mailsTo(early.email).length, mailsTo(late.email).length]).toEqual([1, 0])
  expect(await statesOf(campaign.id)).toMatchObject({
    [early.email]: 'sent',
    [late.email]: LEFT_OUT_LATER.revoked,
  })
})

test('nothing acts on GET: the page has a button, and one click of the email program unsubscribes', async () => {
  const { email, personId } = await addBuyer()
  const campaign = await addCampaign()
  await schedule(campaign)
  await workToEnd(campaign.id)
  const link = linkIn(mailsTo(email).at(-1)?.raw ?? '', 'u')
  const page = await open(link)
  expect([page.statusCode, page.body.includes('<button')]).toEqual([200, true])
  await open(link, { headers: SCANNERS[0] ?? {} })
  expect(await statesOf(campaign.id)).toMatchObject({ [email]: 'sent' })
  const done = await open(link, { method: 'POST', payload: 'List-Unsubscribe=One-Click', headers: {} })
  expect([done.statusCode, done.body.includes('You are unsubscribed')]).toEqual([200, true])
  expect((await get(campaign.id)).unsubscribed).toBe(1)
  const [preview] = [await admin.call(campaigns.preview, { id: campaign.id, personId })]
  expect(preview.facts.join()).toContain('withdrew consent')
  expect((await open(`/u/${'0'.repeat(32)}`)).statusCode).toBe(404)
  expect((await open(`/u/${'0'.repeat(32)}`, { method: 'POST' })).statusCode).toBe(404)
})

test('an email that may have arrived when its server stopped is in doubt, and never repeated', async () => {
  const { email } = await addBuyer()
  const campaign = await addCampaign()
  await schedule(campaign)
  await forecourt.campaigns.workDue()
  // Claimed by a server that is killed then.
  await forecourt.owner.query(
    `update outbox_mails set attempts = 1, lease = gen_random_uuid(), leased_until = app_clock_timestamp() - interval '1 second' where to_email = $1`,
    [email],
  )
  await workToEnd(campaign.id)
  expect(mailsTo(email)).toEqual([])
  expect((await statesOf(campaign.id))[email]).toBe('in-doubt')
  expect((await get(campaign.id)).state).toBe('finished')
})

test('a campaign that is paused takes back what has not left, and goes on with everyone who is left', async () => {
  const buyer = await addBuyer()
  const campaign = await addCampaign()
  await schedule(campaign)
  await forecourt.campaigns.workDue()
  const paused = await admin.call(campaigns.pause, { id: campaign.id })
  await work()
  expect([paused.state, mailsTo(buyer.email).length]).toEqual(['paused', 0])
  await expect(admin.call(campaigns.update, { id: campaign.id, subject: 'Another' })).toRefuse(409, 'pace')
  await admin.call(campaigns.update, { id: campaign.id, perHour: 20_000 })
  await admin.call(campaigns.resume, { id: campaign.id })
  await workToEnd(campaign.id)
  expect(mailsTo(buyer.email)).toHaveLength(1)
})

test(
  'vehicles are shown with their total price of then, and sold ones stop the campaign',
  { tags: 'release' },
  async () => {
    const { email } = await addBuyer()
    const vehicleId = await place.addVehicle({
      lotId,
      status: 'live',
      year: 2022,
      make: 'Ford',
      model: 'Ranger',
      priceCents: 2_899_000,
      photos: [{ kind: 'address' as const, place: 'https://photos.example/1.jpg', alt: '' }],
    })
    const campaign = await addCampaign({ vehicleIds: [vehicleId] })
    await schedule(campaign)
    await workToEnd(campaign.id)
    expect(mailsTo(email).at(-1)?.raw.replaceAll(/=\r\n/g, '')).toMatch(
      /2022 Ford Ranger[\s\S]*\$[23]\d,\d{3}/,
    )
    const other = await addCampaign({ vehicleIds: [vehicleId] })
    await schedule(other)
    await admin.call(vehicles.update, { id: vehicleId, status: 'sold' })
    await work()
    expect(await get(other.id)).toMatchObject({ state: 'stopped', reason: 'vehicles', sent: 0 })
  },
)

test('people who were merged after it began are followed to who they are now, and mailed once', async () => {
  const [one, two, kept, lone] = [await addBuyer(), await addBuyer(), await addBuyer(), await addBuyer()]
  const campaign = await addCampaign({ perHour: 60 })
  await schedule(campaign)
  await forecourt.campaigns.workDue()
  // The first is mailed. Its duplicate and the others wait.
  await admin.call(people.merge, { keptId: kept.personId, mergedId: two.personId })
  await admin.call(people.merge, { keptId: lone.personId, mergedId: one.personId })
  await admin.call(campaigns.update, {
    id: campaign.id,
    version: (await admin.call(campaigns.pause, { id: campaign.id })).version,
    perHour: 6_000,
  })
  await admin.call(campaigns.resume, { id: campaign.id })
  expect(await workToEnd(campaign.id)).toMatchObject({ state: 'finished' })
  const states = await statesOf(campaign.id)
  const { results } = await admin.call(campaignRecipients.list, {
    filter: `campaignName == "${campaign.name}"`,
    pageSize: 200,
  })
  expect(results.filter(({ why }) => why === LEFT_OUT_LATER.gone)).toEqual([])
  const sent = [one, two, kept, lone].map(({ email }) => mailsTo(email).length)
  expect([sent[0] ?? 0, sent[3] ?? 0].reduce((sum, n) => sum + n)).toBe(1)
  expect([sent[1] ?? 0, sent[2] ?? 0].reduce((sum, n) => sum + n)).toBe(1)
  expect(Object.values(states).filter((state) => state === LEFT_OUT_LATER.duplicate)).toHaveLength(2)
})

test('of a recipient who is erased only what became of the email stays', async () => {
  const [gone, saidNo] = [await addBuyer(), await addBuyer()]
  const campaign = await addCampaign()
  await schedule(campaign)
  await workToEnd(campaign.id)
  await admin.call(people.revoke, { id: saidNo.personId, channel: 'email', text: 'By phone' })
  for (const { email: contact } of [gone, saidNo]) {
    // oxlint-disable-next-line no-await-in-loop -- One after the other.
    const { counts } = await admin.call(personData.find, { contact })
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await admin.call(personData.erase, { contact, confirmed: counts })
  }
  const { results } = await admin.call(campaignRecipients.list, {
    filter: `campaignName == "${campaign.name}"`,
    pageSize: 200,
  })
  const text = JSON.stringify(results)
  expect([gone.name, gone.email, saidNo.name].filter((one) => text.includes(one))).toEqual([])
  expect(results.filter(({ name }) => name === 'Deleted person')).toMatchObject([
    { state: 'sent', email: '' },
  ])
})

test('an address that the mail server refuses has bounced, and one that was suppressed meanwhile is left out', async () => {
  const [refused, suppressed] = [await addBuyer(), await addBuyer()]
  smtp.answers.set(refused.email, 550)
  const campaign = await addCampaign()
  await schedule(campaign)
  await forecourt.campaigns.workDue()
  await forecourt.owner.query(
    `insert into suppressed_addresses (customer_id, email, reason) values ($1, $2, 'bounced')`,
    [place.customerId, suppressed.email],
  )
  await workToEnd(campaign.id)
  expect(await statesOf(campaign.id)).toMatchObject({
    [refused.email]: 'bounced',
    [suppressed.email]: LEFT_OUT_LATER.suppressed,
  })
  const { steps } = await admin.call(campaigns.funnel, { id: campaign.id })
  expect(steps.find(({ step }) => step === 'delivered')?.note).toBe('1 bounced')
})

test('its link leads to the page, programs are told apart, and its lead has its name', async () => {
  const { email } = await addBuyer()
  const campaign = await addCampaign({ name: fresh('November trucks') })
  await schedule(campaign)
  await workToEnd(campaign.id)
  const link = linkIn(mailsTo(email).at(-1)?.raw ?? '', 'c')
  await open(link, { headers: SCANNERS[0] ?? {} })
  clock.advance(3_600_000)
  const answer = await open(link)
  expect([answer.statusCode, answer.headers.location]).toEqual([302, `/s/${campaign.code}`])
  const short = await open(String(answer.headers.location))
  expect(short.headers.location).toContain(`utm_campaign=${campaign.code}`)
  const { steps } = await admin.call(campaigns.funnel, { id: campaign.id })
  expect(steps.find(({ step }) => step === 'clicked')).toMatchObject({ people: 1, bots: 0 })
  const visitor = visitorOf(forecourt, HOST)
  const page = await visitor.open(`/f/${form.key}?utm_campaign=${campaign.code}`)
  const name = fresh('Lee')
  await visitor.send(`/f/${form.key}`, await proven(page), { name, email: 'lee@mail.example' }, 60)
  const { results } = await admin.call(leads.list, { search: name })
  const lead = await admin.call(leads.get, { id: results?.[0]?.id ?? '' })
  expect(lead.campaign['utm_campaign']).toBe(campaign.code)
  expect(await get(campaign.id)).toMatchObject({ clicked: 1, leads: 1 })
  const funnel = await admin.call(campaigns.funnel, { id: campaign.id })
  expect(funnel.steps.find(({ step }) => step === 'started')).toMatchObject({ people: 1 })
  // Clicks of the button are those of the campaign's lot, to which its form belongs, too.
  expect(funnel.byLot).toMatchObject([{ clicks: 1, leads: 1 }])
  expect(funnel.previous?.steps.find(({ step }) => step === 'sent')?.people).toBeGreaterThan(0)
  expect((await open(`/c/${'0'.repeat(32)}`)).statusCode).toBe(404)
})

test('a campaign without what it needs is refused with what is missing', async () => {
  const campaign = await addCampaign({ subject: 'Only today: {{ model }} for $19,990' })
  const checks = await admin.call(campaigns.checks, { id: campaign.id })
  expect(checks.filter(({ state }) => state === 'error').map(({ id }) => id)).toEqual(['message', 'claims'])
  await expect(schedule(campaign)).toRefuse(409, 'model')
  const texts = dns.texts.get('_dmarc.forecourt.example') ?? []
  dns.texts.delete('_dmarc.forecourt.example')
  const fine = await addCampaign()
  await expect(schedule(fine)).toRefuse(409, 'DMARC')
  dns.texts.set('_dmarc.forecourt.example', texts)
  const first = new Date(clock.now() + DAY).toISOString().slice(0, 10)
  const later = await addCampaign({ sendOn: first })
  const scheduled = await schedule(later)
  expect([scheduled.state, scheduled.startsAt?.slice(0, 10)]).toEqual(['scheduled', first])
  await expect(admin.call(campaigns.remove, { id: later.id })).toRefuse(409, 'Pause it first')
  expect((await admin.call(campaigns.pause, { id: later.id })).state).toBe('draft')
})
