import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobs } from '#contract/jobs/jobs.ts'
import { EVERYONE } from '#contract/marketing/campaigns/audience.ts'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { campaignRecipients } from '#contract/marketing/campaigns/recipients.ts'
import { type ImportedList, importedLists } from '#contract/marketing/campaigns/imported-lists.ts'
import { clock } from '#server/clock.ts'
import { type CampaignWorld, campaignWorld } from '#test/factories/marketing/campaign-world.ts'
import { BROWSER } from '#test/factories/marketing/scanners.ts'
import { fresh } from '#test/factories/test-organization.ts'

const HOST = 'northgate.localhost'
let world: CampaignWorld
beforeAll(async () => {
  world = await campaignWorld()
})
afterAll(() => world.close())

const upload = (text: string, more: Record<string, string> = {}): Promise<unknown> =>
  world.admin.upload(
    importedLists.add.path,
    { name: fresh('List'), lotId: world.lotId, ...more },
    {
      name: 'people.csv',
      bytes: text,
    },
  )
const add = async (text: string, more: Record<string, string> = {}): Promise<ImportedList> =>
  importedLists.add.output.parse(await upload(text, more))
const audienceOf = (list: ImportedList) => ({ ...EVERYONE, listIds: [list.id] })
const count = (list: ImportedList) =>
  world.admin.call(campaigns.countAudience, { lotId: world.lotId, audience: audienceOf(list) })
async function sendTo(list: ImportedList): Promise<Campaign> {
  const campaign = await world.addCampaign({ audience: audienceOf(list) })
  await world.schedule(campaign)
  return world.workToEnd(campaign.id)
}
const open = (url: string, body?: string) =>
  world.forecourt.app.inject({
    method: body === undefined ? 'GET' : 'POST',
    url,
    headers: {
      host: HOST,
      ...BROWSER,
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(body !== undefined && { payload: body }),
  })
const linkTo = (email: string): string =>
  /\/o\/[0-9a-f]{32}/.exec(world.mailsTo(email).at(-1)?.raw.replaceAll(/=\r\n/g, '') ?? '')?.[0] ?? ''

test('with proof of consent they are mailed, and the proof is kept; what is wrong is counted and named by its row', async () => {
  const list = await add(
    [
      'Email,First name,Last name,Consent source,Consent date,Phone',
      'ana@mail.example,Ana,Reyes,Service desk form,2025-03-13,916',
      'ana@Mail.example,Ana,Reyes,,,',
      'bo@mail.example,Bo,Lind,Newsletter sign-up,3/28/2025,',
      'not an address,Cy,,Form,2025-01-31,',
      ',Di,,,,',
      'none@none.com,Ed,,Form,2025-01-31,',
      'flo@mail.example,Flo,,Form,,',
      'gus@mail.example,Gus,,Form,2099-01-01,',
    ].join('\n'),
  )
  expect(list).toMatchObject({ rows: 8, invalid: 3, duplicates: 1, people: 4, proven: 2, canAsk: 2 })
  const { problems, sample } = await world.admin.call(importedLists.get, { id: list.id })
  expect(problems.map(({ row, text }) => `${row} ${text}`)).toEqual([
    "0 The column “Phone” isn't used.",
    '3 Has the same address as row 2.',
    "5 The email address isn't valid.",
    '6 Has no email address.',
    "7 The email address isn't a real one.",
    '8 Has a source of consent, but no date: no proof of consent.',
    "9 The consent date can't be right: no proof of consent.",
  ])
  expect(sample[0]).toEqual({
    row: 2,
    name: 'Ana Reyes',
    email: 'ana@mail.example',
    consentSource: 'Service desk form',
    consentOn: '2025-03-13',
  })
  expect(await count(list)).toMatchObject({
    people: 4,
    mailed: 2,
    leftOut: [{ reason: 'consent', count: 2 }],
  })
  const campaign = await sendTo(list)
  expect(campaign).toMatchObject({ state: 'finished', recipients: 2, sent: 2 })
  const { results } = await world.admin.call(campaignRecipients.list, {
    filter: `campaignName == "${campaign.name}"`,
    sort: 'email',
  })
  expect(results[0]).toMatchObject({
    consent: `Service desk form (list “${list.name}”, row 2)`,
    consentAt: expect.stringMatching(/^2025-03-13/),
  })
  // A later list is no proof of an email that was sent.
  await add('Email,Consent source,Consent date\nana@mail.example,Fair,2026-11-29')
  const { results: later } = await world.admin.call(campaignRecipients.list, {
    filter: `campaignName == "${campaign.name}"`,
    sort: 'email',
  })
  expect(later[0]).toMatchObject({ consent: results[0]?.consent, consentAt: results[0]?.consentAt })
  const personId = results[0]?.personId ?? ''
  const { facts } = await world.admin.call(campaigns.preview, { id: campaign.id, personId })
  const auditor = await world.forecourt.as('northgate.auditor', 'Northgate Ford')
  await expect(auditor.call(campaigns.preview, { id: campaign.id, personId })).toRefuse(403, 'Leads')
  expect((await auditor.call(campaigns.preview, { id: campaign.id, personId: null })).facts).toEqual([])
  expect(facts.join()).toContain('Agreed to marketing emails on Mar 13, 2025: Service desk form')
  expect(['ana', 'bo', 'flo', 'gus'].map((one) => world.mailsTo(`${one}@mail.example`).length)).toEqual([
    1, 1, 0, 0,
  ])
})

test('without proof each gets one email that asks, and only who confirms by the button is in the audience', async () => {
  const { admin, forecourt, smtp } = world
  const list = await add('email\nhal@mail.example\nida@mail.example\njo@mail.example')
  expect(await count(list)).toMatchObject({ mailed: 0 })
  expect(await admin.call(importedLists.ask, { id: list.id })).toMatchObject({ sent: 3, asked: 3, canAsk: 0 })
  await forecourt.outbox.deliver()
  const before = smtp.emails.length
  expect(await admin.call(importedLists.ask, { id: list.id })).toMatchObject({ sent: 0 })
  await forecourt.outbox.deliver()
  expect(smtp.emails).toHaveLength(before)
  const page = await open(linkTo('hal@mail.example'))
  expect([page.statusCode, page.body.includes('Yes, send me offers')]).toEqual([200, true])
  expect(await count(list)).toMatchObject({ mailed: 0 })
  await open(linkTo('hal@mail.example'), 'answer=yes')
  // What an email program sends by itself.
  await open(linkTo('ida@mail.example'), 'List-Unsubscribe=One-Click')
  expect(await count(list)).toMatchObject({ people: 3, mailed: 1 })
  const [found] = (await admin.call(importedLists.list, {})).filter(({ id }) => id === list.id)
  expect(found).toMatchObject({ confirmed: 1, declined: 1, asked: 1 })
  await sendTo(list)
  expect(['hal', 'ida', 'jo'].map((one) => world.mailsTo(`${one}@mail.example`).length)).toEqual([2, 1, 1])
  expect((await open(`/o/${'0'.repeat(32)}`)).statusCode).toBe(404)
})

test('who was suppressed or said no stays out, although a list says otherwise', async () => {
  const { admin, place, forecourt } = world
  await forecourt.owner.query(
    `insert into suppressed_addresses (customer_id, email, reason) values ($1, 'kim@mail.example', 'bounced')`,
    [place.customerId],
  )
  await world.addManyBuyers(1, { name: 'lou', kind: 'revoked' })
  clock.advance(1_000)
  const list = await add(
    'Email,Consent source,Consent date\nkim@mail.example,Form,2025-01-31\nlou1@mail.example,Form,2025-01-31',
  )
  expect(await count(list)).toMatchObject({
    mailed: 0,
    leftOut: [
      { reason: 'suppressed', count: 1 },
      { reason: 'revoked', count: 1 },
    ],
  })
  const unproven = await add('Email\nkim@mail.example\nlou1@mail.example')
  expect(await admin.call(importedLists.ask, { id: unproven.id })).toMatchObject({ sent: 0, canAsk: 0 })
  // Their people go with the lists; who said no stays.
  expect(await admin.call(importedLists.remove, { id: unproven.id })).toEqual({ people: 0 })
  expect(await admin.call(importedLists.remove, { id: list.id })).toEqual({ people: 1 })
})

test('a file that is no list is refused with what is wrong', async () => {
  await expect(upload('Name,Phone\nAna,916')).toRefuse(400, 'No column is named “Email”')
  const dates = 'Email,Consent source,Consent date\nmia@mail.example,Form,03/11/2025'
  await expect(upload(dates)).toRefuse(400, 'two ways')
  const read = await add(dates, { dateOrder: 'dmy' })
  const { sample } = await world.admin.call(importedLists.get, { id: read.id })
  expect(sample[0]?.consentOn).toBe('2025-11-03')
  await expect(upload('')).toRefuse(400, 'empty')
  await expect(upload('Email\nx@mail.example', { name: read.name })).toRefuse(409, 'already has this name')
  const draft = await world.addCampaign({ audience: audienceOf(read) })
  await expect(world.admin.call(importedLists.remove, { id: read.id })).toRefuse(409, draft.name)
})

const manyRows = (length: number, name: string): string =>
  `Email,Name,Consent source,Consent date\n${Array.from({ length }, (_, n) => `${name}${n}@list.example,Person ${n},Form,2025-06-14`).join('\n')}`

test('the people of a long list are added by a job: until its end no campaign is scheduled, and a canceled one says what is missing', async () => {
  const { admin, forecourt } = world
  const list = await add(manyRows(1_100, 'long'))
  expect(list).toMatchObject({ rows: 1_100, state: 'importing', waiting: 1_100, people: 0, proven: 0 })
  const campaign = await world.addCampaign({ audience: audienceOf(list) })
  const checks = await admin.call(campaigns.checks, { id: campaign.id })
  expect(checks.find(({ id }) => id === 'audience')?.findings).toContain(
    `The list “${list.name}” is still being imported. Wait until it is complete.`,
  )
  const { results } = await admin.call(jobs.list, { search: list.name })
  expect(results[0]).toMatchObject({ title: `Import 1,100 people into “${list.name}”`, state: 'waiting' })
  await forecourt.jobs.runDue()
  expect(await admin.call(jobs.get, { id: results[0]?.id ?? '' })).toMatchObject({
    state: 'done',
    done: 1_100,
  })
  expect(await admin.call(importedLists.get, { id: list.id })).toMatchObject({
    state: 'ready',
    waiting: 0,
    people: 1_100,
    proven: 1_100,
  })
  expect(await count(list)).toMatchObject({ people: 1_100, mailed: 1_100 })

  const other = await add(manyRows(1_001, 'other'))
  const found = await admin.call(jobs.list, { search: other.name })
  await admin.call(jobs.cancel, { id: found.results[0]?.id ?? '' })
  await forecourt.jobs.runDue()
  expect(await admin.call(importedLists.get, { id: other.id })).toMatchObject({
    state: 'stopped',
    waiting: 1_001,
    people: 0,
  })
  expect(await admin.call(importedLists.remove, { id: other.id })).toEqual({ people: 0 })
})

test('100,000 rows are imported and counted', { tags: 'release', timeout: 600_000 }, async () => {
  const rows = manyRows(100_000, 'person')
  const started = performance.now()
  const since = () => ((performance.now() - started) / 1_000).toFixed(1)
  const list = await add(rows)
  console.log(`figure: 100,000 rows of a list answered in = ${since()} s`)
  await world.forecourt.jobs.runDue()
  console.log(`figure: 100,000 rows of a list imported in = ${since()} s`)
  expect(await world.admin.call(importedLists.get, { id: list.id })).toMatchObject({
    rows: 100_000,
    people: 100_000,
    proven: 100_000,
  })
  expect(await count(list)).toMatchObject({ mailed: 100_000 })
  await expect(upload(`${rows}\nx@list.example,,,`)).toRefuse(400, '100,000')
})
